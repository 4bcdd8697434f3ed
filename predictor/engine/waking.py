"""Nodes that sleep to save power: which ones do, and how long those take that are woken."""

from predictor.engine import bits, codes, store
from predictor.engine.layout import Layout
from predictor.engine.timeline import Timeline


class Waking:
    """Who is asleep on one timeline. A set of nodes is told as an array and where it begins."""

    def __init__(self, timeline: Timeline, boots_s: int) -> None:
        self.timeline = timeline
        self.boots_s = boots_s
        """So long a node takes to boot, if that is less than it may; -1: as long as it may."""
        self.layout: Layout = timeline.layout
        self.words = timeline.words
        self.asleep = store.words(self.words)
        """The nodes that nobody has woken yet."""
        for w in range(self.words):
            self.asleep[w] = self.layout.asleep[w]
        self.awake_at = store.numbers(self.layout.nodes)
        """By node that was woken: when it has booted."""
        self.idle_since = store.filled([self.timeline.time[0]] * self.layout.nodes)
        """By node that is idle or sleeps: since when it is idle, or since the beginning."""
        for node in range(len(self.layout.idle_since)):
            self.idle_since[node] = self.layout.idle_since[node]
        self.taken_at = store.numbers(self.layout.nodes)
        """By node that is not idle: when it ceased to be."""
        self.woken = 0
        """How many nodes were woken of late, times 60.

        It falls each second by as many as may be woken in a minute.
        """
        self.counted_at = self.timeline.time[0]
        """When `woken` was counted last."""

    def wake(self, nodes: store.Words, offset: int, at: int) -> int:
        """Let those of the nodes boot that sleep, and return how long it takes for all."""
        longest = 0
        for w in range(self.words):
            word = nodes[offset + w]
            while word:
                first = word & (~word + 1)
                node = w * self.layout.bits + bits.lowest(word)
                word &= word - 1
                if self.asleep[w] & first or self._sleeps(node, at):
                    self.asleep[w] &= ~first
                    self.awake_at[node] = at + self._takes_s(node, at)
                longest = max(longest, self.awake_at[node] - at)
                if self.layout.sleepless > 0 and self.is_idle(node):
                    self.taken_at[node] = at
        return longest

    def _takes_s(self, node: int, at: int) -> int:
        """Return how long it takes to wake the node: it falls asleep first, others go before it."""
        falls_s = self.idle_since[node] + self.layout.sleeps_after_s[node] - at
        falls_s += self.layout.dozes_s[node]
        falls_s = min(max(falls_s, 0), self.layout.dozes_s[node])
        boots_s = self.layout.boot_s[node]
        if self.boots_s >= 0:
            boots_s = min(boots_s, self.boots_s)
        return max(falls_s, self._turn_s(at)) + boots_s

    def _turn_s(self, at: int) -> int:
        """Return after how long one more node may be woken, which is then counted.

        Source: Slurm 22.05, power_save: of those of the last minute ever fewer count.
        """
        most = self.layout.wakes_per_minute
        if most <= 0:
            return 0
        self.woken = max(0, self.woken - most * (at - self.counted_at)) + codes.MINUTE_S
        self.counted_at = at
        return (max(0, self.woken - codes.MINUTE_S * most) + most - 1) // most

    def _sleeps(self, node: int, at: int) -> bool:
        """Return whether a node that was awake has fallen asleep since."""
        after_s = self.layout.sleeps_after_s[node]
        tired = 0 < after_s <= at - self.idle_since[node]
        return tired and self.is_idle(node) and not self._is_kept_awake(node, at)

    def _is_kept_awake(self, node: int, at: int) -> bool:
        """Return whether it is of those that must not sleep, in any group of nodes.

        So it must have been when it would first have slept.
        """
        tired_at = self.idle_since[node] + self.layout.sleeps_after_s[node]
        kept = False
        for group in range(self.layout.sleepless):
            kept = kept or (
                self._is_among_first(node, group, tired_at)
                and self._is_among_first(node, group, at)
            )
        return kept

    def _is_among_first(self, node: int, group: int, at: int) -> bool:
        """Return whether it is among the first of the group that are idle then and do not sleep."""
        before = self.layout.sleepless_count[group]
        row = group * self.words
        for w in range(self.words):
            word = self.layout.sleepless_nodes[row + w] & ~self.asleep[w]
            while word and before > 0:
                other = w * self.layout.bits + bits.lowest(word)
                word &= word - 1
                if other == node:
                    return True
                if self._was_idle(other, at):
                    before -= 1
        return False

    def _was_idle(self, node: int, at: int) -> bool:
        """Return whether the node was idle then, as far as that is remembered."""
        return self.idle_since[node] <= at and (self.is_idle(node) or at < self.taken_at[node])

    def is_idle(self, node: int) -> bool:
        """Return whether nobody has any of the node's CPUs."""
        return self.timeline.free_cpus(0, node) == self.layout.cpus[node]

    def note_idle(self, nodes: store.Words, offset: int, at: int) -> None:
        """Note since when those nodes are idle that somebody has given back."""
        if not self.layout.doze:
            return
        for w in range(self.words):
            word = nodes[offset + w]
            while word:
                node = w * self.layout.bits + bits.lowest(word)
                word &= word - 1
                if self.is_idle(node):
                    self.idle_since[node] = at
