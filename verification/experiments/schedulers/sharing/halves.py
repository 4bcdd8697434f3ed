"""Which halves of nodes are taken, and by whom."""

from collections.abc import Iterable, Iterator, Sequence

from verification.experiments.course import Queued, Running
from verification.experiments.machine import CORE, Machine
from verification.experiments.state import Places

BOTH = 2
"""Halves that a node has."""


class Halves:
    """Nodes as two halves each. A job has halves of its nodes, or all of them for itself."""

    def __init__(self, machine: Machine) -> None:
        self.cores = machine.column(CORE)
        self.half = [cores // BOTH for cores in self.cores]
        self.on: list[list[Running]] = [[] for _ in self.cores]
        """By node: who runs there."""
        self._taken = [0] * len(self.cores)
        self._whole: set[Running] = set()
        """Who has whole nodes."""

    def take(self, running: Running, whole: bool) -> None:
        """Take note that a job runs, on halves or on `whole` nodes."""
        if whole:
            self._whole.add(running)
        for node, _ in running.places:
            self.on[node].append(running)
            self._taken[node] += self._held(running)

    def give(self, running: Running) -> None:
        """Take note that a job runs no longer."""
        for node, _ in running.places:
            self.on[node].remove(running)
            self._taken[node] -= self._held(running)
        self._whole.discard(running)

    def _held(self, running: Running) -> int:
        return BOTH if running in self._whole else 1

    @property
    def idle_cores(self) -> int:
        """The cores of halves that nobody has."""
        spare = (self.cores[n] * (BOTH - taken) for n, taken in enumerate(self._taken))
        return sum(spare) // BOTH

    def too_wide(self, queued: Queued) -> bool:
        """Return whether all halves, one of each node, are not enough for a job."""
        return queued.units > sum(self.half)

    def open(self) -> Iterator[int]:
        """Yield the nodes with a half that nobody has."""
        return (node for node, taken in enumerate(self._taken) if taken < BOTH)

    def idle(self) -> Iterator[int]:
        """Yield the nodes on which nobody runs."""
        return (node for node, taken in enumerate(self._taken) if not taken)

    def places(self, nodes: Iterable[int], units: int, whole: bool) -> Places | None:
        """Return places for so many units on these nodes, in this order; None: they lack room."""
        room = self.cores if whole else self.half
        places = []
        for node in nodes:
            if room[node]:
                places.append((node, min(units, room[node])))
                units -= places[-1][1]
            if units <= 0:
                return places
        return None

    def opens_s(self, units: int, whole: bool, running: Sequence[Running]) -> int | None:
        """Return when there is room for so many units, as `running` is expected to end.

        In seconds; None: never. Whom a job likes to be beside does not count.
        """
        taken = list(self._taken)
        room, most = (self.cores, 0) if whole else (self.half, BOTH - 1)
        left = units - sum(room[node] for node, many in enumerate(taken) if many <= most)
        for one in sorted(running, key=lambda one: one.expected_end_s):
            for node, _ in one.places:
                before = taken[node]
                taken[node] -= self._held(one)
                if before > most >= taken[node]:
                    left -= room[node]
            if left <= 0:
                return one.expected_end_s
        return None
