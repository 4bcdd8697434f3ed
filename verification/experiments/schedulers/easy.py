"""EASY backfilling: whoever does not delay the first blocked job may pass it.

Source: A. Mu'alem, D. Feitelson, Utilization, Predictability, Workloads, and User Runtime Estimates
in Scheduling the IBM SP2 with Backfilling, IEEE TPDS 12(6), 2001.
"""

from collections import Counter
from collections.abc import Callable, Iterable

from sortedcontainers import SortedKeyList

from verification.experiments.course import Queued, Running
from verification.experiments.machine import Machine
from verification.experiments.schedulers.lineup import Lineup
from verification.experiments.schedulers.outlook import Counted, outlook
from verification.experiments.schedulers.protocol import Floor, Scheduler


class CountedEasy(Scheduler):
    """EASY where counting units is enough; who may pass is found without trying all."""

    def __init__(self, machine: Machine) -> None:
        self._queue = Lineup()
        self._outlook = Counted()
        self._new = 0
        """So many at the end of the queue have never been looked at."""
        self._released = False

    def submit(self, queued: Queued, floor: Floor) -> bool:
        """Let a job wait."""
        self._queue.add(queued)
        self._new += 1
        return True

    def dispatch(self, floor: Floor) -> None:
        """Start the first as long as it fits, then whoever may pass it, in order.

        As long as nothing is released, none may pass who might not before: only new ones are tried.
        """
        queue, first = self._queue, self._queue.end - self._new
        if self._released or self._new == queue.count:
            first = self._start_heads(floor)
        self._new, self._released = 0, False
        if queue.count:
            self._let_pass(first, floor)

    def _start_heads(self, floor: Floor) -> int:
        """Return the first spot behind the job that is blocked now, with a reservation."""
        queue = self._queue
        while queue.count:
            head = queue.head
            queued = queue.at(head)
            if queued.units > queued.shape.total:
                self._outlook.reserve(queued, floor)
                return head + 1
            self._outlook.started(floor.start(queue.take(head)))
        return queue.end

    def _let_pass(self, spot: int, floor: Floor) -> None:
        queue, outlook = self._queue, self._outlook
        shape, window_s = queue.at(queue.head).shape, outlook.shadow_s - floor.now_s
        spot = queue.next(spot, shape.total, window_s, outlook.extra)
        while spot >= 0:
            outlook.start(queue.take(spot), floor)
            spot = queue.next(spot + 1, shape.total, window_s, outlook.extra)

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return self._queue.count

    def ended(self, running: Running, floor: Floor) -> None:
        """Take note that a job has ended."""
        self._outlook.ended(running)
        self._released = True

    def expects(self, running: Running, before_s: int, floor: Floor) -> None:
        """Take note that a running job is now expected to end at another instant."""
        self._outlook.expects(running, before_s)
        self._released = True


class Passing(Scheduler):
    """EASY whose candidates for passing are tried one after the other, in an order of their own."""

    def __init__(
        self, machine: Machine, order: Callable[[Queued], tuple[int, ...]], *, by_length: bool
    ) -> None:
        """`by_length`: the order is one of how long jobs are expected to run."""
        self._by_length = by_length
        self._sizes: Counter[int] = Counter()
        """How many wait, by their units."""
        self._first: SortedKeyList[Queued, int] = SortedKeyList(key=lambda queued: queued.rank)
        self._tried: SortedKeyList[Queued, tuple[int, ...]] = SortedKeyList(key=order)
        self._outlook = outlook(machine)()
        self._new: list[Queued] = []
        self._released = True

    def submit(self, queued: Queued, floor: Floor) -> bool:
        """Let a job wait."""
        self._released |= not self._first
        self._first.add(queued)
        self._tried.add(queued)
        self._sizes[queued.units] += 1
        self._new.append(queued)
        return True

    def dispatch(self, floor: Floor) -> None:
        """Start the first as long as it fits, then whoever may pass it."""
        candidates: Iterable[Queued] = sorted(self._new, key=self._tried.key)
        if self._released:
            self._start_heads(floor)
            candidates = self._tried
        self._new, self._released = [], False
        if self._first:
            self._let_pass(candidates, floor)

    def _let_pass(self, candidates: Iterable[Queued], floor: Floor) -> None:
        head, fewest, started = self._first[0], min(self._sizes), []
        for queued in candidates:
            if self._by_length and self._outlook.closed_to(queued, fewest, floor):
                break
            if queued is not head and self._outlook.starts(queued, floor):
                started.append(queued)
        for queued in started:
            self._take(queued)

    def _start_heads(self, floor: Floor) -> None:
        while self._first:
            head = self._first[0]
            if not floor.fits(head):
                self._outlook.reserve(head, floor)
                return
            self._outlook.started(floor.start(head))
            self._take(head)

    def _take(self, queued: Queued) -> None:
        self._first.remove(queued)
        self._tried.remove(queued)
        self._sizes[queued.units] -= 1
        if not self._sizes[queued.units]:
            del self._sizes[queued.units]

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return len(self._first)

    def ended(self, running: Running, floor: Floor) -> None:
        """Take note that a job has ended."""
        self._outlook.ended(running)
        self._released = True

    def expects(self, running: Running, before_s: int, floor: Floor) -> None:
        """Take note that a running job is now expected to end at another instant."""
        self._outlook.expects(running, before_s)
        self._released = True


def easy(machine: Machine) -> Scheduler:
    """Return EASY: who may pass is asked in order of submission."""
    if machine.one_kind:
        return CountedEasy(machine)
    return Passing(machine, lambda queued: (queued.rank,), by_length=False)


def easy_sjf(machine: Machine) -> Scheduler:
    """Return EASY where who is expected to run shortest may pass first.

    The reservation is that of the first submitted, as before. Source: the shortest-job-backfilled-
    first order of D. Tsafrir, Y. Etsion, D. Feitelson, IEEE TPDS 18(6), 2007.
    """
    return Passing(machine, lambda queued: (queued.planned_s, queued.rank), by_length=True)
