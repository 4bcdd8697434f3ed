"""`queuecast lml`: what can be said about an LML document without predicting anything."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import BinaryIO

import click

from predictor.cli.exits import DONE, FAILED
from predictor.cli.terminal import plain
from predictor.lml import Finding, Report
from predictor.lml import check as check_document
from predictor.lml.guard import MOST_BYTES

SCHEMA = "queuecast.lml-check/1"


@click.group()
def lml() -> None:
    """Look at LML documents."""


@lml.command()
@click.argument("file", type=click.File("rb"))
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def check(file: BinaryIO, as_json: bool) -> None:
    """Tell what is wrong with an LML document, and what is in it.

    Exit code 0: no errors (there may be warnings); 1: errors.
    """
    # One byte more than allowed is enough to see that it is too long.
    report = check_document(file.read(MOST_BYTES + 1), place=file.name)
    if as_json:
        click.echo(json.dumps({"schema": SCHEMA, **_body(report)}, indent=2))
    else:
        for line in _lines(report):
            click.echo(plain(line))
    sys.exit(FAILED if report.errors else DONE)


def _body(report: Report) -> dict[str, object]:
    return asdict(report) | {"counters": dict(report.counters)}


def _lines(report: Report) -> Iterator[str]:
    for severity, findings in (("error", report.errors), ("warning", report.warnings)):
        for finding in findings:
            yield f"{_where(report, finding)}: {severity}: {_what(finding)}"
    for name, count in report.counters:
        yield f"{name}  {count}"
    yield f"{_total(report.errors)} errors, {_total(report.warnings)} warnings"


def _where(report: Report, finding: Finding) -> str:
    return report.place if finding.line is None else f"{report.place}:{finding.line}"


def _what(finding: Finding) -> str:
    times = f" ({finding.count} times)" if finding.count > 1 else ""
    return f"{finding.text}{times} [{finding.rule}]"


def _total(findings: tuple[Finding, ...]) -> int:
    return sum(finding.count for finding in findings)
