"""`queuecast verify`: how wrong the predictions are, and why, by recordings."""

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from predictor.cli.exits import GATE
from predictor.cli.params import AGE
from predictor.cli.terminal import plain
from predictor.domain.instants import rfc3339
from predictor.outfile import replace_file
from predictor.site import default, load
from verification.cli.modes import MODES, Order
from verification.cli.progress import teller
from verification.clusters import dask_pool
from verification.gate import Bound, check_modes, parse_gate
from verification.parallel import Processes
from verification.recorded import Recorded

SCHEMA = "queuecast.verify/1"
FILE = click.Path(dir_okay=False, path_type=Path)


class Gate(click.ParamType[tuple[Bound, ...]]):
    """Bounds such as `mae=30m,coverage80=0.75`."""

    name = "bounds"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[Bound, ...]:
        """Return the bounds; fails as click does."""
        try:
            return parse_gate(str(value))
        except ValueError as error:
            self.fail(str(error))


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
@click.option("--window", "window_s", type=AGE, default="6h", show_default=True)
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
@click.option("--json", "json_file", type=FILE, metavar="FILE", help="All figures; -: to stdout.")
@click.option(
    "--fail-over",
    "bounds",
    type=Gate(),
    default=(),
    metavar="BOUNDS",
    help=f"Such as mae=30m,coverage80=0.75; exit with {GATE} if one does not hold.",
)
@click.option(
    "--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, help="Processes at a time."
)
@click.option(
    "--dask",
    metavar="ADDRESS|local|slurm",
    help="Work on a Dask cluster, which must see the recordings at the same paths.",
)
def verify(
    recordings: Sequence[Path],
    modes: Sequence[str],
    window_s: int,
    site_file: Path | None,
    every: int,
    published: bool,
    json_file: Path | None,
    bounds: tuple[Bound, ...],
    jobs: int,
    dask: str | None,
) -> None:
    """Judge the predictions by what happened in each RECORDING.

    \b
    online   at each snapshot everybody is asked when the waiting jobs start,
             knowing only what had been received by then: what users get
    replica  run on through each window, told all but the starts: how truly
             the scheduler is modelled

    Standard error names what is damaged, missing or contradictory in the recordings; the rest is
    judged all the same.

    \b
    Exit codes: 0 done; 1 nothing could be judged; 2 wrong usage; 5 a bound does
    not hold.
    """  # noqa: D301 - click wants the control character itself, to keep the lines as they are
    order = Order(
        paths=recordings,
        site=load(site_file) if site_file else default(),
        pool=dask_pool(dask, jobs) if dask else Processes(jobs),
        progress=teller(sys.stderr),
        window_s=window_s,
        every=every,
        published=published,
    )
    outcomes = {mode: MODES[mode](order) for mode in dict.fromkeys(modes)}
    read = next(read for read, _ in outcomes.values())
    figures = {mode: found for mode, (_, found) in outcomes.items()}
    report = {"schema": SCHEMA, "recordings": [_about(one) for one in read], "modes": figures}
    _tell(report, json_file)
    _judge(figures, bounds)


def _tell(report: Mapping[str, Any], json_file: Path | None) -> None:
    for recording in report["recordings"]:
        for finding in recording["findings"]:
            click.echo(plain(f"{recording['name']}: {finding}"), err=True)
    text = json.dumps(report, indent=2) + "\n"
    if str(json_file) == "-":
        click.echo(text, nl=False)
        return
    if json_file is not None:
        replace_file(json_file, text.encode())
    for figures in report["modes"].values():
        click.echo("\n".join(_table(figures)))


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


def _about(recorded: Recorded) -> Mapping[str, object]:
    instants = recorded.history.instants
    return {
        "name": recorded.path.name,
        "cluster": recorded.history.snapshots[0].cluster,
        "snapshots": len(instants),
        "from": rfc3339(instants[0]),
        "to": rfc3339(instants[-1]),
        "findings": list(recorded.findings),
    }


def _table(figures: Mapping[str, Any]) -> Iterator[str]:
    names = ("answered", "mae_s", "median_abs_s", "p90_abs_s", "bias_s", "within_600s")
    yield f"{'':<14}" + "".join(f"{name:>14}" for name in names)
    for who, row in {"ours": figures, **figures.get("baselines", {})}.items():
        shown = ("-" if row[name] is None else f"{row[name]:.4g}" for name in names)
        yield f"{who:<14}" + "".join(f"{one:>14}" for one in shown)
