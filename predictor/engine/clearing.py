"""Nodes that are still being cleared of ended jobs: plans count on them, but nobody starts there.

Source: Slurm 22.05 to 26.05, nodes that are completing, in either scheduler.
"""

from predictor.engine import bits, store
from predictor.engine.layout import Layout


class Clearing:
    """Which nodes these are now, as is known beforehand, or from when others were ended on.

    And whose they were.
    """

    def __init__(self, layout: Layout) -> None:
        self.words = layout.words
        self.layout = layout
        self.count = len(layout.cleared_since)
        self.nodes = store.words(self.words)
        self.until = store.numbers(layout.nodes)
        """By node: until when it is cleared of somebody who was ended; 0: it is not."""
        self.noted = 0
        """How many nodes are being cleared of somebody who was ended."""
        self.last = store.numbers(layout.nodes)
        """By node: whose job left it last; 0: nobody's, or one that waits anew."""
        self.leaver = store.filled([-1] * layout.nodes)
        """By node: the number of who left it last; -1: nobody."""
        self.owner = store.numbers(layout.nodes)
        """By node: who had it to himself last; 0: whose job left it last did not."""
        self.seen_at = -1
        self.wait_s = 0
        """Nobody is to start anywhere while nodes have been cleared for less than so long."""

    def see(self, now: int) -> bool:
        """Take note of these nodes; return whether some have been cleared since the last time."""
        if self.is_over():
            return False
        done = False
        for w in range(self.words):
            self.nodes[w] = 0
        for i in range(self.count):
            if self.seen_at < self.layout.cleared_until[i] <= now:
                done = True
            if self.layout.cleared_since[i] <= now < self.layout.cleared_until[i]:
                for w in range(self.words):
                    self.nodes[w] |= self.layout.cleared_nodes[i * self.words + w]
        if self.noted > 0:
            done = self._see_noted(now) or done
        self.seen_at = now
        return done

    def _see_noted(self, now: int) -> bool:
        """Take note of nodes that others had to leave; return whether some are cleared now."""
        done, one = False, 1
        for node in range(self.layout.nodes):
            if self.until[node] > now:
                self.nodes[node // self.layout.bits] |= one << node % self.layout.bits
            elif self.until[node] > 0:
                self.until[node] = 0
                self.noted -= 1
                done = True
        return done

    def is_over(self) -> bool:
        """Return whether no nodes are left to be cleared, as far as is known."""
        return self.count == 0 and self.noted == 0

    def note(self, w: int, nodes: int, until: int) -> None:
        """Let these nodes, a word of a set, be cleared until then."""
        self.nodes[w] |= nodes
        while nodes:
            node = w * self.layout.bits + bits.lowest(nodes)
            nodes &= nodes - 1
            if self.until[node] == 0:
                self.noted += 1
            self.until[node] = max(self.until[node], until)

    def leave(self, person: int, nodes: store.Words, offset: int, shape: int, back: bool) -> None:
        """Take note that somebody of that shape has left these nodes. `back`: to wait anew."""
        user = self.layout.user[shape]
        for w in range(self.words):
            word = nodes[offset + w]
            while word:
                node = w * self.layout.bits + bits.lowest(word)
                word &= word - 1
                self.leaver[node] = person
                self.last[node] = 0 if back else user
                self.owner[node] = user if self.layout.owns(shape) else 0

    def keeps_off(self, node: int, user: int, owns: bool) -> bool:
        """Return whether another user's job, of which nodes are still cleared, keeps that one off.

        Who wants nodes to himself is kept off all of any that is over until the last is cleared,
        others off each until it is cleared if that one had it to itself.
        """
        if owns:
            other = self.last[node]
            return other != 0 and other != user and self._is_uncleared(self.leaver[node])
        other = self.owner[node]
        return other != 0 and other != user and self._is_being_cleared(node)

    def _is_uncleared(self, person: int) -> bool:
        """Return whether any of the nodes that somebody left are still being cleared."""
        for w in range(self.words):
            word = self.nodes[w]
            while word:
                node = w * self.layout.bits + bits.lowest(word)
                word &= word - 1
                if self.leaver[node] == person:
                    return True
        return False

    def _is_being_cleared(self, node: int) -> bool:
        one = 1
        return (self.nodes[node // self.layout.bits] & one << node % self.layout.bits) != 0

    def held_until(self, now: int) -> int:
        """Return until when nobody is to start anywhere, as far as is known now; 0: not at all."""
        latest = 0
        if self.wait_s == 0:
            return latest
        for i in range(self.count):
            until = self._held_until(i)
            if self.layout.cleared_since[i] <= now < until and until > latest:
                latest = until
        return latest

    def _held_until(self, i: int) -> int:
        return min(self.layout.cleared_until[i], self.layout.cleared_since[i] + self.wait_s)

    def next_end(self, now: int) -> int:
        """Return when the next of them are cleared; -1: none ever are."""
        following = -1
        for i in range(self.count):
            until = self.layout.cleared_until[i]
            if until > now and (following < 0 or until < following):
                following = until
        if self.noted > 0:
            for node in range(self.layout.nodes):
                until = self.until[node]
                if until > now and (following < 0 or until < following):
                    following = until
        return following
