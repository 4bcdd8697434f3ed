"""How commands read what is bounded, and tell what came of it."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar

import click

from predictor.outfile import replace_file
from verification.report.as_json import render_json

Value = TypeVar("Value")
Report = TypeVar("Report", bound=Mapping[str, Any])


class Parsed(click.ParamType[Value], Generic[Value]):
    """What a function makes of a word; it raises ValueError if it cannot."""

    def __init__(self, name: str, parse: Callable[[str], Value]) -> None:
        self.name = name
        self._parse = parse

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Value:
        """Return what was parsed; fails as click does."""
        try:
            return self._parse(str(value))
        except ValueError as error:
            self.fail(str(error))


def tell(
    report: Report,
    json_file: Path | None,
    html_file: Path | None,
    page: Callable[[Report], str],
    text: Callable[[Report, int], str],
) -> None:
    """Write a report where it is asked for: `-` is JSON alone, to stdout; else text goes there."""
    if html_file is not None:
        replace_file(html_file, page(report).encode(errors="replace"))
    if str(json_file) == "-":
        click.echo(render_json(report), nl=False)
        return
    if json_file is not None:
        replace_file(json_file, render_json(report).encode())
    click.echo(text(report, shutil.get_terminal_size().columns), nl=False)
