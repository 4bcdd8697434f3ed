"""`queuecast collect` and `queuecast doctor`."""

import json
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

import click
from click.core import ParameterSource

from collectors import capture
from collectors.doctor import Findings, examine, report, sheet
from collectors.sitefile import asked_for
from collectors.slurm.source import KIND
from predictor.cli.exits import DONE, FAILED
from predictor.cli.terminal import plain
from predictor.clock import Clock, SystemClock
from predictor.domain import Source
from predictor.errors import SourceError
from predictor.installed import source_of
from predictor.lml import write
from predictor.outfile import replace_file

SHORTEST_PERIOD_S = 10
"""Looking more often would burden the batch system's controller for nothing."""


@click.command()
@click.option("--once", is_flag=True, help="Look once; the default.")
@click.option(
    "--every",
    type=click.IntRange(min=SHORTEST_PERIOD_S),
    metavar="SECONDS",
    help=f"Look again and again, {SHORTEST_PERIOD_S} s apart at least.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Replace FILE with each snapshot; default: standard output.",
    metavar="FILE",
)
@click.option("--source", "kind", default=KIND, show_default=True, help="An installed source.")
@click.option("--path", help="What that source reads, if it reads a file or folder.")
@click.option(
    "--set",
    "given",
    multiple=True,
    metavar="KEY=VALUE",
    help="Another key of that source, as in a site file.",
)
@click.option(
    "--capture",
    "folder",
    type=click.Path(exists=True, file_okay=False),
    help="Read a recorded capture instead.",
)
def collect(
    once: bool,
    every: int | None,
    output: Path | None,
    kind: str,
    path: str | None,
    given: tuple[str, ...],
    folder: str,
) -> None:
    """Look at the cluster and write what is there as LML."""
    if once and every is not None:
        raise click.UsageError("--once and --every exclude each other")
    source = capture.from_settings({"path": folder}) if folder else _source(kind, path, given)
    _deliver(source, output)
    if every is not None:
        _go_on(source, output, every, SystemClock())


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
@click.option(
    "--site",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Examine the source that this site file asks for.",
)
@click.option("--source", "kind", default=KIND, show_default=True, help="An installed source.")
@click.option(
    "--set", "given", multiple=True, metavar="KEY=VALUE", help="A key of that source, as in a site."
)
@click.pass_context
def doctor(
    context: click.Context, as_json: bool, site: Path | None, kind: str, given: tuple[str, ...]
) -> None:
    """Look at the cluster once; tell what can be seen and what not.

    Also as whom, and at which cost. Without options, that is this machine's Slurm by its commands.
    """
    if site is not None and (given or _is_given(context, "kind")):
        raise click.UsageError("--site names the source: no --source and --set beside it")
    source = _source(kind, None, given) if site is None else source_of(*asked_for(site, KIND))
    findings = examine(source)
    lines = [json.dumps(report(findings), indent=2)] if as_json else map(plain, sheet(findings))
    for line in lines:
        click.echo(line)
    sys.exit(_verdict(findings))


def _is_given(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is not ParameterSource.DEFAULT


def _verdict(findings: Findings) -> int:
    return DONE if findings.snapshot is not None else FAILED


def _source(kind: str, path: str | None, given: Iterable[str]) -> Source:
    """Return the installed source of that kind. Raises SiteError."""
    settings: dict[str, object] = {} if path is None else {"path": path}
    return source_of(kind, settings | dict(map(_setting, given)))


def _setting(given: str) -> tuple[str, object]:
    """Return key and value; a value that is none in TOML is a text."""
    key, equals, value = given.partition("=")
    if not equals:
        raise click.UsageError(f"--set {given}: expected KEY=VALUE")
    try:
        return key, tomllib.loads(f"value = {value}")["value"]
    except (ValueError, RecursionError):
        return key, value


def _go_on(source: Source, output: Path | None, every: int, clock: Clock) -> None:
    """Look again at each multiple of the period; one failure does not end it."""
    due = clock.monotonic()
    while True:
        due = max(due + every, clock.monotonic())
        clock.sleep(max(0.0, due - clock.monotonic()))
        try:
            _deliver(source, output)
        except SourceError as error:
            click.echo(f"queuecast: {plain(str(error))}", err=True)


def _deliver(source: Source, output: Path | None) -> None:
    document = write(source.observe().snapshot)
    if output is None:
        click.echo(document, nl=False)
    else:
        try:
            replace_file(output, document)
        except OSError as error:
            raise SourceError(f"{output}: {error.strerror}") from error
