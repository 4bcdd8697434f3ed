"""Which leaves of a tree of switches a job's nodes hang on.

Source: Slurm 22.05 with topology/tree, as measured on a real one: lighter nodes as a
whole, then leaves it has nodes of; then the tightest switch that holds all that is left, in it the
tightest leaf, near those taken before. Switches above leaves count what was taken of them, too; not
so in 24.11 and 26.05, as measured on real ones, where they must have CPUs enough as well.
"""

from predictor.engine import bits, codes, store
from predictor.engine.layout import Layout


class Tree:
    """Counts nodes by switch, and picks leaves one after the other."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.words = layout.words
        self.switches = layout.switches
        self.below = store.numbers(self.switches)
        """By switch: how many nodes it had for the job, of a leaf gone to none."""
        self.begun = store.numbers(self.switches)
        """By switch: whether the job had nodes below it at the beginning."""
        self.distance = store.numbers(self.switches)
        """By switch: how far it is from all those where the job has nodes, together."""
        self.cpus = store.numbers(self.switches)
        """By switch: the CPUs of all nodes below it that might have been taken."""
        self.rest = 0
        """So many CPUs are wanted still, where switches count them."""
        self.taken = 0
        """How many nodes were taken of the leaves that had any at the beginning."""
        self.fits = False
        """Whether the first of two switches compared, or that above it, has enough."""
        self.counts_down = self.layout.switches_count_down

    def begin(self, nodes: store.Words, left: store.Words) -> None:
        """Begin with the nodes that a job has, and those that it may take besides."""
        self.rest, self.taken = 0, 0
        for switch in range(self.switches):
            self.distance[switch], self.cpus[switch] = 0, 0
        for switch in range(self.switches):
            had = self._count(nodes, 0, switch)
            self.begun[switch] = had > 0
            self.below[switch] = had + self._count(left, 0, switch)
            if had > 0:
                self._come_closer(switch)

    def tell_cpus(self, node: int, cpus: int) -> None:
        """Count CPUs that a node could give for the switches above it."""
        one = 1
        w = node // self.layout.bits
        bit = one << (node - w * self.layout.bits)
        for switch in range(self.switches):
            if self.layout.switch_nodes[switch * self.words + w] & bit:
                self.cpus[switch] += cpus

    def begun_leaf(self, leaf: int) -> int:
        """Return the first leaf from this one on that had any at the beginning; -1: none."""
        for other in range(leaf, self.switches):
            if self.layout.switch_leaf[other] and self.begun[other]:
                return other
        return -1

    def best_leaf(self, count: int) -> int:
        """Return the leaf to take nodes of next, of which so many are wanted still; -1: none."""
        best = -1
        for leaf in range(self.switches):
            if self.begun[leaf] or not self.layout.switch_leaf[leaf] or self.below[leaf] == 0:
                continue
            if best < 0 or self._better(leaf, best, count):
                best = leaf
        return best

    def complete(self, leaf: int, wanted: int, rest: int) -> int:
        """Note that of so many nodes so many are still wanted, now that a begun leaf has no more.

        Returns these. What was taken of begun leaves before is left out once more.
        Source: Slurm 24.05.3 to 26.05, _eval_nodes_topo.
        """
        self.taken += wanted - rest
        if self.counts_down:
            self._leave_out(leaf, self.taken)
        return rest

    def go_to(self, leaf: int) -> None:
        """Note that the job has all nodes of this leaf that it may take."""
        self._come_closer(leaf)
        if self.counts_down:
            self._leave_out(leaf, self.below[leaf])
        self.below[leaf] = 0

    def _leave_out(self, leaf: int, nodes: int) -> None:
        """Count so many nodes less below the leaf and all switches above it."""
        switch = leaf
        while switch >= 0:
            self.below[switch] = max(self.below[switch] - nodes, 0)
            switch = self.layout.switch_above[switch]

    def leaves(self, nodes: store.Words, offset: int) -> int:
        """Return on how many leaves these nodes hang."""
        found = 0
        for switch in range(self.switches):
            if self.layout.switch_leaf[switch] and self._count(nodes, offset, switch) > 0:
                found += 1
        return found

    def _come_closer(self, switch: int) -> None:
        for other in range(self.switches):
            self.distance[other] += self._hops(switch, other)

    def _count(self, nodes: store.Words, offset: int, switch: int) -> int:
        found, base = 0, switch * self.words
        for w in range(self.words):
            found += bits.popcount(nodes[offset + w] & self.layout.switch_nodes[base + w])
        return found

    def _better(self, leaf: int, best: int, count: int) -> bool:
        closer = self.distance[best] - self.distance[leaf]
        fit = self._fit(leaf, best, count)
        near_enough = self.fits if self.counts_down else fit >= 0
        return (closer > 0 and near_enough) or (closer == 0 and fit > 0)

    def _fit(self, one: int, other: int, count: int) -> int:
        """Return 1 if the one switch suits better, -1 if the other does, 0 if both do alike.

        If neither holds all that is wanted, the switches above them decide.
        """
        above, other_above = self._above(one), self._above(other)
        enough, other_enough = self._suffices(one, count), self._suffices(other, count)
        while not enough and not other_enough and above != other_above:
            if above == one and other_above == other:
                break
            one, other = above, other_above
            above, other_above = self._above(one), self._above(other)
            enough, other_enough = self._suffices(one, count), self._suffices(other, count)
        self.fits = enough
        if enough != other_enough:
            return 1 if enough else -1
        if self.below[one] != self.below[other]:
            return 1 if (self.below[one] < self.below[other]) == enough else -1
        lower = self.layout.switch_height[other] - self.layout.switch_height[one]
        return (lower > 0) - (lower < 0)

    def _suffices(self, switch: int, count: int) -> bool:
        """Return whether the switch has so many nodes below it, and the CPUs if they count."""
        return self.below[switch] >= count and self.cpus[switch] >= self.rest

    def _above(self, switch: int) -> int:
        """Return the switch above, at the top itself."""
        above = self.layout.switch_above[switch]
        return above if above >= 0 else switch

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
