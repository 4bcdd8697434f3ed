"""The interface between the daemon and whatever lets it look at a cluster."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from predictor.domain.job import FinishedJob
from predictor.domain.provenance import Quarantined
from predictor.domain.snapshot import Snapshot
from predictor.errors import SourceError


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One question put to the batch system, and what it cost."""

    name: str
    duration_s: float
    size_bytes: int
    ok: bool = True
    kind: str = ""
    """Why it failed: `timeout`, `format` or `unreachable`; empty: it did not, or who knows."""


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


TakeEnded = Callable[[Sequence[FinishedJob]], object]
"""Is handed jobs that are over, a few at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """How a question about the past went; the jobs themselves were handed on meanwhile."""

    calls: tuple[Call, ...] = ()
    quarantined: tuple[Quarantined, ...] = ()
    error: SourceError | None = None
    """Why the answer is missing, or incomplete."""


@runtime_checkable
class Accounting(Protocol):
    """What a source may be, besides: one that remembers for long who has ended."""

    @property
    def past_s(self) -> float:
        """How far back it may be asked; 0: it must not be asked at all."""
        ...

    def ended(self, since: int, until: int, take: TakeEnded) -> Told:
        """Hand on who ended at `since` or later and before `until`, in any order.

        Each run of a job on its own. Bounded in time, size and memory: an answer that is too long
        is an error, SourceOverflow. Raises what `take` raises, at once.
        """
        ...


SourceFactory = Callable[[Mapping[str, object]], Source]
"""Makes a source from the `[source]` table of a site file, less its `kind`. Raises SiteError.

Registered under the entry-point group `SOURCES`, by kind.
"""

SOURCES = "queuecast.sources"
