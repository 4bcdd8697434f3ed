"""Whom of many jobs that ended long ago one learns from: some of each kind, not all of one."""

from collections import Counter
from collections.abc import Iterable

from predictor.domain import FinishedJob, JobSpec
from predictor.runtimes.kinds import queue_of, stem_of
from predictor.runtimes.runs import REMEMBERED

MOST_OF_A_USER = 2_000
"""So many of one user's jobs are taken of one answer."""


class Fairness:
    """Keeps of one answer so many jobs of a kind and of a user, the first that come.

    Who never ran tells nothing of run times, and is not kept.
    """

    def __init__(self) -> None:
        self._kinds: Counter[tuple[object, ...]] = Counter()
        self._users: Counter[str] = Counter()

    def of(self, jobs: Iterable[FinishedJob]) -> tuple[FinishedJob, ...]:
        """Return those that are kept of the next ones."""
        return tuple(job for job in jobs if job.started_at is not None and self._keeps(job.spec))

    def _keeps(self, spec: JobSpec) -> bool:
        kind = (spec.user, stem_of(spec), queue_of(spec), spec.request.limit_s)
        if self._kinds[kind] >= REMEMBERED or self._users[spec.user] >= MOST_OF_A_USER:
            return False
        self._kinds[kind] += 1
        self._users[spec.user] += 1
        return True
