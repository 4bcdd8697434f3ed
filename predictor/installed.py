"""What is installed, by its kind: sources and identifiers, ours and those that a site adds."""

from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from predictor.domain import Source
from predictor.domain.identifier import IDENTIFIERS, Identifier
from predictor.domain.source import SOURCES
from predictor.errors import QueuecastError, SiteError


def kinds(group: str = SOURCES) -> tuple[str, ...]:
    """Return the kinds of all installed sources, or of another group, in order."""
    return tuple(sorted(entry_points(group=group).names))


def source_of(kind: str, settings: Mapping[str, object]) -> Source:
    """Return the installed source of that kind. Raises SiteError.

    Its own refusals come through as they are. Whatever else goes wrong in it is told in one line:
    a source may be anybody's code.
    """
    source: Source = _made(SOURCES, "source", kind, settings, "observe")
    return source


def identifier_of(kind: str, settings: Mapping[str, object]) -> Identifier:
    """Return the installed identifier of that kind. Raises SiteError, as for sources."""
    identifier: Identifier = _made(IDENTIFIERS, "identifier", kind, settings, "name")
    return identifier


def _made(group: str, what: str, kind: str, settings: Mapping[str, object], method: str) -> Any:
    found = tuple(entry_points(group=group, name=kind))
    if not found:
        raise SiteError(f"no {what} {kind!r} is installed; there are {', '.join(kinds(group))}")
    try:
        made = found[0].load()(settings)
    except QueuecastError:
        raise
    except Exception as error:
        raise _fault(what, kind, found[0], f"{type(error).__name__}: {error}") from error
    if not callable(getattr(made, method, None)):
        told = f"it makes a {type(made).__name__} without {method}()"
        raise _fault(what, kind, found[0], told)
    return made


def _fault(what: str, kind: str, entry: EntryPoint, cause: str) -> SiteError:
    return SiteError(f"{what} {kind!r} ({entry.value}) cannot be used: {cause}")
