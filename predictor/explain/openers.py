"""Whose end made room for a job."""

from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import NamedTuple

from predictor.explain.occupants import Occupant
from predictor.scheduling.machine import Machine, Vector, covers, numbers

Amounts = Callable[[int], Vector]
Test = Callable[[Vector], bool]
"""Whether somebody has room beside what is taken."""


class Stay(NamedTuple):
    """Somebody holds something for a while."""

    start_at: int
    end_at: int
    what: int
    """How much: a shape's number, or the amount itself."""
    occupant: Occupant


class Held:
    """The stays on one thing, and so what is taken of it at any time."""

    def __init__(self, stays: Iterable[Stay], amounts: Amounts) -> None:
        """`amounts` tells, for what a stay holds, how much that is; 0 must mean nothing."""
        self._stays = sorted(stays, key=lambda stay: stay.end_at)
        self._ends = [stay.end_at for stay in self._stays]
        self._amounts = amounts
        self._by_start: list[Stay] | None = None

    def last_before(self, at: int, now: int) -> Stay | None:
        """Return the stay that ended last, by `at`; None if none did after `now`."""
        place = bisect_right(self._ends, at) - 1
        return self._stays[place] if place >= 0 and self._ends[place] > now else None

    def taken(self, at: int, nothing: Vector, *, running: bool = False) -> Vector:
        """Return what is taken just after `at`; `running`: by jobs that run already."""
        present = (
            self._amounts(stay.what)
            for stay in self._stays
            if stay.start_at <= at < stay.end_at and not (running and stay.occupant.waits)
        )
        return tuple(map(sum, zip(nothing, *present, strict=True)))

    def opener(self, at: int, now: int, nothing: Vector, roomy: Test) -> Stay | None:
        """Return the stay whose end made room for one who starts `at`.

        None if there has been room since `now`. Walks back from `at`, stay by stay.
        """
        if self.last_before(at, now) is None:
            return None
        begun = self._begun()
        next_start = bisect_right(begun, at, key=lambda stay: stay.start_at) - 1
        next_end = bisect_right(self._ends, at) - 1
        taken = self.taken(at, nothing)
        while next_end >= 0 and (instant := self._ends[next_end]) > now:
            while next_start >= 0 and begun[next_start].start_at >= instant:
                taken = less(taken, self._amounts(begun[next_start].what))
                next_start -= 1
            last = self._stays[next_end]
            while next_end >= 0 and self._ends[next_end] == instant:
                taken = _more(taken, self._amounts(self._stays[next_end].what))
                next_end -= 1
            if not roomy(taken):
                return last
        return None

    def _begun(self) -> list[Stay]:
        if self._by_start is None:
            self._by_start = sorted(self._stays, key=lambda stay: stay.start_at)
        return self._by_start


def less(a: Vector, b: Vector) -> Vector:
    """Return the difference, amount by amount."""
    return tuple(x - y for x, y in zip(a, b, strict=True))


def _more(a: Vector, b: Vector) -> Vector:
    return tuple(x + y for x, y in zip(a, b, strict=True))


class Tenants:
    """Who holds which node when."""

    def __init__(self, machine: Machine, occupants: Iterable[Occupant]) -> None:
        self._machine = machine
        # The first of the amounts is how many hold something of the node.
        self._nothing = (0, *(0 for _ in (machine.capacity or ((0, 0),))[0]))
        stays: list[list[Stay]] = [[] for _ in machine.nodes]
        for occupant in occupants:
            for holding in occupant.held:
                stay = Stay(holding.start_at, holding.end_at, holding.shape, occupant)
                for node in numbers(holding.nodes):
                    stays[node].append(stay)
        self._nodes = [Held(of_one, self._taken_of(i)) for i, of_one in enumerate(stays)]
        self._rooms: dict[tuple[int, int], int] = {}

    def opener(self, node: int, shape: int, at: int, now: int) -> Stay | None:
        """Return the stay whose end opened the node for one who starts `at` and takes the shape.

        None if the node could hold it all the time since `now`.
        """
        held = self._nodes[node]
        if self._machine.shape(shape).whole:
            return held.last_before(at, now)
        return held.opener(at, now, self._nothing, self._room_for(shape, node))

    def room(self, shape: int, at: int) -> int:
        """Return the nodes, as a bitmap, that could hold the shape beside running jobs alone."""
        if (shape, at) not in self._rooms:
            fitting = self._machine.fits_empty(shape) & self._machine.usable
            self._rooms[shape, at] = sum(
                1 << node
                for node in numbers(fitting)
                if self._room_for(shape, node)(
                    self._nodes[node].taken(at, self._nothing, running=True)
                )
            )
        return self._rooms[shape, at]

    def _taken_of(self, node: int) -> Amounts:
        machine = self._machine

        def taken(shape: int) -> Vector:
            whole = machine.shape(shape).whole
            return (1, *(machine.capacity if whole else machine.amounts(shape))[node])

        return taken

    def _room_for(self, shape: int, node: int) -> Test:
        if self._machine.shape(shape).whole:
            return lambda taken: not taken[0]
        have, need = self._machine.capacity[node], self._machine.amounts(shape)[node]
        return lambda taken: covers(less(have, taken[1:]), need)
