"""From which instants on a request is worth trying where slots keep whole nodes."""

from predictor.engine import codes, sets, store
from predictor.engine.bookings import Bookings
from predictor.engine.fences import Fences
from predictor.engine.layout import Layout
from predictor.engine.lending import Lending
from predictor.engine.licensing import Licensing
from predictor.engine.refusals import Refusals
from predictor.engine.sight import Sight
from predictor.engine.timeline import Timeline


class Openings:
    """The instants at which slots end, as far as a request may start before the next of them.

    Only counts nodes: necessary for a start, not sufficient. What runs only ever gives room back.
    """

    def __init__(
        self,
        timeline: Timeline,
        lending: Lending,
        free: store.Words,
        sight: Sight,
        one_more: bool,
    ) -> None:
        self.timeline = timeline
        self.layout: Layout = timeline.layout
        self.lending = lending
        bookings: Bookings = lending.bookings
        self.bookings = bookings
        self.words = timeline.words
        self.fences = Fences(timeline)
        self.licensing = Licensing(timeline)
        self.sight = sight
        self.refusals = Refusals(bookings, self.fences, sight, one_more)
        """What is known of starts from an opening up to the next one."""
        self.closed = Refusals(bookings, self.fences, sight)
        """What is known of starts just now."""
        self.free = free
        """The nodes of the kind that no slot takes while the request tried last would run."""
        self.whole = True
        """Whether these still are all nodes of the kind."""
        self.first_word = 0
        self.word_count = 0
        """In how many words, from `first_word` on, nodes of the kind lie."""
        self.nodes_at = 0
        """Where in the layout's `candidates` those words of the kind's nodes begin."""
        self.room_at = 0
        """Where in the timeline's `room` those words of the nodes that have room begin."""
        self.left = 0
        """How many of the free nodes have room."""
        self.left_s = 0
        """How many seconds after the start so few were left."""
        self.thorough = False
        """Whether every instant is worth a try from which it could start at all, if only later."""
        self.met = False
        """Whether who was put off by a maintenance had met a reservation gone through before it."""
        self.place = 0
        """The place of the bookings in which the instant found last lies."""
        self.following = 0
        """The opening behind it for that request; as many as there are places: none is."""
        self.left_at = -1
        """Without such an opening: when the first node hidden from it is left; -1: none is."""

    def first(self, kind: int, size: int, length: int, now: int, until: int) -> int:
        """Return the first instant worth a try, `now` or an opening; -1: none up to `until`."""
        return self._try_from(0, now, kind, size, length, until)

    def after(self, kind: int, size: int, length: int, at: int, until: int) -> int:
        """Return the first instant worth a try, `at` or an opening; -1: none up to `until`."""
        return self._try_from(self.bookings.place_at(at), at, kind, size, length, until)

    def following_one(self, kind: int, size: int, length: int, until: int) -> int:
        """Return the first instant worth a try behind the one found last, an opening.

        There is one behind it. -1: none up to `until` is.
        """
        place, at = self._following_place(), self._following_at()
        return self._try_from(place, at, kind, size, length, until)

    def _try_from(self, place: int, at: int, kind: int, size: int, length: int, until: int) -> int:
        """Try `at`, which lies in the place, and then opening after opening."""
        self.refusals.turn_to(kind, size)
        self.met = False
        while at <= until:
            whole = at == self.bookings.time[place] and not self.thorough
            if whole and not self.met:
                place = self.refusals.first_unknown(place, length, until)
                if place == self.bookings.count:
                    return -1
                at = self.bookings.time[place]
            free_at = self._put_off_until(kind, size, at, length)
            if free_at < 0:
                return -1
            if free_at > at:
                place, at = self.bookings.place_from(place, free_at), free_at
                continue
            if self.met or not whole:
                self.refusals.look_on(place, at + length, self.met)
            self.place, self.following = place, self.refusals.following
            self.left_at = -1
            if self.following == self.bookings.count:
                self.left_at = self.sight.is_left_at(kind, size, at, at + length)
            verdict = self._try(kind, size, at, length, self.last_slot(kind))
            if verdict == codes.LIKELY:
                return at
            # Who would end just when a slot begins may fit if tried from elsewhere.
            if verdict == codes.REFUSED and whole:
                row, open_until = self.bookings.row[place], self.refusals.open_until
                self.refusals.learn(row, self.left, self.left_s, open_until)
            place, at = self._following_place(), self._following_at()
            self.met = False
            if at < 0:
                return -1
        return -1

    def _put_off_until(self, kind: int, size: int, at: int, length: int) -> int:
        """Return when `at` is tried again if anything but slots is in the way; else `at`.

        That is a maintenance, those on its nodes, or too few licenses. -1: these last as long as
        anything is planned.
        """
        if self.layout.calendars:
            open_at = self.fences.past_maintenance(kind, at, length)
            if open_at > at:
                self.met = self.fences.met_before
                return open_at
        # Whoever has a reservation is only asked about licenses when he would start.
        if self.layout.keeps_licenses and self.layout.reservation[kind] == 0:
            kept_until = self.licensing.left_from(kind, at, length)
            if kept_until < 0:
                return -1
            if kept_until > at:
                self.met = False
                return kept_until
        left_at = self.sight.waits_until(kind, size, at, at + length)
        if left_at >= 0:
            return left_at
        if self.lending.counts(kind):
            licensed_at = self.lending.short_until(kind, at, at + length)
            if licensed_at >= self.bookings.window_end:
                return -1
            if licensed_at > at:
                self.met = False
                return licensed_at
        return at

    def _following_at(self) -> int:
        """Return the instant that is tried behind the one found last; -1: none is."""
        if self.following == self.bookings.count:
            return self.left_at
        return self.bookings.time[self.following]

    def _following_place(self) -> int:
        """Return the place in which that lies, if there is one."""
        if self.following == self.bookings.count:
            return self.bookings.place_from(self.place, self.left_at)
        return self.following

    def later(self, kind: int) -> int:
        """Return the instant of the opening behind the one found last; -1: there is none.

        Whoever has a reservation is not tried again behind its end.
        """
        return -1 if self._is_over(kind) else self._following_at()

    def _is_over(self, kind: int) -> bool:
        """Return whether the kind's reservation, if it has one, is over at that opening."""
        if self.layout.reservation[kind] == 0 or self.layout.calendars == 0:
            return False
        if self.following == self.bookings.count:
            return False
        era = self.bookings.era[self.bookings.row[self.following]] * self.layout.reservations
        row = (era + self.layout.reservation[kind]) * self.words
        return not sets.touch(self.layout.open_nodes, row, self.layout.open_nodes, row, self.words)

    def last_slot(self, kind: int) -> int:
        """Return the timeline's slot in force at that instant; without one, its last slot."""
        if self.thorough or self._following_at() < 0 or self._is_over(kind):
            return self.timeline.count - 1
        if self.following == self.bookings.count:
            return self.timeline.slot_at(self.left_at)
        return self.bookings.slot[self.bookings.row[self.following]]

    def is_open(self, kind: int, size: int, length: int, now: int) -> bool:
        """Return whether enough nodes have room now and stay unbooked so long."""
        self.closed.turn_to(kind, size)
        if self.closed.refuses(self.bookings.row[0], length, now):
            return False
        self.place = 0
        verdict = self._try(kind, size, now, length, 0)
        if verdict == codes.REFUSED:
            self.closed.learn(self.bookings.row[0], self.left, self.left_s, now)
        return verdict == codes.LIKELY

    def _try(self, kind: int, size: int, at: int, length: int, roomy: int) -> int:
        """Return whether enough nodes with room in that slot stay unbooked so long from `at` on.

        Tells how many are left, and after how long, if too few are.
        """
        until = at + length
        self._turn_to(kind, roomy)
        place, end = self.place, self.bookings.place_from(self.place, until - 1) + 1
        self.left_s = 0
        while place < end:
            place = self._narrow(place, end)
            if place - 1 > self.place:
                self.left_s = self.bookings.time[place - 1] - at + 1
            if self.left < size:
                return codes.REFUSED
        if place == self.bookings.count or self.bookings.time[place] > until:
            return codes.LIKELY
        self._narrow_by(self.bookings.booked, place)
        return codes.TOUCHES if self.left < size else codes.LIKELY

    def _turn_to(self, kind: int, roomy: int) -> None:
        """Let a try be about the kind, and about the nodes with room in that slot."""
        first = self.layout.first_word[kind]
        self.first_word = first
        self.word_count = self.layout.end_word[kind] - first
        self.nodes_at = kind * self.words + first
        room = self.timeline.row[roomy] * self.layout.shapes + self.layout.shape[kind]
        self.room_at = room * self.words + first
        self.whole = True

    def _narrow(self, place: int, end: int) -> int:
        """Leave what is not booked from the place to the end of its block, or `end`; return that.

        Counts the nodes left that have room.
        """
        following = self.bookings.block_after(place)
        if following <= end:
            self._narrow_by(self.bookings.onward, place)
            return following
        if self.bookings.leads[place]:
            self._narrow_by(self.bookings.so_far, end - 1)
            return end
        for i in range(place, end):
            self._narrow_by(self.bookings.booked, i)
        return end

    def _narrow_by(self, booked: store.Words, place: int) -> None:
        first, count, room = self.first_word, self.word_count, self.room_at
        row = self.bookings.row[place] * self.words + first
        if self.whole:
            self.whole = False
            self.left = sets.narrow(
                self.free,
                first,
                self.layout.candidates,
                self.nodes_at,
                booked,
                row,
                self.timeline.room,
                room,
                count,
            )
        else:
            self.left = sets.narrow(
                self.free, first, self.free, first, booked, row, self.timeline.room, room, count
            )

    def leave_untaken(self, kind: int, until: int) -> None:
        """Keep in `free` only nodes of the kind that no slot and no reservation touches till then.

        That is from the instant found last on, with which the request would run until then.
        """
        # Where nodes are shared, ends count also where they leave too little room.
        if not self.layout.exact:
            self._count_roomless(until)
        self._leave_open(kind, until)

    def leave_untaken_from(self, place: int, kind: int, until: int) -> None:
        """Keep in `free` nodes of the kind that none touches from the place on till then.

        Whoever is there now.
        """
        self._turn_to(kind, 0)
        self.place = place
        self._count_roomless(until)
        self._leave_open(kind, until)

    def _leave_open(self, kind: int, until: int) -> None:
        """Keep in `free`, in the words of the kind, only what no reservation touches till then."""
        first, end = self.layout.first_word[kind], self.layout.end_word[kind]
        sets.remove(self.free, 0, self.free, 0, first)
        sets.remove(self.free, end, self.free, end, self.words - end)
        own, at = self.layout.reservation[kind], self.bookings.time[self.place]
        self.timeline.keep_open(self.free, first, end - first, own, at, until)

    def _count_roomless(self, until: int) -> None:
        """Keep in `free` all nodes of the kind that no slot touches till then, without room too."""
        first, count, place = self.first_word, self.word_count, self.place
        sets.copy(self.free, first, self.layout.candidates, self.nodes_at, count)
        while place < self.bookings.count and self.bookings.time[place] <= until:
            row = self.bookings.row[place] * self.words + first
            sets.remove(self.free, first, self.bookings.booked, row, count)
            place += 1

    def open_nodes(self, nodes: store.Words, kind: int) -> None:
        """Keep in `nodes` those that `is_open` has just found, in the words of the kind."""
        first = self.layout.first_word[kind]
        count = self.layout.end_word[kind] - first
        room = self.timeline.row[0] * self.layout.shapes + self.layout.shape[kind]
        room = room * self.words + first
        sets.meet(nodes, first, self.timeline.room, room, self.free, first, count)
