"""Nodes that one user has exclusively, in a backfill pass: hidden from others until they are left.

A request is not planned on nodes whose jobs belong to a user with whom it may not share them. If
too few nodes are left for it, it is tried again no sooner than when the jobs on as many nodes as
it lacks have ended.

Source: Slurm 24.11 to 26.05, _filter_exclusive_user_mcs_nodes.
"""

from predictor.engine import bits, sets, store
from predictor.engine.groups import Groups
from predictor.engine.layout import Layout
from predictor.engine.owners import Owners
from predictor.engine.rule_tables import Rules
from predictor.engine.timeline import Timeline


class Leaving:
    """Hides from a request nodes of others, first those that these leave last.

    As many nodes as it asks for are not hidden, whoever is there: if others are on any of these,
    it is not tried before the last of them has left. All is as of the beginning of a pass and of
    its last start.
    """

    def __init__(self, owners: Owners, groups: Groups, rules: Rules) -> None:
        self.owners = owners
        self.groups = groups
        self.timeline: Timeline = owners.timeline
        self.layout: Layout = owners.layout
        self.words = self.layout.words
        self.counts = self.layout.owners and rules.owners_leave
        """Whether any node may have an owner, and it is reckoned with his leaving."""
        self.left_at = store.numbers(self.layout.nodes if self.counts else 0)
        """By node: when the last of those leave who are there now."""
        self.now = 0
        self.changed = 0
        self.told_at = store.filled([-1] * self.layout.shapes)
        self.welcoming = store.words(self.layout.shapes * self.words if self.counts else 0)
        """By shape: the nodes that it shares with those there now."""
        self.hidden = store.words(self.words)
        """The nodes of others that whoever looked last does not see, if it need not."""

    def begin(self, now: int) -> None:
        """Take note of who is where now: at the beginning of a pass, or once somebody has started.

        Costs nothing where no node has an owner.
        """
        self.now = now
        self.changed += 1
        if not self.counts:
            return
        for node in range(self.layout.nodes):
            self.left_at[node] = 0
        for i in range(self.groups.count):
            offset, first = self.groups.alive[i] * self.words, self.groups.word_at[i]
            for w in range(first, first + self.groups.words_of[i]):
                word = self.groups.nodes[offset + w]
                while word:
                    node = w * self.layout.bits + bits.lowest(word)
                    word &= word - 1
                    self.left_at[node] = max(self.left_at[node], self.groups.end_at[i])

    def waits_until(self, kind: int, size: int, at: int, end_at: int) -> int:
        """Return when a request for so many nodes is tried that is not tried at `at`; -1: it is.

        Then it sees none of the hidden nodes.
        """
        shape, own = self.layout.shape[kind], self.layout.reservation[kind]
        self._learn(shape)
        sets.copy(self.hidden, 0, self.layout.members, kind * self.words, self.words)
        self.timeline.keep_open(self.hidden, 0, self.words, own, at, end_at)
        found = sets.meet(self.hidden, 0, self.hidden, 0, self.layout.usable, 0, self.words)
        spare = max(0, found - size)
        sets.remove(self.hidden, 0, self.welcoming, shape * self.words, self.words)
        count = self._keep_later(at)
        until = -1
        while count > spare:
            until = self.first_left_at()
            count = self._keep_later(until)
        return until

    def first_left_at(self) -> int:
        """Return when the first of the hidden nodes is left; -1: none is hidden."""
        first = -1
        for w in range(self.words):
            word = self.hidden[w]
            while word:
                left_at = self.left_at[w * self.layout.bits + bits.lowest(word)]
                word &= word - 1
                if first < 0 or left_at < first:
                    first = left_at
        return first

    def hide(self, nodes: store.Words) -> None:
        """Take the hidden nodes from these."""
        sets.remove(nodes, 0, self.hidden, 0, self.words)

    def _keep_later(self, at: int) -> int:
        """Keep of the hidden nodes those that are left later, and return how many these are."""
        count = 0
        for w in range(self.words):
            word = self.hidden[w]
            while word:
                rest = word & (word - 1)
                if self.left_at[w * self.layout.bits + bits.lowest(word)] > at:
                    count += 1
                else:
                    self.hidden[w] ^= word ^ rest
                word = rest
        return count

    def _learn(self, shape: int) -> None:
        """Find out which nodes the shape shares with those there, unless that is known."""
        if self.told_at[shape] == self.changed:
            return
        self.told_at[shape] = self.changed
        self.owners.find_welcoming(shape, self.now)
        sets.copy(self.welcoming, shape * self.words, self.owners.found, 0, self.words)
