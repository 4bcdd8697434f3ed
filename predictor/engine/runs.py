"""Runs of neighbours where a run's length is all that tells it from another."""

from predictor.engine import bits, store
from predictor.engine.layout import Layout


class Runs:
    """Finds the best runs of neighbours in one set of nodes that weigh and have all the same."""

    def __init__(self, layout: Layout, nodes: store.Words) -> None:
        self.layout = layout
        self.words = layout.words
        self.nodes = nodes
        self.ones = store.full_word(layout.nodes)
        self.count = 0
        self.firsts = store.numbers(layout.nodes)
        """By run: the node with which it begins."""
        self.lengths = store.numbers(layout.nodes)
        """By run: how many nodes it has; 0: it was chosen."""
        self.first = 0
        """The node with which the run chosen last begins."""
        self.length = 0
        """How many nodes the run chosen last has."""

    def find(self, kind: int, wanted: int) -> None:
        """Find the runs of the set, whose nodes are all of the kind, up to one of that length."""
        self.count = 0
        w, passed = self.layout.first_word[kind], 0
        while w < self.layout.end_word[kind]:
            word = self.nodes[w] >> passed << passed
            if not word:
                w, passed = w + 1, 0
                continue
            ends = self.ones & ~(self.nodes[w] & ~self.layout.breaks[w])
            passed = 0
            while word:
                low = bits.lowest(word)
                # At once, a shift by a whole word would do nothing.
                behind = ends >> low >> 1
                self.firsts[self.count] = w * self.layout.bits + low
                if behind:
                    length = bits.lowest(behind) + 1
                    word = word >> (low + length) << (low + length)
                else:
                    word = 0
                    length = self.layout.bits - low
                    passed = self._passed(w + 1)
                    while passed == self.layout.bits:
                        length += passed
                        w += 1
                        passed = self._passed(w + 1)
                    length += passed
                self.lengths[self.count] = length
                self.count += 1
                if length == wanted:
                    return
            w += 1

    def _passed(self, w: int) -> int:
        """Return how many nodes of a word, if there is one, continue a run of the word before."""
        if w >= self.words:
            return 0
        behind = self.ones & ~(self.nodes[w] & ~self.layout.breaks[w])
        return bits.lowest(behind) if behind else self.layout.bits

    def choose(self, wanted: int) -> None:
        """Choose the shortest run of so many nodes, or without one the longest; of these the first.

        It will not be chosen again.
        """
        most = 2 * self.layout.nodes
        best, best_merit = 0, 0
        for run in range(self.count):
            length = self.lengths[run]
            merit = most - length if length >= wanted else length
            if merit > best_merit:
                best, best_merit = run, merit
        self.first, self.length = self.firsts[best], self.lengths[best]
        self.lengths[best] = 0
