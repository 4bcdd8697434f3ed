"""Priority factors of waiting jobs, out of `sprio -l`."""

from collections.abc import Mapping, Sequence
from functools import partial

from collectors.slurm.surroundings import Priorities
from collectors.slurm.text.records import says_nothing
from collectors.slurm.words import units
from collectors.slurm.words.quarantine import sorted_out
from predictor.domain import Fact, PriorityFactors, Quarantined
from predictor.errors import SourceFormatError

COLUMNS = frozenset({"JOBID", "PARTITION", "PRIORITY"})
"""Those that there always are."""


def parse_priorities(text: str) -> tuple[Priorities, tuple[Quarantined, ...]]:
    """Return each job's factors, one entry per partition.

    The columns are found by the heading, because newer versions have more of them. Raises
    SourceFormatError without that.
    """
    heading, *lines = text.splitlines() or [""]
    if says_nothing(text):
        return {}, ()
    if missing := COLUMNS - set(heading.split()):
        raise SourceFormatError(f"sprio: no heading with {min(missing)} in {text[:80]!r}")
    rows, bad = sorted_out(Fact.PRIORITIES, lines, partial(_row, heading.split()))
    found: dict[int, tuple[PriorityFactors, ...]] = {}
    for number, factors in rows:
        found[number] = (*found.get(number, ()), factors)
    return found, bad


def _row(heading: Sequence[str], line: str) -> tuple[int, PriorityFactors]:
    words = line.split()
    # The last column, TRES, is blank where no TRES has a weight.
    if len(words) == len(heading) - 1 and heading[-1] == "TRES":
        words.append("")
    if len(words) != len(heading):
        raise ValueError(f"sprio: {len(words)} columns instead of {len(heading)}: {line[:80]!r}")
    shown = _by_column(heading, words)
    return int(shown["JOBID"]), PriorityFactors(
        partition=shown["PARTITION"],
        priority=int(shown["PRIORITY"]),
        age=_points(shown, "AGE"),
        association=_points(shown, "ASSOC"),
        fairshare=_points(shown, "FAIRSHARE"),
        job_size=_points(shown, "JOBSIZE"),
        partition_points=_points(shown, "PARTITION points"),
        qos=_points(shown, "QOS"),
        site=_points(shown, "SITE"),
        nice=_points(shown, "NICE"),
        tres=units.tres(shown.get("TRES", "")),
    )


def _by_column(heading: Sequence[str], words: Sequence[str]) -> dict[str, str]:
    """PARTITION heads two columns: first the name, later the points."""
    shown: dict[str, str] = {}
    for name, word in zip(heading, words, strict=True):
        shown[name if name not in shown else f"{name} points"] = word
    return shown


def _points(shown: Mapping[str, str], name: str) -> int | None:
    return int(shown[name]) if name in shown else None
