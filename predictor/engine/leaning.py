"""To which nodes jobs are drawn because others of their group run there.

Source: Slurm 22.05, node sets of the controller and weights in select/cons_tres, as read, and as
the log of its passes tells.
"""

from predictor.engine import store
from predictor.engine.layout import Layout
from predictor.engine.limits import Limits


class Leaning:
    """Which nodes weigh one more than they are said to.

    Where it is counted on how many nodes a group runs, those that it does not use yet weigh more
    for its jobs. That stays so for everybody until another is tried on these nodes: whoever is
    planned meanwhile is drawn to nodes of a group that is not its own.
    """

    def __init__(self, layout: Layout, limits: Limits | None) -> None:
        self.layout = layout
        self.limits = limits
        self.words = layout.words
        self.ones = store.full_word(layout.nodes)
        self.matters = limits is not None and limits.layout.spreads > 0
        """Whether any node ever can,"""
        self.leans = False
        """and whether any node does."""
        self.heavy = store.words(self.words)
        self.breaks = store.words(self.words)
        """The nodes of which only one weighs more, it or the one before."""
        self.used = store.words(self.words)

    def turn_to(self, claim: int, nodes: store.Words, offset: int) -> None:
        """Take note that a claim, -1: none, is tried on these nodes; others weigh what they did."""
        if self.limits is None or not self.matters:
            return
        for w in range(self.words):
            self.used[w] = 0
        if claim >= 0:
            self.limits.add_used(claim, self.used)
        elsewhere = True
        for w in range(self.words):
            if self.used[w] & nodes[offset + w]:
                elsewhere = False
        self.leans = False
        carry = 0
        for w in range(self.words):
            word = nodes[offset + w]
            self.heavy[w] &= ~word
            if not elsewhere:
                self.heavy[w] |= word & ~self.used[w]
            word = self.heavy[w]
            self.leans = self.leans or word != 0
            self.breaks[w] = (word ^ (word << 1 | carry)) & self.ones
            carry = word >> (self.layout.bits - 1) & 1

    def burden(self, node: int) -> int:
        """Return how much more the node weighs."""
        w = node // self.layout.bits
        return self.heavy[w] >> (node - w * self.layout.bits) & 1
