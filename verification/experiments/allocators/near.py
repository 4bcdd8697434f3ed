"""Allocators that keep the nodes of a job near one another."""

import operator
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
        self._strides = _strides(self._grid)
        self._sum_grid = tuple(extent + 1 for extent in self._grid)
        strides = self._sum_strides = _strides(self._sum_grid)
        places = product(*(range(1, extent + 1) for extent in self._grid))
        self._inner = [_number(place, strides) for place in places]
        """Of each node: where in the sums what fits up to it and on it is."""
        self._sweeps = [
            (stride, [_number(place, strides) for place in self._along(axis)])
            for axis, stride in enumerate(strides)
        ]
        """By axis: how far apart neighbours are in the sums, and those that have one before."""

    def place(self, queued: Queued) -> Places:
        """Return places for all units of a job that fits."""
        shape, units = queued.shape, queued.units
        box = self._box(shape, units)
        nodes = lowest_first(shape.open) if box is None else self._nodes(*box, shape)
        return filled(nodes, shape, units)

    def _nodes(self, corner: Box, sides: Box, shape: Shape) -> Iterator[int]:
        for place in product(*(range(side) for side in sides)):
            node = _number(tuple(map(operator.add, corner, place)), self._strides)
            if shape.fits[node]:
                yield node

    def _along(self, axis: int) -> Iterator[Box]:
        """Yield the places of the sums that have another before them along an axis, in order."""
        ranges = [range(extent + 1) for extent in self._grid]
        ranges[axis] = range(1, self._grid[axis] + 1)
        yield from product(*ranges)

    def _box(self, shape: Shape, units: int) -> tuple[Box, Box] | None:
        """Return the corner and the sides of the best box; None: no box will do."""
        if units <= max(shape.fits):
            least = min(fits for fits in set(shape.fits) if fits >= units)
            node = _place(shape.fits.index(least), self._strides, self._grid)
            return node, (1,) * len(node)
        sums = self._sums(shape)
        boxes, widest = _boxes(self._grid, -(-units // shape.largest))
        # What has no room in any of the widest has none in what lies inside them.
        if not any(self._first(sums, box, units) for box in widest):
            return None
        return next(
            (corner, box.sides) for box in boxes if (corner := self._first(sums, box, units))
        )

    def _sums(self, shape: Shape) -> list[int]:
        """Return how much fits before each place of the grid, along all axes, the first being 0."""
        sums = [0] * prod(extent + 1 for extent in self._grid)
        for number, fits in zip(self._inner, shape.fits, strict=True):
            sums[number] = fits
        for stride, numbers in self._sweeps:
            for number in numbers:
                sums[number] += sums[number - stride]
        return sums

    def _first(self, sums: list[int], box: "_Sides", units: int) -> Box | None:
        """Return the first corner at which a box has room for so many units; None: nowhere."""
        for number in box.corners:
            room = 0
            for offset, sign in box.terms:
                room += sign * sums[number + offset]
            if room >= units:
                return _place(number, self._sum_strides, self._sum_grid)
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sides:
    """A box, wherever it lies in a grid."""

    sides: Box
    corners: Sequence[int]
    """Where it may begin, as numbers of the sums."""
    terms: Sequence[tuple[int, int]]
    """Which sums, counted from the corner, are added (1) or taken away (-1) for what lies in it."""


def _strides(extents: Box) -> list[int]:
    return [prod(extents[axis + 1 :]) for axis in range(len(extents))]


def _number(place: Box, strides: Sequence[int]) -> int:
    return sum(at * stride for at, stride in zip(place, strides, strict=True))


def _place(number: int, strides: Sequence[int], extents: Box) -> Box:
    return tuple(number // stride % extent for stride, extent in zip(strides, extents, strict=True))


def _numbers(starts: Sequence[range], strides: Sequence[int]) -> Sequence[int]:
    """Return the numbers of all corners; on a line they need no memory."""
    if len(starts) == 1:
        return starts[0]
    return array("q", (_number(corner, strides) for corner in product(*starts)))


@lru_cache(maxsize=1024)
def _boxes(grid: Box, nodes: int) -> tuple[list[_Sides], list[_Sides]]:
    """Return the boxes of at least so many nodes, but not too many, the best first.

    With them come those that lie inside no other.
    """
    fitting = (
        sides
        for sides in product(*(range(1, extent + 1) for extent in grid))
        if nodes <= prod(sides) <= LOOSEST * nodes
    )
    ordered = sorted(fitting, key=lambda sides: (prod(sides), max(sides), sides))
    boxes = [_in_grid(grid, sides) for sides in ordered]
    return boxes, [box for box in boxes if not _inside(box, boxes)]


@lru_cache(maxsize=4096)
def _in_grid(grid: Box, sides: Box) -> _Sides:
    strides = _strides(tuple(extent + 1 for extent in grid))
    starts = [range(extent - side + 1) for extent, side in zip(grid, sides, strict=True)]
    return _Sides(
        sides=sides,
        corners=_numbers(starts, strides),
        terms=[
            (
                _number(tuple(map(operator.mul, sides, far)), strides),
                (-1) ** (len(sides) - sum(far)),
            )
            for far in product((0, 1), repeat=len(sides))
        ],
    )


def _inside(box: _Sides, boxes: Sequence[_Sides]) -> bool:
    """Return whether another box is as large along all axes, and larger along one."""
    return any(
        other.sides != box.sides and all(map(operator.le, box.sides, other.sides))
        for other in boxes
    )
