"""`queuecast sweep`: try many settings on the same recordings or traces."""

import json
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path

import click

from predictor.cli.exits import FAILED, GATE
from predictor.cli.params import AGE
from predictor.cli.terminal import plain
from predictor.clock import SystemClock
from predictor.outfile import replace_file
from verification.cli.jobs import JOBS
from verification.cli.progress import teller
from verification.cli.told import tell
from verification.sweep.crews import Crew, Work, dask_crew, local_crew
from verification.sweep.drawing import Wanted, picture_of
from verification.sweep.folder import GRID, MANIFEST, Seen, look, owned
from verification.sweep.grid import Grid, load_grid
from verification.sweep.gridfile import MOST_DRAWS
from verification.sweep.known import KINDS
from verification.sweep.manifest import Named, looked_at, named
from verification.sweep.page import render_html
from verification.sweep.picture import Window
from verification.sweep.repeating import repeat as repeat_point
from verification.sweep.runs import Run
from verification.sweep.state import Phase, state_of
from verification.sweep.sweeping import Order
from verification.sweep.sweeping import sweep as carry_out
from verification.sweep.terminal import render_state, render_terminal
from verification.sweep.working import check_all

FILE = click.Path(dir_okay=False, path_type=Path)
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
MOST_RUNS = 10_000
FOLLOW_S = 2.0

Command = Callable[..., None]


