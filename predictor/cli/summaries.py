"""What a subcommand is for, in a line, told without running the modules it is made of."""

import ast
from importlib.abc import InspectLoader
from importlib.metadata import EntryPoint
from importlib.util import find_spec

import click


def summary(entry: EntryPoint, columns: int) -> str | None:
    """Return what the docstring of the command's function begins with, in at most so many columns.

    It is what click shows in a list of commands, read from the source: to import all of them takes
    seconds. None if the entry point's module does not define a function with a docstring there.
    """
    for node in ast.parse(_source(entry.module)).body:
        if isinstance(node, ast.FunctionDef) and node.name == entry.attr:
            told = ast.get_docstring(node)
            return click.Command(None, help=told).get_short_help_str(columns) if told else None
    return None


def _source(module: str) -> str:
    """Return the module's source; an empty one if it has none to be read."""
    spec = find_spec(module)
    if spec is None or not isinstance(spec.loader, InspectLoader):
        return ""
    return spec.loader.get_source(module) or ""
