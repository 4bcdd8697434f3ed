"""Which leaves of a tree of switches a job's nodes hang on.

Source: Slurm 22.05 with topology/tree, as measured on a real one: the tightest switch that holds
the whole job, in it the tightest leaf that holds what is left of it, near those taken before.
"""

from predictor.engine import bits, codes, store
from predictor.engine.layout import Layout


class Tree:
    """Counts nodes by switch, and picks leaves one after the other."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.words = layout.words
        self.switches = layout.switches
        self.left = store.numbers(self.switches)
        """By switch: how many of the nodes there are below it."""
        self.distance = store.numbers(self.switches)
        """By leaf: how far it is from all leaves taken so far, together."""

    def begin(self) -> None:
        """Begin with a job that has no nodes so far."""
        for switch in range(self.switches):
            self.distance[switch] = 0

    def go_to(self, leaf: int) -> None:
        """Note that the job has nodes of this leaf."""
        for other in range(self.switches):
            if self.layout.switch_leaf[other]:
                self.distance[other] += self._hops(leaf, other)

    def leaf_of(self, nodes: store.Words, leaf: int) -> int:
        """Return the first leaf from this one on that has any of the nodes; -1: none has."""
        for other in range(leaf, self.switches):
            if self.layout.switch_leaf[other] and self._count(nodes, 0, other) > 0:
                return other
        return -1

    def leaves(self, nodes: store.Words, offset: int) -> int:
        """Return on how many leaves these nodes hang."""
        found = 0
        for switch in range(self.switches):
            if self.layout.switch_leaf[switch] and self._count(nodes, offset, switch) > 0:
                found += 1
        return found

    def best_leaf(self, nodes: store.Words, count: int) -> int:
        """Return the leaf to take nodes of next, of which so many are wanted still; -1: none."""
        for switch in range(self.switches):
            self.left[switch] = self._count(nodes, 0, switch)
        best = -1
        for leaf in range(self.switches):
            if not self.layout.switch_leaf[leaf] or self.left[leaf] == 0:
                continue
            if best < 0 or self._better(leaf, best, count):
                best = leaf
        return best

    def _count(self, nodes: store.Words, offset: int, switch: int) -> int:
        found, base = 0, switch * self.words
        for w in range(self.words):
            found += bits.popcount(nodes[offset + w] & self.layout.switch_nodes[base + w])
        return found

    def _better(self, leaf: int, best: int, count: int) -> bool:
        closer = self.distance[best] - self.distance[leaf]
        fit = self._fit(leaf, best, count)
        return (closer > 0 and fit >= 0) or (closer == 0 and fit > 0)

    def _fit(self, one: int, other: int, count: int) -> int:
        """Return 1 if the one switch suits better, -1 if the other does, 0 if both do alike.

        If neither holds all that is wanted, the switches above them decide.
        """
        one_left, other_left = self.left[one], self.left[other]
        above, other_above = self.layout.switch_above[one], self.layout.switch_above[other]
        while one_left < count and other_left < count and above != other_above:
            one = above if above >= 0 else one
            other = other_above if other_above >= 0 else other
            one_left, other_left = self.left[one], self.left[other]
            above, other_above = self.layout.switch_above[one], self.layout.switch_above[other]
        enough, other_enough = one_left >= count, other_left >= count
        if enough != other_enough:
            return 1 if enough else -1
        if one_left == other_left:
            return 0
        return 1 if (one_left < other_left) == enough else -1

    def _hops(self, one: int, other: int) -> int:
        """Return how many links lie between two switches."""
        hops = 0
        while one != other:
            if one < 0 or other < 0:
                return codes.APART
            if self.layout.switch_depth[one] < self.layout.switch_depth[other]:
                one, other = other, one
            one = self.layout.switch_above[one]
            hops += 1
        return hops
