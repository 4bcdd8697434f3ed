"""Nodes gathered leaf by leaf of a tree of switches.

Source: Slurm 22.05, select/cons_tres with topology/tree, as read.
"""

from predictor.engine import bits, sets, store
from predictor.engine.gathering import Gathering
from predictor.engine.layout import Layout
from predictor.engine.leaning import Leaning
from predictor.engine.tree import Tree


class Branches:
    """Takes nodes for a gathering: the lightest, then by leaves those that are needed of a weight.

    Which leaf is next depends on how many nodes are wanted, not on how many CPUs.
    """

    def __init__(self, gathering: Gathering, tree: Tree, leaning: Leaning) -> None:
        self.gathering = gathering
        self.tree = tree
        self.leaning = leaning
        self.layout: Layout = gathering.layout
        self.words = gathering.words
        self.left = store.words(self.words)

    def gather(self) -> bool:
        """Return whether what was taken is enough."""
        self._take_lighter()
        self.tree.begin(self.gathering.nodes, self.left)
        leaf = self.tree.begun_leaf(0)
        while leaf >= 0:
            self._take_of(leaf)
            leaf = self.tree.begun_leaf(leaf + 1)
        leaf = self._next_leaf()
        while leaf >= 0:
            self.tree.go_to(leaf)
            self._take_of(leaf)
            leaf = self._next_leaf()
        return self.gathering.is_enough()

    def _next_leaf(self) -> int:
        return -1 if self.gathering.is_done() else self.tree.best_leaf(self.gathering.wanted)

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
        return (
            found >= self.gathering.least
            and cpus >= self.gathering.rest
            and pieces >= self.gathering.rest_pieces
        )

    def _take_of(self, leaf: int) -> None:
        for w in range(self.words):
            on_leaf = self.layout.switch_nodes[leaf * self.words + w]
            self.gathering.take_all(w, self.left[w] & on_leaf)
