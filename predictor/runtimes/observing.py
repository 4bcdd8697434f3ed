"""Tell of each job that is over once, however many snapshots still show it."""

from collections.abc import Iterable, Mapping
from typing import Self

from predictor.domain import FinishedJob, Partition, Snapshot
from predictor.domain.defaults import longest_s
from predictor.errors import StorageError
from predictor.runtimes.ended import Ended

MOST_KEPT = 65_536
"""So many jobs that were told of are remembered: those seen last."""

Told = tuple[str, int]
"""A job's id, and when that run of it ended."""


class Observing:
    """Which jobs were told of already, and how long who runs has stood still.

    Remembers `MOST_KEPT` jobs, and of those that run the suspended ones of the last snapshot.
    """

    def __init__(self) -> None:
        self._told: dict[Told, None] = {}
        self._stood_s: dict[str, int] = {}

    @classmethod
    def restored(cls, state: object) -> Self:
        """Return what once gave this `state`. Raises StorageError if nothing ever does."""
        found = cls()
        try:
            told, stood = state["told"], state["stood"]  # type: ignore[index]
            found._told = {(str(id_), int(at)): None for id_, at in told}
            found._stood_s = {str(id_): int(still_s) for id_, still_s in stood}
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise StorageError(f"not the state of jobs that are over: {error}") from error
        return found

    def state(self) -> Mapping[str, object]:
        """Return all of it as JSON can write it."""
        return {
            "told": [list(told) for told in self._told],
            "stood": [list(stood) for stood in self._stood_s.items()],
        }

    def new(self, snapshot: Snapshot) -> tuple[Ended, ...]:
        """Return who ran and is over and was not told of before, in the order of their ends.

        A job that never started did not run. One that was sent back and ran again is told of
        anew, of a job of several components the first only. Time it stood still is not counted
        as far as it was seen standing still; its limit is the one it ended with, or what its
        partition allows where that is less.
        """
        ended = self.told(snapshot.finished, snapshot.partitions)
        self._stood_s = {
            job.spec.id: job.suspended_s for job in snapshot.running if job.suspended_s
        }
        return ended

    def told(
        self, finished: Iterable[FinishedJob], partitions: Iterable[Partition]
    ) -> tuple[Ended, ...]:
        """Return the same of jobs that somebody else tells of, in these partitions."""
        by_name = {partition.name: partition for partition in partitions}
        over = [job for job in finished if _ran(job) and self._is_new(job)]
        over.sort(key=lambda job: (job.ended_at, job.spec.id))
        return tuple(self._ended(job, by_name) for job in over)

    def _is_new(self, job: FinishedJob) -> bool:
        told = (job.spec.id, job.ended_at)
        new = told not in self._told
        self._told.pop(told, None)
        self._told[told] = None
        while len(self._told) > MOST_KEPT:
            del self._told[next(iter(self._told))]
        return new

    def _ended(self, job: FinishedJob, partitions: Mapping[str, Partition]) -> Ended:
        spec, partition = job.spec, partitions.get(job.spec.first_partition)
        stood_s = self._stood_s.get(spec.id, 0)
        return Ended(
            spec=spec,
            run_s=job.ended_at - (job.started_at or 0) - stood_s,
            limit_s=longest_s(spec.request, partition),
            ended_at=job.ended_at,
            outcome=job.outcome,
        )


def _ran(job: FinishedJob) -> bool:
    return job.started_at is not None and not (job.spec.het and job.spec.het.offset)
