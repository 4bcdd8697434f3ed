"""The scheduler's own statistics, out of `sdiag`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from predictor.domain import Quarantined, SchedulerHealth
from predictor.errors import SourceFormatError

_WRITTEN = re.compile(r"sdiag output at \w{3} (\w{3} +\d+ [\d:]{8} \d{4}) \((\d{1,11})\)")
_SINCE = re.compile(r"^Data since .*\((\d{1,11})\)", re.MULTILINE)
_IN_BRACKETS = re.compile(r"\((\d{1,18})\)\s*$")
_CAUSES = ("System state changed", "Timeout (bf_max_time)")
MOST_DIGITS = 19
QUARTER_S = 900
"""Offsets from UTC are whole quarters of an hour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """What the scheduler says of itself."""

    health: SchedulerHealth
    written_at: int
    """The controller's clock, UTC epoch seconds."""
    offset_s: int
    """How far the times that the commands print are ahead of UTC."""


def parse_diagnosis(text: str) -> tuple[Diagnosis, tuple[Quarantined, ...]]:
    """Return the statistics. Raises SourceFormatError if this is no output of sdiag.

    A figure that is missing is None; nothing is ever set aside.
    """
    written = _WRITTEN.search(text)
    if written is None:
        raise SourceFormatError(f"sdiag: no line 'sdiag output at ...' in {text[:80]!r}")
    written_at = int(written[2])
    try:
        local = datetime.strptime(written[1], "%b %d %H:%M:%S %Y").replace(tzinfo=UTC)
    except ValueError as error:
        raise SourceFormatError(f"sdiag: {error}") from error
    offset_s = round((local.timestamp() - written_at) / QUARTER_S) * QUARTER_S
    head, _, backfill = text.partition("Backfilling stats")
    main = _values(head.partition("Main schedule statistics")[2])
    figures = _health(main, _values(head), _values(backfill.partition("Latency for")[0]))
    since = _SINCE.search(text)
    health = replace(figures, told_at=written_at, counts_since=int(since[1]) if since else None)
    return Diagnosis(health=health, written_at=written_at, offset_s=offset_s), ()


def _health(
    main: Mapping[str, str], totals: Mapping[str, str], backfill: Mapping[str, str]
) -> SchedulerHealth:
    return SchedulerHealth(
        main_cycle_last_us=_number(main, "Last cycle"),
        main_cycle_mean_us=_number(main, "Mean cycle"),
        main_depth_mean=_number(main, "Mean depth cycle"),
        backfill_cycle_last_us=_number(backfill, "Last cycle"),
        backfill_cycle_mean_us=_number(backfill, "Mean cycle"),
        backfill_cycle_max_us=_number(backfill, "Max cycle"),
        backfill_last_at=_bracketed(backfill, "Last cycle when"),
        backfill_depth_last=_number(backfill, "Last depth cycle"),
        backfill_depth_tried_last=_number(backfill, "Last depth cycle (try sched)"),
        backfill_depth_mean=_number(backfill, "Depth Mean"),
        backfill_depth_tried_mean=_number(backfill, "Depth Mean (try depth)"),
        backfill_queue_last=_number(backfill, "Last queue length"),
        backfill_queue_mean=_number(backfill, "Queue length mean"),
        backfill_cut_short=_cut_short(backfill),
        queue_length_last=_number(main, "Last queue length"),
        jobs_started=_number(totals, "Jobs started"),
        jobs_backfilled=_number(backfill, "Total backfilled jobs (since last slurm start)"),
    )


def _cut_short(backfill: Mapping[str, str]) -> int | None:
    """Return how many cycles were; Slurm tells the causes of their ends from 23.11 on."""
    found = [_number(backfill, cause) for cause in _CAUSES]
    told = [number for number in found if number is not None]
    return sum(told) if told else None


def _values(section: str) -> Mapping[str, str]:
    lines = (line.partition(":") for line in section.splitlines())
    return {name.strip(): value.strip() for name, colon, value in lines if colon}


def _number(values: Mapping[str, str], name: str) -> int | None:
    word = values.get(name, "")
    return int(word) if word.isdecimal() and len(word) < MOST_DIGITS else None


def _bracketed(values: Mapping[str, str], name: str) -> int | None:
    match = _IN_BRACKETS.search(values.get(name, ""))
    return int(match[1]) or None if match else None
