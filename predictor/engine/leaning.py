"""To which nodes jobs are drawn by what was tried there before, and by what they ask for.

Source: Slurm 22.05, node sets of the controller and weights in select/cons_tres, as read, and as
the log of its passes tells.
"""

from predictor.engine import bits, codes, sets, store
from predictor.engine.layout import Layout
from predictor.engine.limits import Limits


class Leaning:
    """Which nodes weigh more or less than they are said to.

    Where it is counted on how many nodes a group runs, those that it does not use yet weigh one
    more for its jobs, but for those of a make of which it uses none that they may have. Where a
    resource draws those that ask for it, a node weighs less, by a step for each piece they would
    get there. Both stays so for everybody until another is tried on these nodes: whoever is planned
    meanwhile is drawn by what is not its own.
    """

    def __init__(self, layout: Layout, limits: Limits | None, pieces: store.Words) -> None:
        self.layout = layout
        self.pieces = pieces
        """By node that was looked at for pieces that may lie anywhere: how many could be there."""
        self.limits = limits
        self.words = layout.words
        self.ones = store.full_word(layout.nodes)
        spread = limits is not None and limits.layout.spreads > 0
        self.matters = layout.plans_by_weight and (layout.draws or spread)
        """Whether any node can ever weigh more or less."""
        self.leans = False
        """Whether any node does just now."""
        self.heavy = store.words(self.words)
        self.light = store.words(self.words)
        self.steps = store.numbers(layout.nodes)
        """By node: by how many steps, of 1/256 each, it weighs less."""
        self.slow = store.words(self.words)
        """The nodes that weigh half of one more."""
        self.breaks = store.words(self.words)
        """The nodes of which only one weighs more or less, it or the one before."""
        self.used = store.words(self.words)
        self.there = store.numbers(layout.makes)
        """By make: whether the group uses any of those that it may have."""
        self.lightest = store.words(self.words)
        """The lightest nodes of those asked about last."""

    def turn_to(self, claim: int, nodes: store.Words, offset: int) -> None:
        """Take note that a claim, -1: none, is tried on these nodes; others weigh what they did."""
        if not self.matters:
            return
        for w in range(self.words):
            self.used[w] = 0
        if claim >= 0 and self.limits is not None:
            self.limits.add_used(claim, self.used)
        for w in range(self.words):
            word = nodes[offset + w]
            self._stop_drawing(w, word & self.light[w])
            self.heavy[w] &= ~word
        for make in range(self.layout.makes):
            self.there[make] = 0
        for w in range(self.words):
            word = self.used[w] & nodes[offset + w]
            while word:
                self.there[self._make(w, word)] = 1
                word &= ~self._alike(w, word)
        for w in range(self.words):
            word = nodes[offset + w] & ~self.used[w]
            while word:
                alike = word & self._alike(w, word)
                if self.there[self._make(w, word)]:
                    self.heavy[w] |= alike
                word &= ~alike
        self._note()

    def _make(self, w: int, word: int) -> int:
        """Return the make of the first of these nodes, of the word `w`."""
        if self.layout.word_make[w] >= 0:
            return self.layout.word_make[w]
        return self.layout.make[w * self.layout.bits + bits.lowest(word)]

    def _alike(self, w: int, word: int) -> int:
        """Return the nodes of the word `w` that are looked at with the first of these."""
        return self.ones if self.layout.word_make[w] >= 0 else word & (~word + 1)

    def begin_anew(self, uncleared: store.Words) -> None:
        """Let nodes weigh what they are said to, and more as long as they are being cleared.

        Source: Slurm 23.11 to 26.05, _will_run_test.
        """
        if not self.leans and not sets.touch(uncleared, 0, uncleared, 0, self.words):
            return
        for w in range(self.words):
            self._stop_drawing(w, self.light[w])
            self.heavy[w] = 0
            self.slow[w] = uncleared[w]
        self._note()

    def draw(self, kind: int, nodes: store.Words) -> None:
        """Take note that these nodes are looked at for a kind of request.

        Where its pieces may lie anywhere, a node draws it for each that could be there.
        """
        row, spread = self.layout.draw[kind], self.layout.spread[kind]
        if row < 0:
            return
        for w in range(self.words):
            word = nodes[w]
            self.light[w] |= word
            while word:
                node = w * self.layout.bits + bits.lowest(word)
                steps = self.layout.drawn[row + self.layout.node_class[node]]
                if self.layout.draws_by_piece[kind]:
                    steps *= min(self.pieces[node], self.layout.portion_pieces[spread])
                self.steps[node] = min(steps, codes.WEIGHT_STEPS - 1)
                word &= word - 1
        self._note()

    def weight(self, node: int) -> int:
        """Return what the node weighs now, in steps."""
        w = node // self.layout.bits
        more = self.heavy[w] >> (node - w * self.layout.bits) & 1
        slow = self.slow[w] >> (node - w * self.layout.bits) & 1
        weight = (self.layout.weight[node] + more) * codes.WEIGHT_STEPS - self.steps[node]
        return weight + slow * (codes.WEIGHT_STEPS // 2)

    def find_lightest(self, nodes: store.Words) -> int:
        """Find the lightest of these nodes, and return how many these are."""
        found, least = 0, 0
        for w in range(self.words):
            self.lightest[w] = 0
            word = nodes[w]
            while word:
                first = word & (~word + 1)
                weight = self.weight(w * self.layout.bits + bits.lowest(word))
                word &= word - 1
                if found == 0 or weight < least:
                    sets.remove(self.lightest, 0, self.lightest, 0, w + 1)
                    found, least = 0, weight
                if weight == least:
                    self.lightest[w] |= first
                    found += 1
        return found

    def _stop_drawing(self, w: int, word: int) -> None:
        self.light[w] &= ~word
        while word:
            self.steps[w * self.layout.bits + bits.lowest(word)] = 0
            word &= word - 1

    def _note(self) -> None:
        """Note where weights change from node to node."""
        self.leans = False
        more, less, slow = 0, 0, 0
        for w in range(self.words):
            word = self.heavy[w]
            self.leans = self.leans or (word | self.light[w] | self.slow[w]) != 0
            self.breaks[w] = (word ^ (word << 1 | more)) & self.ones
            more = word >> (self.layout.bits - 1) & 1
            word = self.slow[w]
            self.breaks[w] |= (word ^ (word << 1 | slow)) & self.ones
            slow = word >> (self.layout.bits - 1) & 1
            word = (self.light[w] | self.light[w] << 1 | less) & self.ones
            less = self.light[w] >> (self.layout.bits - 1) & 1
            while word:
                first = word & (~word + 1)
                node = w * self.layout.bits + bits.lowest(word)
                if 0 < node < self.layout.nodes and self.steps[node] != self.steps[node - 1]:
                    self.breaks[w] |= first
                word &= word - 1
