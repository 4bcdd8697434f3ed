"""Allocators that keep the nodes of a job near one another."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from math import prod
from typing import Final

from verification.experiments.allocators.protocol import Allocator, filled, lowest_first
from verification.experiments.course import Queued
from verification.experiments.state import Places, Shape, State

Box = tuple[int, ...]
"""The extents of a part of the grid."""

LOOSEST: Final = 2
"""A box may have so many times the nodes that an empty machine would need."""


class TopologyOrder(Allocator):
    """Under the leaf switch with the fewest free places that suffice; else from the freest on.

    On each leaf the nodes are taken in their order. A machine that tells no leaves has one.
    """

    def __init__(self, state: State, seed: int = 0) -> None:
        nodes = state.machine.nodes
        step = state.machine.leaf_nodes or nodes
        self._leaves = [(first, min(first + step, nodes)) for first in range(0, nodes, step)]

    def place(self, queued: Queued) -> Places:
        """Return places for all units of a job that fits."""
        shape, units = queued.shape, queued.units
        rooms = [sum(shape.fits[first:end]) for first, end in self._leaves]
        enough = [number for number, room in enumerate(rooms) if room >= units]
        if enough:
            order = [min(enough, key=lambda number: rooms[number])]
        else:
            order = sorted(range(len(rooms)), key=lambda number: -rooms[number])
        return filled(self._nodes(shape, order), shape, units)

    def _nodes(self, shape: Shape, order: list[int]) -> Iterator[int]:
        for number in order:
            first, end = self._leaves[number]
            yield from lowest_first(shape.open & ((1 << end) - (1 << first)))


class Cartesian(Allocator):
    """The smallest box of the machine's grid with room for all; where there is none, first fit.

    Of equal ones that whose longest side is shortest, then the first. Boxes are tried up to twice
    the nodes that the job would need on an empty machine. A machine that tells no grid is a line.
    """

    def __init__(self, state: State, seed: int = 0) -> None:
        self._grid: Box = state.machine.grid or (state.machine.nodes,)
        self._strides = [prod(self._grid[axis + 1 :]) for axis in range(len(self._grid))]

    def place(self, queued: Queued) -> Places:
        """Return places for all units of a job that fits."""
        shape, units = queued.shape, queued.units
        box = self._box(shape, units)
        nodes = lowest_first(shape.open) if box is None else self._nodes(*box, shape)
        return filled(nodes, shape, units)

    def _nodes(self, corner: Box, sides: Box, shape: Shape) -> Iterator[int]:
        for place in product(*(range(side) for side in sides)):
            node = self._number(tuple(map(sum, zip(corner, place, strict=True))))
            if shape.fits[node]:
                yield node

    def _number(self, place: Box) -> int:
        return sum(at * stride for at, stride in zip(place, self._strides, strict=True))

    def _box(self, shape: Shape, units: int) -> tuple[Box, Box] | None:
        """Return the corner and the sides of the best box; None: no box will do."""
        if units <= max(shape.fits):
            least = min(fits for fits in set(shape.fits) if fits >= units)
            return self._place(shape.fits.index(least)), (1,) * len(self._grid)
        sums = self._sums(shape)
        for sides in _boxes(self._grid, -(-units // shape.largest)):
            for corner in product(*map(_starts, self._grid, sides)):
                if self._room(sums, corner, sides) >= units:
                    return corner, sides
        return None

    def _place(self, node: int) -> Box:
        return tuple(
            node // s % extent for s, extent in zip(self._strides, self._grid, strict=True)
        )

    def _sums(self, shape: Shape) -> dict[Box, int]:
        """Return how much fits before each place of the grid, along all axes."""
        sums = dict.fromkeys(product(*(range(extent + 1) for extent in self._grid)), 0)
        for node, fits in enumerate(shape.fits):
            sums[tuple(at + 1 for at in self._place(node))] = fits
        for axis, extent in enumerate(self._grid):
            others = [range(one + 1) for one in self._grid]
            others[axis] = range(1, extent + 1)
            for place in product(*others):
                before = (*place[:axis], place[axis] - 1, *place[axis + 1 :])
                sums[place] += sums[before]
        return sums

    def _room(self, sums: dict[Box, int], corner: Box, sides: Box) -> int:
        """Return how much fits into a box, by what lies before each of its corners."""
        room = 0
        for far in product((0, 1), repeat=len(sides)):
            place = tuple(at + side * one for at, side, one in zip(corner, sides, far, strict=True))
            room += sums[place] * (-1) ** (len(sides) - sum(far))
        return room


def _starts(extent: int, side: int) -> range:
    return range(extent - side + 1)


@lru_cache(maxsize=1024)
def _boxes(grid: Box, nodes: int) -> list[Box]:
    """Return the boxes of at least so many nodes, but not too many, the best first."""
    fitting = (
        sides
        for sides in product(*(range(1, extent + 1) for extent in grid))
        if nodes <= prod(sides) <= LOOSEST * nodes
    )
    return sorted(fitting, key=lambda sides: (prod(sides), max(sides), sides))
