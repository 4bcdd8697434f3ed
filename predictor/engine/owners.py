"""Nodes that one user has exclusively as long as jobs of that user are there: closed to others."""

from predictor.engine import sets, store
from predictor.engine.layout import Layout
from predictor.engine.placer import Placer
from predictor.engine.rule_tables import Rules
from predictor.engine.timeline import Timeline


class Owners:
    """Finds the nodes where somebody is welcome, whoever of those there may be ended for him.

    A node has its owner until it has been cleared of his jobs.
    Source: Slurm 22.05, filter_by_node_owner, make_node_idle.
    """

    def __init__(self, placer: Placer, rules: Rules) -> None:
        self.clearing = placer.clearing
        self.timeline: Timeline = placer.timeline
        self.layout: Layout = placer.layout
        self.words = placer.words
        self.stay = self.layout.owners and not rules.owners_leave
        """Whether any node may have an owner, and nobody reckons with his leaving."""
        self.found = store.words(self.words)
        """The nodes found last."""

    def find_welcoming(self, shape: int, at: int) -> None:
        """Find the nodes that nobody has to himself then, or only the shape's own user."""
        slot = self.timeline.slot_at(at)
        user, owns = self.layout.user[shape], self.layout.owns(shape)
        one = 1
        for w in range(self.words):
            word = one - one
            for place in range(min(self.layout.bits, self.layout.nodes - w * self.layout.bits)):
                node = w * self.layout.bits + place
                kept_off = self.clearing.keeps_off(node, user, owns)
                if not kept_off and self.timeline.welcomes(slot, node, shape):
                    word |= one << place
            self.found[w] = word

    def find_open(self, kind: int, at: int) -> None:
        """Find the nodes of the kind's partition where it is welcome, whoever else is there."""
        members = kind * self.words
        if not self.stay:
            sets.copy(self.found, 0, self.layout.members, members, self.words)
            return
        self.find_welcoming(self.layout.shape[kind], at)
        sets.meet(self.found, 0, self.found, 0, self.layout.members, members, self.words)
