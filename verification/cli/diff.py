"""`queuecast diff`: what a proposed change would have done to recorded days."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

import click

from predictor.cli.exits import GATE
from predictor.cli.terminal import plain
from predictor.errors import SiteError, SourceError, StorageError
from verification.changes.proposal import Proposal, Wishes, both_sides, proposal
from verification.cli.jobs import JOBS
from verification.cli.progress import teller
from verification.cli.told import REPORT, Parsed, tell
from verification.diff.draws import Case, Draw, draws
from verification.diff.figures import document
from verification.diff.gate import EXAMPLE, Bound, complaints, parse
from verification.diff.page import render_html
from verification.diff.terminal import render_terminal
from verification.online.several import names
from verification.parallel import Processes
from verification.recorded import Recorded, read_recording
from verification.trials.trial import Recounted, recount

FILE = click.Path(dir_okay=False, path_type=Path)
MOST_DRAWS = 1000
Result = TypeVar("Result")


@click.command()
@click.argument(
    "recordings",
    nargs=-1,
    required=True,
    metavar="RECORDING...",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
@click.option("--base", "base", type=FILE, multiple=True, metavar="FILE", help="As it is set up.")
@click.option("--new", "new", type=FILE, multiple=True, metavar="FILE", help="As is proposed.")
@click.option(
    "--reservation",
    "reservations",
    multiple=True,
    metavar="start=…,duration=…,nodes=…",
    help="A maintenance; start may be +13h from the recording's begin.",
)
@click.option(
    "--add-nodes", multiple=True, metavar="'NEW like OLD'", help="Further nodes: n[9-12] like n1."
)
@click.option("--remove-nodes", multiple=True, metavar="NODES", help="Nothing starts there.")
@click.option(
    "--draws",
    "count",
    type=click.IntRange(1, MOST_DRAWS),
    default=20,
    show_default=True,
    help="So often both are tried, each time with other luck.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Of the first draw.")
@click.option("--json", "json_file", type=REPORT, metavar="FILE", help="All figures; -: to stdout.")
@click.option("--html", "html_file", type=REPORT, metavar="FILE", help="A page for the ticket.")
@click.option(
    "--fail-on",
    "bounds",
    type=Parsed("bounds", parse),
    metavar="BOUNDS",
    help=f"Such as {EXAMPLE}; exit with {GATE} if one does not hold.",
)
@JOBS
def diff(
    recordings: Sequence[Path],
    base: tuple[Path, ...],
    new: tuple[Path, ...],
    reservations: tuple[str, ...],
    add_nodes: tuple[str, ...],
    remove_nodes: tuple[str, ...],
    count: int,
    seed: int,
    json_file: Path | None,
    html_file: Path | None,
    bounds: tuple[Bound, ...] | None,
    jobs: int,
) -> None:
    """Try a change on recorded days; tell who would wait longer.

    It is also told who would wait less, and how sure that is. A FILE is a slurm.conf or a piece of
    one, what `sacctmgr -P show qos` or `show assoc` printed, a dump of sacctmgr, or a site file;
    several may be given. What it does not name stays as it was recorded. Without --base the
    recording's own configuration is the base.

    \b
    Exit codes: 0 done; 1 no recording can be read; 2 wrong usage, or a file
    that makes no sense; 5 a bound does not hold.
    """  # noqa: D301 - click wants the control character itself, to keep the lines as they are
    wishes = Wishes(
        base=base,
        new=new,
        reservations=reservations,
        add_nodes=add_nodes,
        remove_nodes=remove_nodes,
    )
    if not (base or new or reservations or add_nodes or remove_nodes):
        raise click.UsageError("nothing is proposed: see --new, --reservation, --add-nodes")
    _understood(lambda: both_sides(wishes))
    pool = Processes(jobs)
    read = [read_recording(path, pool, teller(sys.stderr)) for path in recordings]
    recounted = [_recounted(name, one) for name, one in zip(names(read), read, strict=True)]
    proposed = _understood(lambda: [proposal(wishes, one.snapshot) for one in recounted])
    cases = [
        Case(recorded=one, base=made.base, new=made.new)
        for one, made in zip(recounted, proposed, strict=True)
    ]
    found = _drawn(cases, range(seed, seed + count), pool)
    told = document(found, recounted, _told(proposed), version("queuecast"))
    try:
        failed = None if bounds is None else complaints(told, bounds)
    except ValueError as error:
        tell(told, json_file, html_file, render_html, render_terminal)
        raise click.UsageError(str(error)) from error
    tell(told, json_file, html_file, partial(render_html, complaints=failed), render_terminal)
    for complaint in failed or ():
        click.echo(plain(f"queuecast: {complaint}"), err=True)
    if failed:
        sys.exit(GATE)


def _recounted(name: str, one: Recorded) -> Recounted:
    for finding in one.findings:
        click.echo(plain(f"queuecast: {name}: {finding}"), err=True)
    first, last = one.history.snapshots[0], one.history.snapshots[-1]
    if first is last:
        raise StorageError(f"{one.path}: one snapshot alone tells nothing of what happened")
    if first.fingerprint != last.fingerprint:
        told = f"{name}: its configuration changed meanwhile; that of its begin counts"
        click.echo(plain(f"queuecast: {told}"), err=True)
    return recount(name, one.history)


def _understood(read: Callable[[], Result]) -> Result:
    """Return what is read; what makes no sense is wrong usage."""
    try:
        return read()
    except (SiteError, SourceError) as error:
        raise click.UsageError(plain_lines(str(error))) from error


def plain_lines(text: str) -> str:
    """Return lines as they may be shown."""
    return "\n".join(map(plain, text.splitlines()))


def _told(proposed: Sequence[Proposal]) -> Proposal:
    """Return the proposal with the words of all recordings, each once."""
    words = dict.fromkeys(word for one in proposed for word in one.words)
    aside = dict.fromkeys(word for one in proposed for word in one.without_effect)
    return replace(proposed[0], words=tuple(words), without_effect=tuple(aside))


def _drawn(cases: Sequence[Case], seeds: range, pool: Processes) -> Sequence[Draw]:
    tell, found = teller(sys.stderr), []
    for draw in draws(cases, seeds, pool):
        found.append(draw)
        tell("trying", len(found), len(seeds) * len(cases))
    return found
