"""Schedulers that go through all who wait and start whoever fits: nobody has a reservation."""

from collections import deque
from typing import Final

from verification.experiments.course import Queued
from verification.experiments.machine import Machine
from verification.experiments.schedulers.protocol import Floor, Scheduler
from verification.experiments.schedulers.sizes import Order, Sizes

EVERYBODY: Final = 0


class FcfsBestFit(Scheduler):
    """First come, first served; while the first does not fit, whoever fits best starts instead.

    That is who asks for most cores of those who fit, of equal ones the first submitted. Large jobs
    may starve. No public definition was found; this one is ours.
    """

    def __init__(self, machine: Machine) -> None:
        self._sizes = Sizes(_by_rank)
        self._order: deque[Queued] = deque()
        self._passed: set[int] = set()
        """Those in the order who wait no longer."""

    def submit(self, queued: Queued, floor: Floor) -> bool:
        """Let a job wait."""
        self._sizes.add(EVERYBODY, queued)
        self._order.append(queued)
        return True

    def dispatch(self, floor: Floor) -> None:
        """Start the first as long as it fits, then whoever fits best, one after the other."""
        while self._order:
            head = self._order[0]
            if head.rank in self._passed:
                self._passed.remove(head.rank)
            elif floor.fits(head):
                self._start(head, floor)
            else:
                break
            self._order.popleft()
        while fitting := [queued for _, queued in self._sizes.fitting()]:
            best = max(fitting, key=lambda one: (one.units * one.shape.cores, -one.rank))
            self._start(best, floor)
            self._passed.add(best.rank)

    def _start(self, queued: Queued, floor: Floor) -> None:
        self._sizes.take(EVERYBODY, queued)
        floor.start(queued)

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return self._sizes.count


class PriorityRule(Scheduler):
    """Who is most overdue first, whoever does not fit is passed.

    Overdue is the wait so far as a multiple of what the job's queue is expected to wait; of equal
    ones the smallest goes first, by cores times expected run time. Source: the rule of the Eurora
    supercomputer, A. Borghesi et al., Power Capping in High Performance Computing Systems, CP 2015,
    as AccaSim has it; that adds up amounts of all resources where cores count here.
    """

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._sizes = Sizes(lambda queued: (queued.job.submit_s, queued.planned_s, queued.rank))

    def submit(self, queued: Queued, floor: Floor) -> bool:
        """Let a job wait."""
        self._sizes.add(queued.job.queue, queued)
        return True

    def dispatch(self, floor: Floor) -> None:
        """Start who is most overdue of those who fit, one after the other."""
        while fitting := list(self._sizes.fitting()):
            queue, queued = min(fitting, key=lambda one: self._order(one[1], floor.now_s))
            self._sizes.take(queue, queued)
            floor.start(queued)

    def _order(self, queued: Queued, now_s: int) -> tuple[float, int, int]:
        job = queued.job
        # One second more, so that of those just submitted the queue decides.
        waited_s = now_s - job.submit_s + 1
        overdue = waited_s / self._machine.queue(job.queue).expected_wait_s
        return -overdue, queued.units * queued.shape.cores * queued.planned_s, queued.rank

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return self._sizes.count


class MultiQueue(Scheduler):
    """The queues by their priority, of equal ones the smaller number first; each first come.

    The blocked first of a queue stops its queue only: what it leaves free serves those behind.
    """

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._queues: dict[int, deque[Queued]] = {}
        self._order: list[int] = []

    def submit(self, queued: Queued, floor: Floor) -> bool:
        """Let a job wait in its queue."""
        number = queued.job.queue
        if number not in self._queues:
            self._queues[number] = deque()
            first = self._machine.queue
            self._order = sorted(self._queues, key=lambda one: (-first(one).priority, one))
        self._queues[number].append(queued)
        return True

    def dispatch(self, floor: Floor) -> None:
        """Start the first of each queue as long as it fits."""
        for number in self._order:
            queue = self._queues[number]
            while queue and floor.fits(queue[0]):
                floor.start(queue.popleft())

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return sum(map(len, self._queues.values()))


def _by_rank(queued: Queued) -> Order:
    return (queued.rank,)
