"""From which instants on a request is worth trying where slots keep whole nodes."""

from predictor.engine import bits, codes, store
from predictor.engine.hints import Hints
from predictor.engine.layout import Layout
from predictor.engine.timeline import Timeline


class Openings:
    """The instants at which slots end, as far as a request may start before the next of them.

    Only counts nodes: necessary for a start, not sufficient. What runs only ever gives room back.
    """

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.layout: Layout = timeline.layout
        self.words = timeline.words
        self.hints = Hints(self.layout.kinds)
        self.left = store.words(self.words)

    def forget(self) -> None:
        """Begin a new pass: what was learned may not hold any more."""
        self.hints.forget()

    def first(self, kind: int, size: int, length: int, now: int, until: int) -> int:
        """Return the first instant worth a try, `now` or an opening; -1: none up to `until`."""
        bound = self.hints.bound(kind, size, length, now)
        if bound < 0:
            return -1
        earliest = self.timeline.slot_at(now)
        slot = self.timeline.slot_at(bound)
        while slot > earliest and not self.timeline.opens(slot):
            slot -= 1
        at = now if slot == earliest else self.timeline.time[slot]
        return self._try_from(slot, at, kind, size, length, until, bound)

    def after(self, kind: int, size: int, length: int, at: int, until: int) -> int:
        """Return the first instant worth a try, `at` or an opening; -1: none up to `until`."""
        return self._try_from(self.timeline.slot_at(at), at, kind, size, length, until, -1)

    def _try_from(
        self, slot: int, at: int, kind: int, size: int, length: int, until: int, hinted: int
    ) -> int:
        """Try `at`, which lies in the slot, and then slot after slot.

        Learns from it if there is no start before `hinted` (-1: that is not known).
        """
        bound, certain, found, roomless = at, True, False, False
        while at <= until and not found and not roomless:
            following = self.timeline.opening_after(slot)
            roomy = min(following, self.timeline.count - 1)
            failed = self._failing(kind, size, slot, at + length, roomy)
            if certain:
                bound = at
            found = failed < 0
            roomless = not found and following == self.timeline.count
            # Who would end just when a slot begins may fit if tried from elsewhere.
            certain = certain and not (failed > slot and self.timeline.time[failed] == at + length)
            if not found and not roomless:
                slot = following
                at = self.timeline.time[slot]
        if certain and not found:
            bound = -1 if roomless else at
        if hinted >= 0 and bound != hinted:
            self.hints.learn(kind, size, length, bound)
        return at if found else -1

    def is_open(self, kind: int, size: int, length: int, now: int) -> bool:
        """Return whether enough nodes have room now and stay unblocked so long."""
        slot = self.timeline.slot_at(now)
        return self._failing(kind, size, slot, now + length, slot) < 0

    def _failing(self, kind: int, size: int, slot: int, until: int, roomy: int) -> int:
        """Return -1 if enough nodes with room in the slot `roomy` stay unblocked until then.

        Else the slot that begins just then if it alone is the reason, or else `slot`.
        """
        words, rows, edges = self.words, self.timeline.row, self.timeline.edges
        room, blocked, left = self.timeline.room, self.timeline.blocked, self.left
        candidates, offset = self.layout.candidates, kind * words
        first, end = self.layout.first_word[kind], self.layout.end_word[kind]
        base = (rows[roomy] * self.layout.shapes + self.layout.shape[kind]) * words
        found = 0
        for w in range(first, end):
            left[w] = room[base + w] & candidates[offset + w]
            found += bits.popcount(left[w])
        if found < size:
            return slot
        while left[first] == 0 and first < end - 1:
            first += 1
        while left[end - 1] == 0 and first < end - 1:
            end -= 1
        waits = 0
        for i in range(slot, self.timeline.count):
            if self.timeline.time[i] > until:
                break
            if i > slot and edges[rows[i]] == 0:
                continue
            touches = self.timeline.time[i] == until
            # Counting is dearer than narrowing.
            if (touches or waits == codes.SLOTS_A_COUNT) and self._count(first, end) < size:
                return slot
            waits = 0 if waits == codes.SLOTS_A_COUNT else waits + 1
            base = rows[i] * words
            for w in range(first, end):
                left[w] &= ~blocked[base + w]
            if touches:
                return i if self._count(first, end) < size else -1
        return slot if self._count(first, end) < size else -1

    def _count(self, first: int, end: int) -> int:
        found = 0
        for w in range(first, end):
            found += bits.popcount(self.left[w])
        return found
