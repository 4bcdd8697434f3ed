"""What of a machine is free, kept ready for the kinds of requests that are made of it."""

from collections.abc import Sequence
from typing import Final

from verification.experiments.machine import Machine

Need = tuple[tuple[int, int], ...]
"""What one unit of a job takes: numbers of resources, and how much of each, at least 1."""
Places = Sequence[tuple[int, int]]
"""Nodes, and how many units of a job lie on each, at least 1."""

IDLE_SHAPES: Final = 16
"""So many kinds of requests are kept ready though nobody makes them now."""


class Shape:
    """How many units of one kind fit on each node now, on top of all that runs."""

    __slots__ = ("cores", "fits", "largest", "levels", "most", "need", "open", "total", "users")

    def __init__(self, need: Need) -> None:
        self.need = need
        self.cores = need[0][1]
        """That one unit takes."""
        self.fits: list[int] = []
        """By node."""
        self.levels: list[int] = []
        """By how many fit: the nodes, as bits of a number."""
        self.open = 0
        """The nodes on which one fits, as bits."""
        self.total = 0
        """On all nodes."""
        self.largest = 0
        """On the empty node that holds most."""
        self.most = 0
        """On all nodes of the empty machine."""
        self.users = 0
        """So many jobs of this kind wait or run."""


class State:
    """The free amounts of a machine whose jobs come and go."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.capacity = [machine.column(name) for name in machine.resources]
        """By resource, then node."""
        self.free = [list(column) for column in self.capacity]
        self.shapes: dict[Need, Shape] = {}
        self.busy_cores = 0
        self.opened_cores = 0
        """Of nodes on which somebody runs."""

    def shape(self, need: Need) -> Shape:
        """Return the kind of request, kept current from now on; say `users` before the next."""
        found = self.shapes.get(need)
        if found is None:
            if len(self.shapes) > IDLE_SHAPES:
                self._forget_idle()
            found = self.shapes[need] = self._measured(need)
        return found

    def _forget_idle(self) -> None:
        idle = [need for need, shape in self.shapes.items() if not shape.users]
        for need in idle[: len(idle) - IDLE_SHAPES]:
            del self.shapes[need]

    def _measured(self, need: Need) -> Shape:
        shape = Shape(need)
        largest = [fit(need, self.capacity, node) for node in range(self.machine.nodes)]
        shape.most, shape.largest = sum(largest), max(largest)
        shape.levels = [0] * (shape.largest + 1)
        for node in range(self.machine.nodes):
            fits = fit(need, self.free, node)
            shape.fits.append(fits)
            shape.levels[fits] |= 1 << node
            shape.total += fits
        shape.open = ((1 << self.machine.nodes) - 1) ^ shape.levels[0]
        return shape

    def take(self, shape: Shape, places: Places) -> None:
        """Let a job of this kind hold these places."""
        free, whole, cores = self.free[0], self.capacity[0], shape.cores
        for node, units in places:
            if free[node] == whole[node]:
                self.opened_cores += whole[node]
            free[node] -= cores * units
            self.busy_cores += cores * units
            # Of its own kind exactly as many fewer fit: no division.
            _set(shape, node, shape.fits[node] - units)
        self._others(shape, places, -1)

    def give(self, shape: Shape, places: Places) -> None:
        """Let a job of this kind hold these places no longer."""
        free, whole, cores = self.free[0], self.capacity[0], shape.cores
        for node, units in places:
            free[node] += cores * units
            self.busy_cores -= cores * units
            if free[node] == whole[node]:
                self.opened_cores -= whole[node]
            _set(shape, node, shape.fits[node] + units)
        self._others(shape, places, 1)

    def _others(self, shape: Shape, places: Places, sign: int) -> None:
        """Change what is free of other resources, and how many units of other kinds fit."""
        for resource, amount in shape.need[1:]:
            free = self.free[resource]
            for node, units in places:
                free[node] += sign * amount * units
        if len(self.shapes) > 1:
            for other in self.shapes.values():
                if other is not shape:
                    for node, _ in places:
                        _set(other, node, fit(other.need, self.free, node))


def _set(shape: Shape, node: int, fits: int) -> None:
    """Let so many units fit on a node from now on."""
    before = shape.fits[node]
    if fits == before:
        return
    bit = _bit(node)
    shape.fits[node] = fits
    shape.total += fits - before
    shape.levels[before] ^= bit
    shape.levels[fits] ^= bit
    if not before or not fits:
        shape.open ^= bit


def _bit(node: int) -> int:
    # Compiled, only what has no C type may grow as large as there are nodes.
    return 1 << node


def fit(need: Need, free: Sequence[Sequence[int]], node: int) -> int:
    """Return how many units fit on a node."""
    # Asked for more often than anything else: a generator would take three times as long.
    resource, amount = need[0]
    least = free[resource][node] // amount
    for resource, amount in need[1:]:
        fits = free[resource][node] // amount
        if fits < least:
            least = fits
    return least
