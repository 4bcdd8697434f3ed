"""`queuecast experiment`: schedulers, allocators and durations on workload traces."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from predictor.cli.exits import FAILED
from predictor.cli.terminal import plain
from predictor.outfile import replace_file
from predictor.priority.suggestion import suggestion
from verification.cli.jobs import JOBS
from verification.cli.progress import teller
from verification.cli.told import width
from verification.experiments.allocators import ALLOCATORS
from verification.experiments.cell import stem_of
from verification.experiments.crossed import Failed, Work, crossed, made
from verification.experiments.document import document, render_terminal
from verification.experiments.durations import DURATIONS
from verification.experiments.machine import Machine, alike
from verification.experiments.ready_made import ready_made
from verification.experiments.schedulers import APART, SCHEDULERS
from verification.report.as_json import render_json

FILE = click.Path(dir_okay=False, path_type=Path)
WIDEST = 10**6


class Names(click.ParamType[tuple[str, ...]]):
    """Names divided by commas. Which of them are known is seen later."""

    name = "names"

    def __init__(self, known: Iterable[str]) -> None:
        self.known = tuple(known)

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Return each name once; `all` stands for all that were given as such."""
        names = [name.strip() for name in str(value).split(",") if name.strip()]
        if not names:
            self.fail("no name given")
        return self.known if names == ["all"] else tuple(dict.fromkeys(names))


@click.command()
@click.argument("traces", nargs=-1, required=True, metavar="TRACE...", type=FILE)
@click.option(
    "--machine",
    "machine_name",
    metavar="FILE|NAME",
    help=f"A TOML file, or one of {', '.join(ready_made())}. By default as the header tells.",
)
@click.option("--nodes", type=click.IntRange(1, WIDEST), help="Its nodes, of so many cores each.")
@click.option("--cores", type=click.IntRange(1, WIDEST), help="The cores of each node.")
@click.option(
    "--schedulers",
    type=Names(name for name in SCHEDULERS if name not in APART),
    default="fcfs,easy",
    show_default=True,
    help=f"Of {', '.join(SCHEDULERS)}; or all, without ideal ones and co-schedulers.",
)
@click.option(
    "--allocators",
    type=Names(ALLOCATORS),
    default="first-fit",
    show_default=True,
    help=f"Of {', '.join(ALLOCATORS)}; or all.",
)
@click.option(
    "--durations",
    type=Names(DURATIONS),
    default="limit",
    show_default=True,
    help=f"What schedulers expect: of {', '.join(DURATIONS)}; or all.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="Of what is left to chance.",
)
@JOBS
@click.option(
    "--out",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Each result as a JSON file, as soon as it is there, and the pictures as SVG.",
)
@click.option("--swf-out", is_flag=True, help="Write each schedule as a trace, too; needs --out.")
@click.option("--json", "json_file", type=FILE, metavar="FILE", help="All figures; -: to stdout.")
@click.option("--html", "html_file", type=FILE, metavar="FILE", help="One page with plots.")
def experiment(
    traces: Sequence[Path],
    machine_name: str | None,
    nodes: int | None,
    cores: int | None,
    schedulers: Sequence[str],
    allocators: Sequence[str],
    durations: Sequence[str],
    seed: int,
    jobs: int,
    folder: Path | None,
    swf_out: bool,
    json_file: Path | None,
    html_file: Path | None,
) -> None:
    """Replay each TRACE under many schedulers and allocators.

    Traces are of the Standard Workload Format, also compressed by gzip. Every scheduler is tried
    with every allocator and all durations, and compared. What is wrong with a trace, a name or a
    process is named; the rest is done all the same.

    \b
    Exit codes: 0 done; 1 something came to nothing; 2 wrong usage.
    """  # noqa: D301 - click wants the control character itself, to keep the lines as they are
    if swf_out and folder is None:
        raise click.UsageError("--swf-out needs --out")
    stems = [stem_of(trace) for trace in traces]
    if twice := next((one for one in stems if stems.count(one) > 1), None):
        raise click.UsageError(f"two traces are called {plain(twice)}")
    machine = _machine(machine_name, nodes, cores)
    tables = ((schedulers, SCHEDULERS), (allocators, ALLOCATORS), (durations, DURATIONS))
    unknown = [words for names, table in tables for words in _unknown(names, table)]
    for words in unknown:
        click.echo(f"queuecast: {plain(words)}: left out", err=True)
    known = [[name for name in names if name in table] for names, table in tables]
    cells = crossed(traces, *known, machine=machine, seed=seed)
    if not cells:
        raise click.UsageError("nothing is left to try")
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    found, unwritten = _made(cells, Work(folder=folder if swf_out else None), jobs, folder)
    unwritten += _tell(found, folder, json_file, html_file)
    for words in unwritten:
        click.echo(f"queuecast: {plain(words)}", err=True)
    if unknown or unwritten or found["failed"]:
        sys.exit(FAILED)


def _machine(name: str | None, nodes: int | None, cores: int | None) -> Machine | None:
    if name is not None and (nodes or cores):
        raise click.UsageError("give either --machine, or --nodes and --cores")
    if (nodes is None) != (cores is None):
        raise click.UsageError("--nodes and --cores go together")
    if nodes is not None and cores is not None:
        return alike(nodes, cores)
    if name is None:
        return None
    from verification.experiments.machine_file import load_machine

    return load_machine(name)


def _unknown(names: Sequence[str], table: Mapping[str, object]) -> list[str]:
    return [f"{name} is unknown{suggestion(name, table)}" for name in names if name not in table]


def _made(
    cells: Sequence[Any], work: Work, jobs: int, folder: Path | None
) -> tuple[dict[str, Any], list[str]]:
    """Make the experiments, writing each result at once; return all, and what was not written."""
    done: dict[str, dict[str, Any]] = {}
    failed: list[Failed] = []
    unwritten: list[str] = []
    tell = teller(sys.stderr)
    for number, (cell, result) in enumerate(made(cells, work, jobs), start=1):
        if isinstance(result, Failed):
            failed.append(result)
        else:
            done[cell.name] = result
            if folder is not None:
                path = folder / f"{cell.name}.json"
                unwritten += _written(path, render_json(result).encode())
        tell("experiments", number, len(cells))
    in_order = [done[cell.name] for cell in cells if cell.name in done]
    return document(in_order, failed), unwritten


def _tell(
    found: Mapping[str, Any], folder: Path | None, json_file: Path | None, html_file: Path | None
) -> list[str]:
    """Tell what was found in all ways asked for; return what could not be written."""
    unwritten = []
    # What draws is not loaded before: it would be in the memory of all that is measured.
    from verification.experiments.page import pictures, render_html

    if folder is not None and found["cells"]:
        for name, picture in pictures(found).items():
            unwritten += _written(folder / f"{name}.svg", picture.encode(errors="replace"))
    if html_file is not None:
        unwritten += _written(html_file, render_html(found).encode(errors="replace"))
    if str(json_file) == "-":
        click.echo(render_json(found), nl=False)
        return unwritten
    if json_file is not None:
        unwritten += _written(json_file, render_json(found).encode())
    click.echo(render_terminal(found, width()), nl=False)
    return unwritten


def _written(path: Path, content: bytes) -> list[str]:
    """Write a file; return why that was not possible, nothing if it was."""
    try:
        replace_file(path, content)
    except OSError as error:
        return [f"{error.filename}: {error.strerror}"]
    return []
