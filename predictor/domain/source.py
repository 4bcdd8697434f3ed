"""The interface between the daemon and whatever lets it look at a cluster."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from predictor.domain.snapshot import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One question put to the batch system, and what it cost."""

    name: str
    duration_s: float
    size_bytes: int
    ok: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """A snapshot and the calls it took."""

    snapshot: Snapshot
    calls: tuple[Call, ...] = ()


class Source(Protocol):
    """A way to look at one cluster."""

    def observe(self) -> Observation:
        """Look once. Raises SourceError; must return or raise before its own deadline."""
        ...


SourceFactory = Callable[[Mapping[str, object]], Source]
"""Makes a source from the `[source]` table of a site file, less its `kind`. Raises SiteError.

Registered under the entry-point group `SOURCES`, by kind.
"""

SOURCES = "queuecast.sources"
