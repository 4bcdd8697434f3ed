"""`queuecast verify`: how wrong the predictions are, by recordings."""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from predictor.cli.terminal import plain
from predictor.site import default, load
from verification.cli.progress import teller
from verification.judging.case import Case
from verification.online.mode import all_cases, read_asking
from verification.parallel import Processes


@click.command()
@click.argument(
    "recordings",
    nargs=-1,
    required=True,
    metavar="RECORDING...",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
@click.option("--mode", type=click.Choice(["online"]), default="online", show_default=True)
@click.option(
    "--site",
    "site_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The site file: what the recordings do not say.",
)
@click.option(
    "--every",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Ask at every n-th snapshot.",
)
@click.option(
    "--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, help="Processes at a time."
)
def verify(
    recordings: Sequence[Path], mode: str, site_file: Path | None, every: int, jobs: int
) -> None:
    """Judge the predictions by what happened in each RECORDING."""
    site = load(site_file) if site_file else default()
    pool, progress = Processes(jobs), teller(sys.stderr)
    read = [read_asking(path, site, pool, progress, every=every) for path in recordings]
    for recorded in read:
        for finding in recorded.findings:
            click.echo(plain(f"{recorded.path.name}: {finding}"), err=True)
    cases = list(all_cases(read, tuple))
    found = {name: _figures(cases, name) for name in ("ours", "slurm")}
    click.echo(json.dumps({mode: found}, indent=2))


def _figures(cases: Sequence[Case], name: str) -> dict[str, float | int | None]:
    led = [case for case in cases if case.leads and case.started_at is not None]
    off_s = [
        abs(case.started_at - at)
        for case in led
        if case.started_at is not None and (at := case.said[name].likely_at) is not None
    ]
    return {
        "records": len(led),
        "answered": len(off_s) / len(led) if led else None,
        "mae_s": sum(off_s) / len(off_s) if off_s else None,
    }
