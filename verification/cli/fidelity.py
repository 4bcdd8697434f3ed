"""`queuecast fidelity`: how truly the replica decides, measured on a recording."""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from predictor.domain import Snapshot
from predictor.site import Site, default, load
from predictor.storage import open_for_reading
from verification.fidelity.history import History, history_of
from verification.fidelity.looks import HORIZON_S, Look, look, window_numbers
from verification.fidelity.report import decision_figures, table, window_figures
from verification.fidelity.spread import Spread

HOUR_S = 3600


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
    "--windows-h", type=click.FloatRange(0.1), default=6.0, show_default=True, metavar="HOURS"
)
@click.option(
    "--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, help="Processes at a time."
)
@click.option("--json", "as_json", is_flag=True, help="All figures as one JSON object.")
def fidelity(
    recording: Path,
    site_file: Path | None,
    only: str | None,
    every: int,
    windows_h: float,
    jobs: int,
    as_json: bool,
) -> None:
    """Measure on RECORDING how truly the replica decides when it is told all but the starts."""
    site = load(site_file) if site_file else default()
    history = _history(recording)
    report = {}
    if only != "windows":
        looked = range(0, len(history.snapshots), every)
        report["decisions"] = decision_figures(
            _looks("decisions", history, looked, HORIZON_S, site, jobs)
        )
    if only != "decisions":
        length_s = round(windows_h * HOUR_S)
        numbers = window_numbers(history.instants, length_s)
        report["windows"] = window_figures(
            _looks("windows", history, numbers, length_s, site, jobs)
        )
    if as_json:
        click.echo(json.dumps(report, indent=2))
    else:
        for title, figures in report.items():
            click.echo("\n".join(table(title, figures)))


def _history(recording: Path) -> History:
    reader = open_for_reading(recording)
    snapshots: list[Snapshot] = []
    with click.progressbar(
        reader.snapshots(), length=reader.count(), label="reading", file=sys.stderr
    ) as bar:
        snapshots.extend(bar)
    return history_of(snapshots, reader.outcomes())


def _looks(
    label: str, history: History, numbers: Sequence[int], length_s: int, site: Site, jobs: int
) -> list[Look]:
    """Return the looks from these snapshots, in their order."""
    done = Spread(lambda number: look(history, number, length_s, site), numbers, jobs)
    with click.progressbar(done, length=len(done), label=label, file=sys.stderr) as bar:
        return sorted(bar, key=lambda one: one.number)
