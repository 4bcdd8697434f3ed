"""From which instants on a request is worth trying where slots keep whole nodes."""

from predictor.engine import codes, sets, store
from predictor.engine.bookings import Bookings
from predictor.engine.hints import Hints
from predictor.engine.layout import Layout
from predictor.engine.refusals import Refusals
from predictor.engine.timeline import Timeline


class Openings:
    """The instants at which slots end, as far as a request may start before the next of them.

    Only counts nodes: necessary for a start, not sufficient. What runs only ever gives room back.
    """

    def __init__(self, timeline: Timeline, bookings: Bookings) -> None:
        self.timeline = timeline
        self.layout: Layout = timeline.layout
        self.bookings = bookings
        self.words = timeline.words
        self.hints = Hints(self.layout.kinds)
        self.refusals = Refusals(bookings, self.layout.kinds)
        """What is known of starts from an opening up to the next one,"""
        self.closed = Refusals(bookings, self.layout.kinds)
        """and of starts just now."""
        self.nodes = store.words(self.words)
        """The nodes left by the last try; when that was over, how many; and after how long."""
        self.left = 0
        self.left_s = 0
        self.place = 0
        """The place of the bookings in which the instant found last lies."""
        self.following = 0
        """The opening behind it; as many as there are places: none is."""

    def forget(self) -> None:
        """Begin a new pass: what was learned may not hold any more."""
        self.hints.forget()

    def first(self, kind: int, size: int, length: int, now: int, until: int) -> int:
        """Return the first instant worth a try, `now` or an opening; -1: none up to `until`."""
        bound = self.hints.bound(kind, size, length, now)
        if bound < 0:
            return -1
        place = self.bookings.place_at(bound)
        while place > 0 and not self.bookings.opens[self.bookings.row[place]]:
            place -= 1
        at = self.bookings.time[place]
        return self._try_from(place, at, kind, size, length, until, bound)

    def after(self, kind: int, size: int, length: int, at: int, until: int) -> int:
        """Return the first instant worth a try, `at` or an opening; -1: none up to `until`."""
        return self._try_from(self.bookings.place_at(at), at, kind, size, length, until, -1)

    def _try_from(
        self, place: int, at: int, kind: int, size: int, length: int, until: int, hinted: int
    ) -> int:
        """Try `at`, which lies in the place, and then opening after opening.

        Learns from it if there is no start before `hinted` (-1: that is not known).
        """
        bound, certain, found, roomless = at, True, False, False
        while at <= until and not found and not roomless:
            self.place = place
            self.following = self.bookings.opening_after(place)
            verdict = self._verdict(kind, size, at, length)
            if certain:
                bound = at
            found = verdict == codes.LIKELY
            roomless = not found and self.following == self.bookings.count
            # Who would end just when a slot begins may fit if tried from elsewhere.
            certain = certain and verdict != codes.TOUCHES
            if not found and not roomless:
                place = self.following
                at = self.bookings.time[place]
        if certain and not found:
            bound = -1 if roomless else at
        if hinted >= 0 and bound != hinted:
            self.hints.learn(kind, size, length, bound)
        return at if found else -1

    def _verdict(self, kind: int, size: int, at: int, length: int) -> int:
        """Return whether so many nodes may be had in the place turned to, from `at` on."""
        row = self.bookings.row[self.place]
        whole = at == self.bookings.time[self.place]
        refused_s = self.refusals.length_of(row, kind, size) if whole else -1
        if 0 <= refused_s <= length:
            return codes.REFUSED
        verdict = self._try(kind, size, at, length, self.last_slot())
        if verdict == codes.REFUSED and whole:
            self.refusals.learn(row, kind, self.left, self.left_s)
        return verdict

    def later(self) -> int:
        """Return the instant of the opening behind the one found last; -1: there is none."""
        if self.following == self.bookings.count:
            return -1
        return self.bookings.time[self.following]

    def last_slot(self) -> int:
        """Return the timeline's slot in force at that instant; without one, its last slot."""
        if self.following == self.bookings.count:
            return self.timeline.count - 1
        return self.bookings.slot[self.bookings.row[self.following]]

    def is_open(self, kind: int, size: int, length: int, now: int) -> bool:
        """Return whether enough nodes have room now and stay unbooked so long."""
        refused_s = self.closed.length_of(self.bookings.row[0], kind, size)
        if 0 <= refused_s <= length:
            return False
        self.place = 0
        verdict = self._try(kind, size, now, length, 0)
        if verdict == codes.REFUSED:
            self.closed.learn(self.bookings.row[0], kind, self.left, self.left_s)
        return verdict == codes.LIKELY

    def _try(self, kind: int, size: int, at: int, length: int, roomy: int) -> int:
        """Return whether enough nodes with room in that slot stay unbooked so long from `at` on.

        Tells how many are left, and after how long, if too few are.
        """
        until = at + length
        offset = kind * self.words
        room = self.timeline.row[roomy] * self.layout.shapes + self.layout.shape[kind]
        first, end = self.layout.first_word[kind], self.layout.end_word[kind]
        self.left_s = 0
        self.left = sets.meet(
            self.nodes,
            first,
            self.timeline.room,
            room * self.words + first,
            self.layout.candidates,
            offset + first,
            end - first,
        )
        if self.left < size:
            return codes.REFUSED
        while self.nodes[first] == 0 and first < end - 1:
            first += 1
        while self.nodes[end - 1] == 0 and first < end - 1:
            end -= 1
        self._narrow(self.place, first, end)
        place = self.place + 1
        waits = 1
        while place < self.bookings.count and self.bookings.time[place] < until:
            # Counting is dearer than narrowing.
            if waits == codes.SLOTS_A_COUNT:
                waits = 0
                if self._count(first, end) < size:
                    return codes.REFUSED
            self._narrow(place, first, end)
            self.left_s = self.bookings.time[place] - at + 1
            waits += 1
            place += 1
        if self._count(first, end) < size:
            return codes.REFUSED
        if place == self.bookings.count or self.bookings.time[place] > until:
            return codes.LIKELY
        self._narrow(place, first, end)
        return codes.TOUCHES if self._count(first, end) < size else codes.LIKELY

    def _narrow(self, place: int, first: int, end: int) -> None:
        base = self.bookings.row[place] * self.words
        sets.remove(self.nodes, first, self.bookings.booked, base + first, end - first)

    def _count(self, first: int, end: int) -> int:
        self.left = sets.size(self.nodes, first, end - first)
        return self.left

    def unbooked(self, nodes: store.Words, kind: int, until: int) -> None:
        """Keep in `nodes` those of the kind that no slot and no reservation touches till then.

        That is from the place found last on.
        """
        first, offset = self.layout.first_word[kind], kind * self.words
        count = self.layout.end_word[kind] - first
        sets.copy(nodes, 0, self.layout.candidates, offset, self.words)
        place = self.place
        while place < self.bookings.count and self.bookings.time[place] <= until:
            row = self.bookings.row[place]
            if self.layout.calendars:
                reservation = self.layout.reservation[kind]
                era = self.bookings.era[row] * self.layout.reservations + reservation
                open_nodes = era * self.words + first
                sets.meet(nodes, first, nodes, first, self.layout.open_nodes, open_nodes, count)
            sets.remove(nodes, first, self.bookings.booked, row * self.words + first, count)
            place += 1
