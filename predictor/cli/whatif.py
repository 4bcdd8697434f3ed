"""`queuecast whatif` and `queuecast fit`: when jobs would start that nobody has submitted."""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from predictor.cli.client import Client
from predictor.cli.exits import DONE, NO_FORECAST, STALE
from predictor.cli.meeting import usual_url
from predictor.cli.params import DEADLINE
from predictor.cli.request import job_options, of_script, shape
from predictor.cli.sbatch import directives
from predictor.cli.terminal import plain
from predictor.cli.timeformat import time_format, time_limit
from predictor.domain.durations import duration
from predictor.domain.instants import instant_of

SCRIPT = click.Path(exists=True, dir_okay=False, path_type=Path)
HELP = {"help_option_names": ["--help"]}
LIMITS_S = (1800, 3600, 7200, 14_400, 28_800, 43_200, 86_400)
MOST_NODES = 16
SOON_S = 600
"""As good as now."""
GRID_DRAWS = 10
UNLIKELY = 0.5
"""Chances below are not worth a number."""
COLUMN = 9


@click.command(context_settings=HELP)
@click.argument("script", required=False, type=SCRIPT)
@job_options
@click.option("-j", "--instead-of", metavar="JOBID", help="Change this waiting job of yours.")
@click.option("--by", type=DEADLINE, metavar="TIME", help="Also the chance to start by then.")
@click.option("-M", "--cluster", help="The cluster, where several are served.")
@click.option("--json", "as_json", is_flag=True, help="The daemon's answer as JSON.")
@click.option("--url", envvar="QUEUECAST_URL", default=usual_url, help="The daemon's address.")
def whatif(
    script: Path | None,
    instead_of: str | None,
    by: int | None,
    cluster: str | None,
    as_json: bool,
    url: str,
    **given: Any,
) -> None:
    """Tell when a job would start if you submitted it now. Nothing is submitted.

    Options are those of sbatch; from a SCRIPT its #SBATCH lines are read, and options win. What
    of them bears on the start but is not counted here, such as --array, is named.

    \b
    Exit codes: 0 answered; 1 refused, or the daemon cannot be reached; 2 wrong usage; 3 answered,
    but from old data; 4 it would never start, or nothing can be said.
    """  # noqa: D301 - click keeps paragraphs that begin with a backspace as they are
    asked = shape((_of(script) if script else {}) | _told(given))
    if instead_of is not None:
        asked["instead_of"] = instead_of
    question: dict[str, Any] = {"shapes": [asked]}
    answer = _ask(url, cluster, question | _until(by))
    if as_json:
        click.echo(json.dumps(answer, indent=2))
    else:
        for line in _lines(answer["shapes"][0], by):
            click.echo(plain(line))
    sys.exit(_verdict(answer))


@click.command(context_settings=HELP)
@job_options
@click.option(
    "--max-nodes",
    type=click.IntRange(1, 10**6),
    default=MOST_NODES,
    show_default=True,
    help="The largest size tried.",
)
@click.option("--before", type=DEADLINE, metavar="TIME", help="Chances by then, not waits.")
@click.option("--now", is_flag=True, help=f"The chances to start within {SOON_S // 60} min.")
@click.option("-M", "--cluster", help="The cluster, where several are served.")
@click.option("--json", "as_json", is_flag=True, help="The daemon's answer as JSON.")
@click.option("--url", envvar="QUEUECAST_URL", default=usual_url, help="The daemon's address.")
def fit(
    max_nodes: int,
    before: int | None,
    now: bool,
    cluster: str | None,
    as_json: bool,
    url: str,
    **given: Any,
) -> None:
    """Tell which sizes and limits of a job would start soonest.

    How long each would wait is told in a table: rows are nodes, columns limits. Other options of
    sbatch hold for all of them.

    \b
    Exit codes: 0 answered; 1 refused, or the daemon cannot be reached; 2 wrong usage; 3 answered,
    but from old data; 4 none would ever start, or nothing can be said.
    """  # noqa: D301 - click keeps paragraphs that begin with a backspace as they are
    if now and before is not None:
        raise click.UsageError("--now and --before exclude each other")
    until = round(time.time()) + SOON_S if now else before
    base = {k: v for k, v in shape(given).items() if k not in ("nodes", "time_limit")}
    sizes = list(_doubled(max_nodes))
    question: dict[str, Any] = {
        "shapes": [
            {**base, "nodes": nodes, "time_limit": time_limit(limit)}
            for nodes in sizes
            for limit in LIMITS_S
        ],
        "draws": GRID_DRAWS,
    }
    answer = _ask(url, cluster, question | _until(until))
    if as_json:
        click.echo(json.dumps(answer, indent=2))
    else:
        for line in _grid(answer, sizes, chances=until is not None):
            click.echo(plain(line))
        for line in _soonest(answer, question["shapes"]):
            click.echo(line)
    sys.exit(_verdict(answer))


