"""Schedulers that start the first of a queue as long as it fits, and let nobody pass."""

from collections import deque
from collections.abc import Callable

from sortedcontainers import SortedKeyList

from verification.experiments.course import Queued
from verification.experiments.machine import Machine
from verification.experiments.schedulers.protocol import Floor, Scheduler


class Fcfs(Scheduler):
    """First come, first served."""

    def __init__(self, machine: Machine) -> None:
        self._queue: deque[Queued] = deque()

    def submit(self, queued: Queued, floor: Floor) -> bool:
        """Let a job wait."""
        self._queue.append(queued)
        return True

    def dispatch(self, floor: Floor) -> None:
        """Start the first as long as it fits."""
        queue = self._queue
        while queue and floor.fits(queue[0]):
            floor.start(queue.popleft())

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return len(self._queue)


class InOrder(Scheduler):
    """The first by an order that a job's submission settles."""

    def __init__(self, order: Callable[[Queued], tuple[int, ...]]) -> None:
        self._queue: SortedKeyList[Queued, tuple[int, ...]] = SortedKeyList(key=order)

    def submit(self, queued: Queued, floor: Floor) -> bool:
        """Let a job wait."""
        self._queue.add(queued)
        return True

    def dispatch(self, floor: Floor) -> None:
        """Start the first as long as it fits."""
        queue = self._queue
        while queue and floor.fits(queue[0]):
            floor.start(queue.pop(0))

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return len(self._queue)


def sjf(machine: Machine) -> Scheduler:
    """Return a scheduler whose queue begins with the job expected to run shortest."""
    return InOrder(lambda queued: (queued.planned_s, queued.rank))


def ljf(machine: Machine) -> Scheduler:
    """Return a scheduler whose queue begins with the job expected to run longest."""
    return InOrder(lambda queued: (-queued.planned_s, queued.rank))
