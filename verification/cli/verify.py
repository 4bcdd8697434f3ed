"""`queuecast verify`: how wrong the predictions are, and why, by recordings."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from predictor.cli.exits import GATE
from predictor.cli.params import AGE
from predictor.cli.terminal import plain
from predictor.site import default, load
from verification.cli.jobs import JOBS
from verification.cli.modes import MODES, Order, read_all
from verification.cli.progress import teller
from verification.cli.told import REPORT, Parsed, tell
from verification.clusters import dask_pool
from verification.gate import Bound, check_modes, parse_gate
from verification.online.several import names
from verification.parallel import Processes
from verification.report.document import document, recording_figures
from verification.report.names import complete
from verification.report.page import render_html
from verification.report.terminal import render_terminal

FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument(
    "recordings",
    nargs=-1,
    required=True,
    metavar="RECORDING...",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
@click.option(
    "--mode",
    "modes",
    type=click.Choice(sorted(MODES)),
    multiple=True,
    default=("online",),
    show_default=True,
    help="May be given several times.",
)
@click.option(
    "--window",
    "window_s",
    type=AGE,
    default="6h",
    show_default=True,
    help="How long the replica runs on without correction.",
)
@click.option("--site", "site_file", type=FILE, help="The site file: what recordings do not say.")
@click.option(
    "--every",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="N",
    help="Ask at each n-th snapshot only.",
)
@click.option(
    "--published", is_flag=True, help="Judge what was really published, not what we say today."
)
@click.option("--json", "json_file", type=REPORT, metavar="FILE", help="All figures; -: to stdout.")
@click.option("--html", "html_file", type=REPORT, metavar="FILE", help="One page with plots.")
@click.option(
    "--fail-over",
    "bounds",
    type=Parsed("bounds", parse_gate),
    metavar="BOUNDS",
    help=f"Such as mae=30m,coverage80=0.75; exit with {GATE} if one does not hold.",
)
@JOBS
@click.option(
    "--dask",
    metavar="ADDRESS|local|slurm",
    help="Work on a Dask cluster, which must see the recordings at the same paths.",
)
@click.pass_context
def verify(
    context: click.Context,
    recordings: Sequence[Path],
    modes: Sequence[str],
    window_s: int,
    site_file: Path | None,
    every: int,
    published: bool,
    json_file: Path | None,
    html_file: Path | None,
    bounds: tuple[Bound, ...] | None,
    jobs: int,
    dask: str | None,
) -> None:
    """Judge the predictions by what happened in each RECORDING.

    \b
    online   at each snapshot everybody is asked when the waiting jobs start,
             knowing only what had been received by then: what users get
    replica  run on through each window, told all but the starts: how truly
             the scheduler is modelled
    ladder   from one to the other, one truth less on each rung

    What is damaged, missing or contradictory in a recording is named; the rest is judged all the
    same.

    \b
    Exit codes: 0 done; 1 nothing could be judged; 2 wrong usage; 5 a bound does
    not hold.
    """  # noqa: D301 - click wants the control character itself, to keep the lines as they are
    order = Order(
        paths=recordings,
        site=load(site_file) if site_file else default(),
        pool=context.with_resource(dask_pool(dask, jobs)) if dask else Processes(jobs),
        progress=teller(sys.stderr),
        window_s=window_s,
        every=every,
        published=published,
    )
    read = read_all(order, modes)
    figures = {mode: complete(MODES[mode](read, order)) for mode in dict.fromkeys(modes)}
    about = [
        recording_figures(name, one.history, one.findings)
        for name, one in zip(names(read), read, strict=True)
    ]
    tell(document(about, figures), json_file, html_file, render_html, render_terminal)
    _judge(figures, bounds or ())


def _judge(figures: Mapping[str, Mapping[str, Any]], bounds: Sequence[Bound]) -> None:
    """Exit with GATE if a bound does not hold."""
    try:
        complaints = check_modes(figures, bounds)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    for complaint in complaints:
        click.echo(plain(f"queuecast: {complaint}"), err=True)
    if complaints:
        sys.exit(GATE)
