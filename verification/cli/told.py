"""How commands read what is bounded, and tell what came of it."""

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

import click

from predictor.cli.terminal import plain
from predictor.outfile import replace_file
from verification.report.as_json import render_json

WITHOUT_TERMINAL = 120
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


class ReportFile(click.Path):
    """A file to be written once all is worked out; whether it can be is asked before."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | os.PathLike[str]:
        """Return the path; fails as click does where its folder takes no file."""
        path, folder = Path(os.fsdecode(value)), Path(os.fsdecode(value)).parent
        # A pipe of the shell's lies in a folder that takes no file.
        replaced = path.is_file() or not path.exists()
        if replaced and not (folder.is_dir() and os.access(folder, os.W_OK)):
            self.fail(f"{plain(str(folder))!r} is no folder that can be written to", param, ctx)
        return super().convert(value, param, ctx)


REPORT = ReportFile()


def tell(
    report: Report,
    json_file: Path | None,
    html_file: Path | None,
    page: Callable[[Report], str],
    text: Callable[[Report, int], str],
) -> None:
    """Write a report where it is asked for: `-` is JSON alone, to stdout; else text goes there.

    What was worked out for hours is not lost to a file that cannot be written: the rest is told
    before OSError is raised.
    """
    failed: list[OSError] = []
    if html_file is not None:
        failed += _kept(html_file, page(report).encode(errors="replace"))
    if str(json_file) == "-":
        click.echo(render_json(report), nl=False)
    else:
        if json_file is not None:
            failed += _kept(json_file, render_json(report).encode())
        click.echo(text(report, width()), nl=False)
    if failed:
        raise failed[0]


def width() -> int:
    """Return how wide text may be; room for whole names where there is no terminal to fit."""
    return shutil.get_terminal_size((WITHOUT_TERMINAL, 24)).columns


def _kept(path: Path, content: bytes) -> Sequence[OSError]:
    """Write a file; return what was in the way."""
    try:
        replace_file(path, content)
    except OSError as error:
        return (error,)
    return ()
