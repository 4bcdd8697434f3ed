"""How far the nodes of a job are from one another: mean hops of its messages."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import comb, prod
from typing import Protocol


class Network(Protocol):
    """What joins the nodes."""

    @property
    def nodes(self) -> int:
        """How many nodes it joins."""
        ...

    @property
    def nearest(self) -> int:
        """The hops between two nodes that are as near as can be."""
        ...

    def hops(self, nodes: Sequence[int]) -> int:
        """Return the hops of all pairs of these nodes together; no node is named twice."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Torus:
    """A grid whose sides meet; the last extent is counted fastest. A hop leads to a neighbour."""

    extents: tuple[int, ...]

    @property
    def nodes(self) -> int:
        """How many nodes it joins."""
        return prod(self.extents)

    @property
    def nearest(self) -> int:
        """The hops between two nodes that are as near as can be."""
        return 1

    def hops(self, nodes: Sequence[int]) -> int:
        """Return the hops of all pairs of these nodes together."""
        total, stride = 0, prod(self.extents)
        for extent in self.extents:
            stride //= extent
            total += _around(Counter(node // stride % extent for node in nodes), extent)
        return total


def _around(at: Counter[int], extent: int) -> int:
    """Return the distances on a ring of all pairs together."""
    places = sorted(at.items())
    return sum(
        min(other - one, extent - other + one) * count * others
        for index, (one, count) in enumerate(places)
        for other, others in places[index + 1 :]
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels:
    """Nodes in groups of groups: the hops between two depend on the smallest that holds both."""

    sizes: tuple[int, ...]
    """How many nodes a group has, from the innermost on; the last is that of all."""
    between: tuple[int, ...]
    """The hops between two of its nodes."""

    def __post_init__(self) -> None:
        if len(self.sizes) != len(self.between) or not self.sizes:
            raise ValueError("every level needs a size and a number of hops")
        if any(outer % inner or outer <= inner for inner, outer in pairwise(self.sizes)):
            raise ValueError(f"groups of {self.sizes} nodes do not hold one another")
        if list(self.between) != sorted(self.between) or self.between[0] < 1:
            raise ValueError(f"hops of {self.between} do not grow outwards")

    @property
    def nodes(self) -> int:
        """How many nodes it joins."""
        return self.sizes[-1]

    @property
    def nearest(self) -> int:
        """The hops between two nodes that are as near as can be."""
        return self.between[0]

    def hops(self, nodes: Sequence[int]) -> int:
        """Return the hops of all pairs of these nodes together."""
        total = within = 0
        for size, between in zip(self.sizes, self.between, strict=True):
            pairs = sum(comb(count, 2) for count in Counter(n // size for n in nodes).values())
            total += between * (pairs - within)
            within = pairs
        return total


def fat_tree(down: Sequence[int]) -> Levels:
    """Return a tree of switches: so many below each, from the leaves on. A link is a hop.

    Whether the tree is fat does not matter to distances, only to what it carries.
    """
    sizes = tuple(prod(down[: level + 1]) for level in range(len(down)))
    return Levels(sizes=sizes, between=tuple(2 * level + 2 for level in range(len(down))))


def dragonfly(nodes: int, routers: int, groups: int) -> Levels:
    """Return `nodes` a router, `routers` a group all joined to one another, `groups` likewise.

    A link is a hop. Between groups the longest of the shortest ways is taken: 5. Source: J. Kim,
    W. Dally, S. Scott, D. Abts, Technology-Driven, Highly-Scalable Dragonfly Topology, ISCA 2008.
    """
    sizes = (nodes, nodes * routers, nodes * routers * groups)
    levels = [level for level in range(3) if level == 0 or sizes[level] > sizes[level - 1]]
    between = (2, 3, 5)
    return Levels(sizes=tuple(sizes[n] for n in levels), between=tuple(between[n] for n in levels))
