"""`queuecast config`: check a site file, show what is in effect, print the schema."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn, TypeVar

import click

from predictor.cli import LazyGroup
from predictor.cli.exits import FAILED
from predictor.cli.terminal import plain
from predictor.errors import SiteError
from predictor.service.sources import source_faults
from predictor.site import Site, default, load
from predictor.site.load import checked
from predictor.site.write import effective, to_toml

T = TypeVar("T")

FILE = click.Path(path_type=Path)


class ConfigGroup(LazyGroup):
    """What is said here, and what others add about the batch systems they know."""

    entry_group = "queuecast.config"


@click.group(cls=ConfigGroup)
def config() -> None:
    """Check and show site files; tell which settings count."""


@config.command()
@click.argument("file", type=FILE)
def check(file: Path) -> None:
    """Say whether FILE is right, or everything that is wrong in it."""
    site, wrong = _told(lambda: checked(file))
    if wrong := (*wrong, *source_faults(site, file)):
        _end("\n".join(wrong))
    click.echo(f"{plain(str(file))}: right")


@config.command()
@click.argument("file", type=FILE, required=False)
@click.option("--json", "as_json", is_flag=True, help="JSON instead of TOML.")
def show(file: Path | None, as_json: bool) -> None:
    """Show the values in effect under FILE, or under an empty one."""
    values = effective(_read(file) if file else default())
    click.echo(json.dumps(values, indent=2) if as_json else to_toml(values), nl=as_json)


@config.command()
def schema() -> None:
    """Print the JSON Schema of site files."""
    click.echo(json.dumps(Site.model_json_schema(), indent=2))


def _read(file: Path) -> Site:
    return _told(lambda: load(file))


def _told(step: Callable[[], T]) -> T:
    """Return what `step` returns; tell what is wrong line by line and end if it raises."""
    try:
        return step()
    except SiteError as error:
        _end(str(error))


def _end(wrong: str) -> NoReturn:
    for line in wrong.splitlines():
        click.echo(plain(line), err=True)
    sys.exit(FAILED)
