"""Allocators that look at nothing but the order of nodes and how much fits on each."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from verification.experiments.allocators.protocol import (
    Allocator,
    filled,
    highest_first,
    lowest_first,
)
from verification.experiments.course import Queued
from verification.experiments.state import Places, Shape, State

PARTS: Final = 4
SEVERAL_NODES: Final = 8


class BestFit(Allocator):
    """The fullest nodes: those on which the fewest units of the job fit; of equal ones the first.

    Source: the "consolidate" of AccaSim, which adds up free amounts of whatever resources; here
    what counts is what the job itself could use.
    """

    def __init__(self, state: State, seed: int = 0) -> None:
        pass

    def place(self, queued: Queued) -> Places:
        """Return places for all units of a job that fits."""
        return filled(fullest_first(queued.shape), queued.shape, queued.units)


def fullest_first(shape: Shape) -> Iterator[int]:
    """Yield the nodes on which some units fit, by how few."""
    for nodes in shape.levels[1:]:
        if nodes:
            yield from lowest_first(nodes)


class RoundRobin(Allocator):
    """The first nodes behind the one that was filled last, then from the beginning again."""

    def __init__(self, state: State, seed: int = 0) -> None:
        self._turn = 0
        self._next = 0

    def place(self, queued: Queued) -> Places:
        """Return places for all units of a job that fits."""
        behind = queued.shape.open >> self._turn << self._turn
        places = filled(self._nodes(behind, queued.shape.open), queued.shape, queued.units)
        self._next = places[-1][0] + 1
        return places

    def started(self, queued: Queued) -> None:
        """Go on behind the last node that was chosen."""
        self._turn = self._next

    def _nodes(self, behind: int, all_: int) -> Iterator[int]:
        yield from lowest_first(behind)
        yield from lowest_first(all_ ^ behind)


class DualEnd(Allocator):
    """The first nodes for a job that an empty node could hold, the last for a larger one."""

    def __init__(self, state: State, seed: int = 0) -> None:
        pass

    def place(self, queued: Queued) -> Places:
        """Return places for all units of a job that fits."""
        shape = queued.shape
        small = queued.units <= shape.largest
        nodes = lowest_first(shape.open) if small else highest_first(shape.open)
        return filled(nodes, shape, queued.units)


class Drawn(Allocator):
    """Nodes in an order that is drawn for each job; the same seed draws the same."""

    def __init__(self, state: State, seed: int = 0) -> None:
        from random import Random

        self._chance = Random(seed)  # noqa: S311 - no secret

    def place(self, queued: Queued) -> Places:
        """Return places for all units of a job that fits."""
        return filled(self._nodes(queued.shape.open), queued.shape, queued.units)

    def _nodes(self, nodes: int) -> Iterator[int]:
        left = list(lowest_first(nodes))
        while left:
            number = int(self._chance.random() * len(left))
            left[number], left[-1] = left[-1], left[number]
            yield left.pop()


class VirtualPartitions(Allocator):
    """Jobs of like size on a stretch of nodes of their own; what is full runs over to the next.

    Four equal stretches, in order of size: for one unit, for what an empty node holds, for what
    eight do, and for more. No public definition was found; this one is ours.
    """

    def __init__(self, state: State, seed: int = 0) -> None:
        nodes = state.machine.nodes
        edges = [nodes * part // PARTS for part in range(PARTS + 1)]
        self._stretches = [(1 << end) - (1 << begin) for begin, end in pairwise(edges)]

    def place(self, queued: Queued) -> Places:
        """Return places for all units of a job that fits."""
        return filled(self._nodes(queued), queued.shape, queued.units)

    def _nodes(self, queued: Queued) -> Iterator[int]:
        units, largest = queued.units, queued.shape.largest
        own = (units > 1) + (units > largest) + (units > SEVERAL_NODES * largest)
        for part in sorted(range(PARTS), key=lambda part: (abs(part - own), part)):
            yield from lowest_first(queued.shape.open & self._stretches[part])
