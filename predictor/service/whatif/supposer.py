"""What the process does that answers suppositions.

It is told how things stand. What was learned it takes from where the forecasting process keeps
it, some minutes old at most.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from predictor.clock import Clock
from predictor.domain import Forecast, Snapshot
from predictor.errors import StorageError
from predictor.service import memory
from predictor.site import Site
from predictor.suppositions import Supposed, Supposition

if TYPE_CHECKING:
    from predictor.experience import Experience


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """Tells how everything stands from now on."""

    forecast: Forecast
    snapshot: Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """Asks for what would become of jobs."""

    suppositions: tuple[Supposition, ...]
    draws: int | None
    budget_s: float


class Supposer:
    """Answers one question after the other. It is sent to its process before the first."""

    def __init__(self, site: Site, clock: Clock) -> None:
        self._site = site
        self._clock = clock
        self._stand: Stand | None = None
        self._experience: Experience | None = None
        self._kept_at = 0

    def __call__(self, question: Stand | Ask) -> Mapping[str, Supposed]:
        """Return the answers by id; none to a Stand. Raises ValueError for ids that are taken."""
        if isinstance(question, Stand):
            self._stand = question
            return {}
        if self._stand is None:
            return {}
        # Here and not above: the service itself, which asks, never supposes, and so starts sooner.
        from predictor.supposing import suppose

        stand = self._stand
        return suppose(
            question.suppositions,
            stand.forecast,
            stand.snapshot,
            self._site,
            self._learned(stand.snapshot.cluster),
            clock=self._clock,
            budget_s=question.budget_s,
            draws=question.draws,
        )

    def _learned(self, cluster: str) -> "Experience":
        """Return what was learned; nothing where that cannot be read."""
        from predictor.experience import Experience

        file = memory.file_of(self._site.recording.path)
        kept_at = file.stat().st_mtime_ns if file.exists() else 0
        if self._experience is None or kept_at != self._kept_at:
            self._kept_at = kept_at
            try:
                kept = memory.load(file, cluster)
                self._experience = (
                    Experience.of(self._site)
                    if kept is None
                    else Experience.restored(self._site, kept.state)
                )
            except StorageError:
                self._experience = self._experience or Experience.of(self._site)
        return self._experience
