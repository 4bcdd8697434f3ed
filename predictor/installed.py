"""The sources that are installed, by their kind: ours, and those that a site adds of its own."""

from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points

from predictor.domain import Source
from predictor.domain.source import SOURCES
from predictor.errors import QueuecastError, SiteError


def kinds() -> tuple[str, ...]:
    """Return the kinds of all installed sources, in order."""
    return tuple(sorted(entry_points(group=SOURCES).names))


def source_of(kind: str, settings: Mapping[str, object]) -> Source:
    """Return the installed source of that kind. Raises SiteError.

    Its own refusals come through as they are. Whatever else goes wrong in it is told in one line:
    a source may be anybody's code.
    """
    found = tuple(entry_points(group=SOURCES, name=kind))
    if not found:
        raise SiteError(f"no source {kind!r} is installed; there are {', '.join(kinds())}")
    try:
        source: Source = found[0].load()(settings)
    except QueuecastError:
        raise
    except Exception as error:
        raise _fault(kind, found[0], f"{type(error).__name__}: {error}") from error
    if not callable(getattr(source, "observe", None)):
        raise _fault(kind, found[0], f"it makes a {type(source).__name__} without observe()")
    return source


def _fault(kind: str, entry: EntryPoint, cause: str) -> SiteError:
    return SiteError(f"source {kind!r} ({entry.value}) cannot be used: {cause}")
