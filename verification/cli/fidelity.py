"""`queuecast fidelity`: how truly the replica decides, measured on a recording."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from predictor.cli.terminal import plain
from predictor.domain.durations import HOUR_S
from predictor.site import Site, default, load
from verification.cli.jobs import JOBS
from verification.cli.progress import teller
from verification.fidelity import report as words
from verification.fidelity.cases import Case, Moments, wrong
from verification.fidelity.diagnosis import Parting, partings
from verification.fidelity.history import History
from verification.fidelity.impossible import check
from verification.fidelity.looks import COURSES, HORIZON_S, Look, decided_from, look, window_numbers
from verification.parallel import Processes
from verification.recorded import read_recording

SCHEMA = "queuecast.fidelity/1"
Result = TypeVar("Result")
Looker = Callable[[History, int, int, Site], Look]
Looked = list[tuple[Look, tuple[Parting, ...]]]


@click.command()
@click.argument("recording", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--site",
    "site_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The site file: what the recording does not say.",
)
@click.option("--only", type=click.Choice(["decisions", "windows"]), help="One of the two figures.")
@click.option(
    "--every",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="Decide from every n-th snapshot.",
)
@click.option(
    "--windows-h",
    type=click.FloatRange(0.1),
    default=6.0,
    show_default=True,
    metavar="HOURS",
    help="How long a window runs on.",
)
@JOBS
@click.option(
    "--worst",
    "worst_count",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Also the N jobs furthest off.",
)
@click.option(
    "--told-passes",
    is_flag=True,
    help="Tell it also when passes that look ahead began, by later statistics.",
)
@click.option(
    "--courses",
    type=click.IntRange(1),
    default=COURSES,
    show_default=True,
    metavar="N",
    help="Of N courses that such passes may take, the most typical one counts.",
)
@click.option(
    "--impossible", is_flag=True, help="Instead: would the model have let every real start happen?"
)
@click.option("--cases", is_flag=True, help="Instead: each wrong decision, and what it comes from.")
@click.option("--json", "as_json", is_flag=True, help="All figures as one JSON object.")
def fidelity(
    recording: Path,
    site_file: Path | None,
    only: str | None,
    every: int,
    windows_h: float,
    jobs: int,
    worst_count: int,
    told_passes: bool,
    courses: int,
    impossible: bool,
    cases: bool,
    as_json: bool,
) -> None:
    """Measure on RECORDING how truly the replica decides.

    It is told all but the starts: real run times, arrivals, cancellations, holds, changed jobs,
    reservations and nodes. Decisions: who starts within ten minutes of a snapshot. Windows: hours
    run on without correction. Causes tell what spoke, in the other's cluster, against a start that
    only one of the two made.
    """
    if impossible and cases:
        raise click.UsageError("--impossible and --cases exclude each other")
    read = read_recording(recording, Processes(jobs), teller(sys.stderr))
    for finding in read.findings:
        click.echo(plain(f"queuecast: {recording.name}: {finding}"), err=True)
    measure = _Measure(
        read.history,
        load(site_file) if site_file else default(),
        jobs,
        worst_count,
        partial(look, passes=told_passes, courses=courses),
    )
    if impossible:
        found: dict[str, Any] = {"impossible": words.start_figures(measure.starts())}
    elif cases:
        found = {"cases": words.case_figures(measure.cases(every))}
    else:
        found = {}
        if only != "windows":
            found["decisions"] = measure.decisions(every)
        if only != "decisions":
            found["windows"] = measure.windows(round(windows_h * HOUR_S))
    told = {"schema": SCHEMA, **found}
    click.echo(json.dumps(told, indent=2) if as_json else "\n".join(_lines(found)))


class _Measure:
    """What is measured on one recording."""

    def __init__(
        self, history: History, site: Site, jobs: int, worst_count: int, looker: Looker
    ) -> None:
        self._history = history
        self._site = site
        self._jobs = jobs
        self._worst_count = worst_count
        self._look = looker

    def decisions(self, every: int) -> Mapping[str, Any]:
        numbers = decided_from(self._history.instants, every)
        looked = self._looked("decisions", numbers, HORIZON_S)
        return self._report(words.decision_figures([look for look, _ in looked]), looked)

    def windows(self, length_s: int) -> Mapping[str, Any]:
        numbers = window_numbers(self._history.instants, length_s)
        looked = self._looked("windows", numbers, length_s)
        return self._report(words.window_figures([look for look, _ in looked]), looked)

    def cases(self, every: int) -> list[Case]:
        history, moments = self._history, Moments.of(self._history)

        def one(number: int) -> tuple[Case, ...]:
            far = self._look(history, number, 2 * HORIZON_S, self._site)
            return tuple(wrong(history, moments, far, self._site))

        found = self._each("cases", decided_from(history.instants, every), one)
        return sorted((one for some in found for one in some), key=lambda one: one.since)

    def starts(self) -> list[Any]:
        numbers = range(len(self._history.snapshots))
        found = self._each(
            "starts", numbers, lambda number: check(self._history, number, self._site)
        )
        return sorted((one for some in found for one in some), key=lambda one: one.at)

    def _report(self, figures: words.Figures, looked: Looked) -> Mapping[str, Any]:
        causes = words.cause_figures(parted for _, parted in looked)
        worst = words.worst(looked, self._worst_count)
        return {"figures": figures, "causes": causes, "worst": worst}

    def _looked(self, label: str, numbers: Sequence[int], length_s: int) -> Looked:
        def one(number: int) -> tuple[Look, tuple[Parting, ...]]:
            seen = self._look(self._history, number, length_s, self._site)
            return seen, partings(self._history, seen, self._site)

        return sorted(self._each(label, numbers, one), key=lambda pair: pair[0].number)

    def _each(
        self, label: str, numbers: Sequence[int], work: Callable[[int], Result]
    ) -> list[Result]:
        done = Processes(self._jobs).each(work, numbers)
        with click.progressbar(done, length=len(numbers), label=label, file=sys.stderr) as bar:
            return list(bar)


def _lines(found: Mapping[str, Any]) -> Iterator[str]:
    for title, part in found.items():
        if title == "impossible":
            yield from words.start_lines(part)
            continue
        if title == "cases":
            yield from words.case_lines(part)
            continue
        yield from words.table(title, part["figures"])
        if part["causes"]:
            yield from words.cause_table("  who parted, and why", part["causes"])
        yield from words.worst_lines(part["worst"])
