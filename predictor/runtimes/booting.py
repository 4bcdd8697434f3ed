"""How long jobs really wait for nodes that sleep to save power: far less than they might have to.

Source: Slurm 22.05, job_config_fini, as measured: a job's start is told anew once its nodes have
booted; until then it is when they were given to it.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple, Self

from predictor.domain import RunningJob, RunState, Snapshot
from predictor.domain.durations import DAY_S
from predictor.errors import StorageError

MOST_KEPT = 64
"""So many of the latest waits tell how long the next ones will be."""
MOST_WAITING = 65_536
LONGEST_S = DAY_S
"""Longer ones are not believed."""


class Begun(NamedTuple):
    """A run whose start was told anew. Instants are UTC epoch seconds."""

    job_id: str
    told_at: int
    """The start that was told first."""
    began_at: int
    woke: bool
    """Whether a node of its was asleep when it was first seen, or at the look before."""


class Beginnings:
    """Finds in snapshots, in order, who began to run once its nodes had booted."""

    def __init__(self) -> None:
        self._waits: dict[str, tuple[int, bool]] = {}
        """By id of the record: the start first told, and whether a node was asleep."""
        self._slept: frozenset[str] = frozenset()
        """The nodes that were asleep at the last look."""

    def see(self, snapshot: Snapshot) -> Iterator[Begun]:
        """Yield who began, by this snapshot, of those that an earlier one showed waiting."""
        for waiting in snapshot.pending:
            self._waits.pop(waiting.spec.id, None)
        asleep = frozenset(node.name for node in snapshot.nodes if node.asleep)
        for job in snapshot.running:
            yield from self.settle(job.spec.id, job.started_at)
            if job.state is RunState.CONFIGURING and job.spec.id not in self._waits:
                # A node that answers again is awake, though those on it may have to wait still.
                self._waits[job.spec.id] = job.started_at, _is_on(job, asleep | self._slept)
        self._slept = asleep
        while len(self._waits) > MOST_WAITING:
            del self._waits[next(iter(self._waits))]

    def settle(self, job_id: str, started_at: int) -> Iterator[Begun]:
        """Yield the job if it waited for nodes, and is now told to have started later."""
        told_at, woke = self._waits.get(job_id, (started_at, False))
        if started_at > told_at:
            del self._waits[job_id]
            yield Begun(job_id, told_at, started_at, woke)


def _is_on(job: RunningJob, nodes: Iterable[str]) -> bool:
    return any(share.node in nodes for share in job.allocation)


class Boots:
    """Learns from snapshots in order how long nodes took to boot of late."""

    def __init__(self) -> None:
        self._beginnings = Beginnings()
        self._took_s: deque[int] = deque(maxlen=MOST_KEPT)

    def learn(self, snapshot: Snapshot) -> None:
        """Take in who waited for nodes that slept, and how long, by what this snapshot tells."""
        over = {job.spec.id: job.started_at for job in snapshot.finished}
        found = list(self._beginnings.see(snapshot))
        for id_, started_at in over.items():
            if started_at is not None:
                found += self._beginnings.settle(id_, started_at)
        for one in found:
            took_s = one.began_at - one.told_at
            if one.woke and took_s <= LONGEST_S:
                self._took_s.append(took_s)

    def takes_s(self, u: float) -> int | None:
        """Return how long the next will take with a chance of `u` in [0, 1); None: nobody knows."""
        ordered = sorted(self._took_s)
        return ordered[int(u * len(ordered))] if ordered else None

    def state(self) -> list[int]:
        """Return what JSON can hold of all that was learned."""
        return list(self._took_s)

    @classmethod
    def restored(cls, state: object) -> Self:
        """Return what had been learned when `state` was told. Raises StorageError."""
        if not isinstance(state, list) or not all(
            isinstance(took_s, int) and 0 < took_s <= LONGEST_S for took_s in state
        ):
            raise StorageError("not the state of nodes that boot")
        found = cls()
        found._took_s.extend(state)
        return found