class WithDefault(click.Group):
    """A group of commands; what names none of them is a grid."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the arguments name, `run` with all of them if they name none."""
        named_ = self.get_command(ctx, args[0]) is not None
        return super().resolve_command(ctx, args if named_ else ["run", *args])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Leave options to `run` where they come first."""
        if args and args[0] != "--help" and args[0].startswith("-"):
            args = ["run", *args]
        return super().parse_args(ctx, args)


class Ended:
    """Notes what a person or a batch system sends to end us; the second time it is done at once.

    Nothing is raised at the first: raised while a process is copied, it may go unnoticed.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._by = ""

    def why(self) -> str:
        """Return a sentence; empty if nobody wants us to end."""
        if not self._by:
            return ""
        return f"stopped by {self._by}; `queuecast sweep resume {self._folder}` goes on"

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Note it, as long as this lasts."""
        before = {one: signal.signal(one, self._note) for one in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)

    def _note(self, number: int, frame: object) -> None:
        if self._by:
            raise KeyboardInterrupt
        self._by = signal.Signals(number).name


def working(command: Command) -> Command:
    """Add the options that say who makes the runs, and where the report goes."""
    for option in (
        click.option("--html", "html_file", type=FILE, metavar="FILE", help="One page with plots."),
        click.option(
            "--json", "json_file", type=FILE, metavar="FILE", help="All figures; -: to stdout."
        ),
        click.option(
            "--dask",
            metavar="ADDRESS|local|slurm",
            help="Work on a Dask cluster, which must see the inputs at the same paths.",
        ),
        JOBS,
        click.option("--force", is_flag=True, help=f"Also more than {MOST_RUNS:,} runs."),
    ):
        command = option(command)
    return command


@click.group(cls=WithDefault, invoke_without_command=False)
def sweep() -> None:
    """Try each combination of the settings in a GRID. All have the same recordings or traces.

    \b
    queuecast sweep GRID [INPUT...]    run, or go on where it was left
    queuecast sweep status FOLDER      how far is it?

    What was finished is safe whatever happens: the same command again goes on.
    """  # noqa: D301 - click wants the control character itself, to keep the lines as they are


@sweep.command()
@click.argument("grid", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument(
    "inputs",
    nargs=-1,
    metavar="[RECORDING|TRACE]...",
    type=click.Path(exists=True, path_type=Path),
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="What was found is kept here; else in GRID.sweep, without the grid's suffix.",
)
@click.option("--draws", type=click.IntRange(1, MOST_DRAWS), help="Instead of the grid's.")
@working
def run(
    grid: Path,
    inputs: Sequence[Path],
    out: Path | None,
    draws: int | None,
    jobs: int,
    dask: str | None,
    force: bool,
    json_file: Path | None,
    html_file: Path | None,
) -> None:
    """Run all that a GRID asks for, as `queuecast sweep GRID` does.

    Exit codes: 0 done; 1 some runs failed, or it was stopped; 2 wrong usage.
    """
    loaded = load_grid(grid, KINDS, draws)
    folder = out or Path(f"{grid.stem}.sweep")
    found = named(loaded, inputs)
    _run(loaded, found, folder, jobs, dask, force, json_file, html_file)


@sweep.command()
@click.argument("folder", type=FOLDER)
@working
def resume(
    folder: Path,
    jobs: int,
    dask: str | None,
    force: bool,
    json_file: Path | None,
    html_file: Path | None,
) -> None:
    """Go on with the sweep in FOLDER, on the inputs it was begun with."""
    seen, loaded = _begun(folder)
    inputs = seen.manifest["inputs"]
    found = [Named(path=Path(one["path"]), role=one["role"]) for one in inputs]
    _run(loaded, found, folder, jobs, dask, force, json_file, html_file)


@sweep.command()
@click.argument("folder", type=FOLDER)
@click.option("--follow", is_flag=True, help="Until it has ended.")
@click.option("--json", "as_json", is_flag=True, help="As a JSON object.")
def status(folder: Path, follow: bool, as_json: bool) -> None:
    """Tell how far the sweep in FOLDER is, wherever it runs."""
    clock, before = SystemClock(), 0
    while True:
        state = state_of(look(folder), clock.now())
        if as_json:
            text = json.dumps({"schema": "queuecast.sweep-state/1", **asdict(state)}) + "\n"
        else:
            text = render_state(state, shutil.get_terminal_size().columns)
        if before and sys.stdout.isatty():
            click.echo(f"\x1b[{before}A\x1b[J", nl=False)
        click.echo(text, nl=False)
        before = text.count("\n")
        if not follow or state.phase is not Phase.RUNNING:
            return
        clock.sleep(FOLLOW_S)


@sweep.command()
@click.argument("folder", type=FOLDER)
@click.argument("point", type=click.IntRange(1))
def repeat(folder: Path, point: int) -> None:
    """Make the runs of POINT again, and compare them to the bit.

    Exit codes: 0 all came out the same; 1 cannot be repeated; 5 one did not.
    """
    told = repeat_point(*_begun(folder), point)
    for one in told.notes:
        click.echo(plain(one), err=True)
    for line in told.lines:
        click.echo(plain(line))
    if not told.same:
        sys.exit(GATE)


@sweep.command()
@click.argument("folder", type=FOLDER)
@click.argument("point", type=click.IntRange(1))
@click.option(
    "--against",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="The point that it is drawn beside.",
)
@click.option("--input", "input_name", metavar="NAME", help="On which input; else the first.")
@click.option("--seed", type=int, help="By which seed; else the first.")
@click.option("--from", "since_s", type=AGE, help="Where job by job begins; else where most wait.")
@click.option(
    "--length", "length_s", type=AGE, default="1d", show_default=True, help="How much of it."
)
@click.option(
    "--html", "html_file", type=FILE, required=True, metavar="FILE", help="The page to be drawn."
)
def picture(
    folder: Path,
    point: int,
    against: int,
    input_name: str | None,
    seed: int | None,
    since_s: int | None,
    length_s: int,
    html_file: Path,
) -> None:
    """Draw a run of POINT beside one of another. Shown are queue, use, and who runs where."""
    wanted = Wanted(point=point, against=against, input=input_name, seed=seed)
    window = Window(since_s=since_s, length_s=length_s)
    page = picture_of(*_begun(folder), wanted, window)
    replace_file(html_file, page.encode(errors="replace"))


def _begun(folder: Path) -> tuple[Seen, Grid]:
    """Return what the folder shows, and the grid that it was begun with."""
    seen = look(folder)
    return seen, load_grid(
        folder / GRID, KINDS, int(seen.manifest["seeds"]["draws"]), Path(seen.manifest["folder"])
    )


def _run(
    grid: Grid,
    found: Sequence[Named],
    folder: Path,
    jobs: int,
    dask: str | None,
    force: bool,
    json_file: Path | None,
    html_file: Path | None,
) -> None:
    runs = len(grid.points) * len(found) * grid.file.draws
    click.echo(plain(_beforehand(grid, found, runs, folder)), err=True)
    if runs > MOST_RUNS and not force:
        raise click.UsageError(f"{runs:,} runs are more than {MOST_RUNS:,}: --force makes them")
    inputs = looked_at(grid.kind, found)
    if not (folder / MANIFEST).exists():
        check_all(grid, inputs)
    clock, ended = SystemClock(), Ended(folder)
    order = Order(
        grid=grid,
        inputs=inputs,
        crew=partial(_crew, jobs, dask),
        clock=clock,
        progress=teller(sys.stderr),
        warn=_warn,
        stop=ended.why,
    )
    with ended.noted(), owned(folder, clock) as own:
        report = carry_out(order, own)
    tell(report, json_file, html_file, render_html, render_terminal)
    if report["runs"]["failed"]:
        sys.exit(FAILED)


def _beforehand(grid: Grid, found: Sequence[Named], runs: int, folder: Path) -> str:
    most = "at most " if grid.file.optimise else ""
    return (
        f"{len(grid.points):,} points on {len(found)} inputs, {grid.file.draws} draws of each:"
        f" {most}{runs:,} runs of kind {grid.kind.name}, kept in {folder}"
    )


def _crew(jobs: int, dask: str | None, work: Work[Run]) -> AbstractContextManager[Crew]:
    return dask_crew(work, dask, jobs) if dask else local_crew(work, jobs)


def _warn(sentence: str) -> None:
    over = "\r\x1b[K" if sys.stderr.isatty() else ""
    click.echo(f"{over}{plain(sentence)}", err=True)
