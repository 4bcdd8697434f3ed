"""Callables in tables whose modules are imported once they are called: a run loads what it uses."""

from collections.abc import Callable
from importlib import import_module
from typing import Any


def later(module: str, name: str, *known: Any) -> Callable[..., Any]:
    """Return what calls `name` of a module, imported then; `known` goes behind other arguments."""

    def call(*arguments: Any) -> Any:
        return getattr(import_module(module), name)(*arguments, *known)

    return call