def _of(script: Path) -> dict[str, Any]:
    """Return what a script asks for; say on standard error what of it no answer knows."""
    read = of_script(script)
    if read.passed_over:
        names = ", ".join(read.passed_over)
        click.echo(plain(f"queuecast: {script}: not counted in the answer: {names}"), err=True)
    return read.told


def _told(given: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in given.items() if value is not None}


def _doubled(most: int) -> Iterator[int]:
    """Yield 1, 2, 4 … and the most itself."""
    nodes = 1
    while nodes < most and nodes < 2**12:
        yield nodes
        nodes *= 2
    yield most


def _ask(url: str, cluster: str | None, question: Mapping[str, Any]) -> dict[str, Any]:
    with Client(url, patience_s=60) as client:
        return client.what_if(client.cluster(cluster), question)


def _until(by: int | None) -> dict[str, str]:
    return {} if by is None else {"by": str(by)}


def _lines(told: Mapping[str, Any], by: int | None) -> Iterator[str]:
    """Yield the answer for a person."""
    if told["likely_start"] is None:
        yield f"It would not start: {told['detail']}."
        return
    when = time_format(os.environ.get("SLURM_TIME_FORMAT", ""), time.time())
    start = told["likely_start_epoch"]
    yield f"Likely start: {when(start)}, in {duration(max(0, round(start - time.time())))}."
    low, high, sure = (instant_of(told[key]) for key in ("p10", "p90", "by95"))
    yield f"With 80% between {when(low)} and {when(high)}; with 95% by {when(sure)}."
    if told["deadline"] is not None and by is not None:
        yield f"With {told['deadline']['probability']:.0%} by {when(by)}."
    if quality := told["quality"]:
        error, held = duration(quality["typical_error_s"]), f"{quality['coverage80']:.0%}"
        yield f"Of late, {quality['like']}: typical error {error}; 80% windows held {held}."


def _grid(answer: Mapping[str, Any], sizes: Sequence[int], *, chances: bool) -> Iterator[str]:
    """Yield a table: a row for each number of nodes, a column for each limit."""
    cell: Callable[[Mapping[str, Any], int], str] = _chance if chances else _wait
    seen_at = instant_of(answer["snapshot_at"])
    heading = "".join(_short(limit).rjust(COLUMN) for limit in LIMITS_S)
    yield "NODES".rjust(6) + heading
    told = iter(answer["shapes"])
    for nodes in sizes:
        cells = (cell(next(told), seen_at) for _ in LIMITS_S)
        yield str(nodes).rjust(6) + "".join(text.rjust(COLUMN) for text in cells)


def _soonest(answer: Mapping[str, Any], shapes: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the lines of a script for the largest of the shapes that start soonest."""
    starts = [one["likely_start_epoch"] for one in answer["shapes"]]
    known = [at for at in starts if at is not None]
    if known:
        soon = min(known) + SOON_S / 10
        place = max(n for n, at in enumerate(starts) if at is not None and at <= soon)
        yield ""
        yield "The largest of those that start soonest:"
        yield from directives(shapes[place])


def _wait(told: Mapping[str, Any], seen_at: int) -> str:
    if told["likely_start"] is None:
        return "-"
    wait_s = told["likely_start_epoch"] - seen_at
    return "now" if wait_s < SOON_S / 10 else _short(wait_s)


def _short(seconds: int) -> str:
    return duration(seconds).replace(" ", "")


def _chance(told: Mapping[str, Any], _seen_at: int) -> str:
    if told["deadline"] is None:
        return "-"
    chance = told["deadline"]["probability"]
    return "." if chance < UNLIKELY else f"{chance:.0%}"


def _verdict(answer: Mapping[str, Any]) -> int:
    if answer["stale"]:
        click.echo(f"queuecast: stale: the snapshot is {answer['age_seconds']} s old", err=True)
    if all(one["likely_start"] is None for one in answer["shapes"]):
        return NO_FORECAST
    return STALE if answer["stale"] else DONE
