"""Nodes gathered leaf by leaf of a tree of switches.

Source: Slurm 22.05, select/cons_tres with topology/tree, as read; 24.11 and 26.05, as measured.
"""

from predictor.engine import bits, sets, store
from predictor.engine.gathering import Gathering
from predictor.engine.layout import Layout
from predictor.engine.leaning import Leaning
from predictor.engine.tree import Tree


class Branches:
    """Takes nodes for a gathering: the lightest, then by leaves those that are needed of a weight.

    Which leaf is next depends on how many nodes are wanted, and not on how many CPUs before 23.02.
    """

    def __init__(self, gathering: Gathering, tree: Tree, leaning: Leaning) -> None:
        self.gathering = gathering
        self.tree = tree
        self.leaning = leaning
        self.layout: Layout = gathering.layout
        self.words = gathering.words
        self.left = store.words(self.words)
        self.counts_cpus = self.layout.switches_count_cpus
        self.leaves_most = 0
        """On so many leaves it must be for whom nodes are taken; 0: on any number."""

    def gather(self) -> bool:
        """Return whether what was taken is enough.

        Who gets nodes on too many leaves is tried with one less, down to the least that it accepts.
        Source: Slurm 23.02 to 26.05, _eval_nodes_topo.
        """
        found = self._gather()
        while found and self._lies_apart() and self.gathering.begin_with_fewer():
            found = self._gather()
        return found

    def _lies_apart(self) -> bool:
        if self.leaves_most == 0 or not self.counts_cpus:
            return False
        return self.tree.leaves(self.gathering.nodes, 0) > self.leaves_most

    def _gather(self) -> bool:
        """Take nodes once; return whether these are enough."""
        self._take_lighter()
        self.tree.begin(self.gathering.nodes, self.left)
        if self.counts_cpus:
            self._tell_cpus()
        leaf = self.tree.begun_leaf(0)
        while leaf >= 0:
            wanted = self.gathering.wanted
            self._take_of(leaf)
            self.tree.complete(leaf, wanted, self.gathering.wanted)
            leaf = self.tree.begun_leaf(leaf + 1)
        leaf = self._next_leaf()
        while leaf >= 0:
            self.tree.go_to(leaf)
            self._take_of(leaf)
            leaf = self._next_leaf()
        return self.gathering.is_enough()

    def _next_leaf(self) -> int:
        if self.gathering.is_done():
            return -1
        if self.counts_cpus:
            self.tree.rest = self.gathering.rest
        return self.tree.best_leaf(self.gathering.wanted)

    def _tell_cpus(self) -> None:
        """Tell of all nodes that may give any, whatever they weigh, how many CPUs they could."""
        for w in range(self.words):
            word = self.gathering.able[w]
            while word:
                node = w * self.layout.bits + bits.lowest(word)
                word &= word - 1
                self.tree.tell_cpus(node, self.gathering.portions.cpus[node])

    def _take_lighter(self) -> None:
        """Take all nodes of a weight while they are not enough, and leave only the next ones."""
        sets.copy(self.left, 0, self.gathering.left, 0, self.words)
        found = self.leaning.find_lightest(self.left)
        while found > 0 and not self._suffices(found):
            for w in range(self.words):
                self.gathering.take_all(w, self.leaning.lightest[w])
                self.left[w] &= ~self.leaning.lightest[w]
            found = self.leaning.find_lightest(self.left)
        sets.copy(self.left, 0, self.leaning.lightest, 0, self.words)

    def _suffices(self, found: int) -> bool:
        """Return whether so many lightest nodes are all that it still takes."""
        cpus, pieces = 0, 0
        for w in range(self.words):
            word = self.leaning.lightest[w]
            while word:
                node = w * self.layout.bits + bits.lowest(word)
                word &= word - 1
                cpus += self.gathering.portions.cpus[node]
                pieces += self.gathering.portions.pieces[node]
        needed = self.gathering.wanted if self.counts_cpus else self.gathering.least
        return (
            found >= needed and cpus >= self.gathering.rest and pieces >= self.gathering.rest_pieces
        )

    def _take_of(self, leaf: int) -> None:
        for w in range(self.words):
            on_leaf = self.layout.switch_nodes[leaf * self.words + w]
            self.gathering.take_all(w, self.left[w] & on_leaf)
