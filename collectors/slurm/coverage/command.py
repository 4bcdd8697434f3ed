"""`queuecast config coverage`: which of a Slurm's settings are replicated, and which are not."""

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import click

from collectors import commands
from collectors.capture import Gaps, once_read, runs_of
from collectors.commands import TIMEOUT_S, Run
from collectors.slurm import questions
from collectors.slurm.coverage.catalogue import Verdict, catalogue
from collectors.slurm.coverage.changed import Changes, changes
from collectors.slurm.coverage.findings import Said, judged
from collectors.slurm.coverage.report import Coverage, report, sheet, whole, whole_report
from collectors.slurm.coverage.told import QUESTIONS, columns, in_dump, in_table, scope_of, told
from collectors.slurm.coverage.written import beside, written
from collectors.slurm.files.conf import load
from collectors.slurm.files.dump import is_dump
from predictor.cli.exits import DONE
from predictor.cli.terminal import plain
from predictor.errors import SourceError
from predictor.lml import read as read_lml

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
LONGEST_TABLE = 64 * 2**20


@click.command()
@click.option("--slurm-conf", "conf", type=FILE, metavar="FILE", help="Read a slurm.conf.")
@click.option(
    "--sacctmgr",
    "tables",
    type=FILE,
    multiple=True,
    metavar="FILE",
    help="Besides, what `sacctmgr -P show qos` or `show assoc` printed, or a dump.",
)
@click.option(
    "--against",
    type=FILE,
    metavar="FILE.lml",
    help="With --slurm-conf: tell what it would change of this snapshot.",
)
@click.option("--live", is_flag=True, help="Ask this machine's Slurm; the default.")
@click.option("--capture", type=FOLDER, metavar="FOLDER", help="Read a recorded capture.")
@click.option("--all", "everything", is_flag=True, help="Print the whole catalogue; ask nobody.")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def coverage(
    conf: Path | None,
    tables: tuple[Path, ...],
    against: Path | None,
    live: bool,
    capture: Path | None,
    everything: bool,
    as_json: bool,
) -> None:
    """Tell which of Slurm's settings count, which not, and why.

    Each is replicated, approximated or ignored.

    Exit codes: 0 told; 1 the settings cannot be read.
    """
    if sum((conf is not None, live, capture is not None, everything)) > 1:
        raise click.UsageError("--slurm-conf, --live, --capture and --all exclude each other")
    if against is not None and conf is None:
        raise click.UsageError("--against goes with --slurm-conf")
    if everything:
        known = catalogue()
        lines = [json.dumps(whole_report(known), indent=2)] if as_json else whole(known)
    else:
        found = _covered(conf, capture, tables)
        if conf is not None and against is not None:
            found = replace(found, changes=changes_of(conf, against))
        lines = [json.dumps(report(found), indent=2)] if as_json else map(plain, sheet(found))
    for line in lines:
        click.echo(line)
    sys.exit(DONE)


def _covered(conf: Path | None, capture: Path | None, tables: tuple[Path, ...]) -> Coverage:
    if conf is not None:
        found = of_files(conf)
    else:
        printed, failed = recorded(capture) if capture is not None else asked(commands.run)
        origin = str(capture) if capture is not None else "this machine's Slurm, by its commands"
        found = of_answers(origin, printed, failed)
    return with_tables(found, {str(path): _text(path) for path in tables})


def of_files(path: Path) -> Coverage:
    """Return the coverage of a slurm.conf and what lies beside it. Raises SourceError."""
    conf = load(path)
    return Coverage(
        origin=", ".join(conf.files[:3]) + (", …" if len(conf.files) > 3 else ""),
        findings=judged((*written(conf), *beside(path.parent)), catalogue()),
        remarks=tuple(map(str, conf.remarks)),
    )


def changes_of(conf: Path, snapshot: Path) -> Changes:
    """Return what a slurm.conf would change of a snapshot in a file. Raises QueuecastError."""
    return changes(load(conf), read_lml(snapshot.read_bytes(), place=str(snapshot)).snapshot)


def of_answers(origin: str, printed: Mapping[str, str], failed: Mapping[str, str]) -> Coverage:
    """Return the coverage of a controller's answers. Raises SourceError without its settings."""
    if questions.CONFIG.name not in printed:
        why = failed.get(questions.CONFIG.name, "not recorded")
        raise SourceError(f"{questions.CONFIG.command}: {why}")
    tables = [printed[q.name] for q in (questions.QOS, questions.ASSOCIATIONS) if q.name in printed]
    return Coverage(
        origin=origin,
        findings=judged(told(printed), catalogue()),
        untold=untold(tables),
        remarks=tuple(f"{name}: {why}" for name, why in failed.items()),
    )


def with_tables(found: Coverage, texts: Mapping[str, str]) -> Coverage:
    """Return the coverage with what sacctmgr printed or dumped, by the file's name."""
    said: list[Said] = []
    remarks: list[str] = []
    for place, text in texts.items():
        if is_dump(text):
            more, strange = in_dump(text, place)
            said += more
            remarks += strange
        else:
            said += in_table(text, place)
    shown = [text for text in texts.values() if not is_dump(text)]
    return replace(
        found,
        findings=(*found.findings, *judged(said, catalogue())),
        untold={**found.untold, **untold(shown)},
        remarks=(*found.remarks, *remarks),
    )


def untold(tables: list[str]) -> dict[str, list[str]]:
    """Return, by scope, which settings that matter the tables have no column for."""
    shown = {scope_of(text): {word.lower() for word in columns(text)} for text in tables}
    ours = Verdict.IGNORED, Verdict.APPROXIMATED
    lost = [ruling for ruling in catalogue() if ruling.verdict in ours]
    found = {
        scope: [r.name for r in lost if r.scope == scope and r.name.lower() not in there]
        for scope, there in shown.items()
    }
    return {scope: names for scope, names in found.items() if names}


def asked(run: Run) -> tuple[dict[str, str], dict[str, str]]:
    """Return what Slurm's commands print about its settings, and why others do not."""
    printed: dict[str, str] = {}
    failed: dict[str, str] = {}
    for question in QUESTIONS:
        try:
            answer = run(question.argv, TIMEOUT_S)
            question.refuse(answer)
            printed[question.name] = answer.output
        except SourceError as error:
            if question == questions.TOPOLOGY:
                continue  # it is an error that there is none
            failed[question.name] = str(error).removeprefix(f"{question.command}: ")
    return printed, failed


def recorded(folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Return the answers in a capture: those recorded once, else the first of each."""
    wanted = {question.name for question in QUESTIONS}
    printed = {name: text for name, text in once_read(folder).items() if name in wanted}
    for name, text in _first_runs(folder):
        if name in wanted:
            printed.setdefault(name, text)
    return printed, {}


def _first_runs(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield what was printed at the first instant; nothing if that cannot be read."""
    first = None
    try:
        for run in runs_of(folder, Gaps()):
            first = run.snap if first is None else first
            if run.snap != first:
                return
            if run.rc == 0:
                yield run.name, run.printed
    except SourceError:
        return


def _text(path: Path) -> str:
    """Return a table's text. Raises SourceError."""
    with path.open("rb") as file:
        content = file.read(LONGEST_TABLE + 1)
    if len(content) > LONGEST_TABLE:
        raise SourceError(f"{path}: more than {LONGEST_TABLE} bytes")
    return content.decode(errors="replace")
