"""What a pass has learned of single openings: which requests cannot start from there."""

from predictor.engine import bits, codes, store
from predictor.engine.bookings import Bookings
from predictor.engine.fences import Fences
from predictor.engine.layout import Layout
from predictor.engine.marks import Marks
from predictor.engine.ranking_tables import NEVER
from predictor.engine.sight import Sight


class Refusals:
    """By opening, kind and class of sizes: the least length that is known not to be possible.

    Within a pass nodes are only ever booked, so what failed from an opening fails from there again,
    and with it every request of the kind for as many nodes or more, as long or longer. A try tells
    even more than that it failed: with so few nodes left after so long, every request for more
    nodes than these fails that lasts that long. A search looks as far as the opening behind, and
    what is known holds for those that look no further.
    """

    def __init__(
        self, bookings: Bookings, fences: Fences, sight: Sight, one_more: bool = False
    ) -> None:
        self.one_more = one_more
        """Whether the first change behind all that is seen is an opening if none seen is."""
        self.sight = sight
        self.fences = fences
        self.bookings = bookings
        self.gives: Marks = bookings.gives
        self.layout: Layout = bookings.layout
        self.kinds = kinds = self.layout.kinds
        self.width = codes.SIZES + 2
        self.known = store.numbers(bookings.rows * kinds * self.width)
        """By row and kind: the birth of the row of which something is known, how far a search
        looked of which it is, and by class of sizes the length; -1: none is known."""
        self.may_move = sight.leaving.counts or self.layout.calendars > 0
        """Whether anything ever puts off where a search is tried."""
        self.kind = 0
        self.size = 0
        self.size_class = 0
        self.forever = NEVER
        self.following = 0
        """The opening behind the one looked at last; as many as there are places: none is."""
        self.open_until = 0
        """When that opening begins; without one, what is later than all."""

    def turn_to(self, kind: int, size: int) -> None:
        """Let what follows be about requests of the kind for so many nodes."""
        self.kind, self.size = kind, size
        self.size_class = self._class_of(size)
        if len(self.known) < self.bookings.rows * self.kinds * self.width:
            self._more()

    def first_unknown(self, place: int, length: int, until: int) -> int:
        """Return the first opening, from this one on, from which nothing speaks against a start.

        The one behind it is then known. `count`, of the places: there is none up to `until`.
        """
        while place < self.bookings.count and self.bookings.time[place] <= until:
            end_at = self.bookings.time[place] + length
            following = self._opening_after(place, end_at, False)
            open_until = self._time_of(following)
            if (self.may_move and self._moves(place, length)) or not self.refuses(
                self.bookings.row[place], length, open_until
            ):
                self.following, self.open_until = following, open_until
                return place
            place = following
        return self.bookings.count

    def _moves(self, place: int, length: int) -> bool:
        """Return whether a start from the place is put off by a maintenance, or by others there."""
        at = self.bookings.time[place]
        if self.sight.waits_until(self.kind, self.size, at, at + length) >= 0:
            return True
        if self.layout.calendars == 0:
            return False
        return self.fences.past_maintenance(self.kind, at, length) > at

    def look_on(self, place: int, end_at: int, met: bool) -> None:
        """Find the opening behind this place that a request sees that ends then.

        `met`: a reservation was in its way before it was put off to there.
        """
        self.following = self._opening_after(place, end_at, met)
        self.open_until = self._time_of(self.following)

    def _opening_after(self, place: int, end_at: int, met: bool) -> int:
        """Return the first opening behind this place at which nodes it sees are given back.

        It is seen up to the second change of what is booked behind `end_at`, when the request would
        end; the end of a reservation is seen by who meets one, or met one before it was put off to
        there. `count`, of the places: none is.
        """
        following = self._given_from(place + 1)
        if following < self.bookings.count and self.bookings.time[following] <= end_at:
            following = self._seen_from(place, following, end_at)
        if following == self.bookings.count or self.bookings.time[following] > end_at:
            following = self._beyond(place, following, end_at)
        if self.layout.calendars == 0:
            return following
        if met or self.fences.are_met(self.kind, self.bookings.time[place], end_at):
            return min(following, self.bookings.edge_after(place))
        return following

    def _given_from(self, place: int) -> int:
        """Return the first place from this one on at which nodes are given back; or `count`."""
        first = self.layout.field[self.kind] * self.gives.words
        return bits.next_one(self.gives.marked, first, place, self.bookings.count)

    def _seen_from(self, place: int, given: int, end_at: int) -> int:
        """Return the same, from such a place on, of nodes that are seen; or one behind the end."""
        if not self.sight.narrows:
            return given
        self.sight.look_from(place, self.kind, self.size, end_at)
        while given < self.bookings.count and self.bookings.time[given] <= end_at:
            if self.sight.is_given(given):
                return given
            given = self._given_from(given + 1)
        return given

    def _beyond(self, place: int, given: int, end_at: int) -> int:
        """Return the opening behind the request's end, if it starts from the place; or `count`.

        Where nodes are given back is one, up to the second change; if so, the third change else.
        """
        at, changes = self.bookings.place_from(place, end_at) + 1, 0
        while at < self.bookings.count:
            if changes < 2 and at == given:
                if not self.sight.narrows:
                    return at
                self.sight.look_from(place, self.kind, self.size, end_at)
                if self.sight.is_given(at):
                    return at
                given = self._given_from(at + 1)
            if self.bookings.is_change(at):
                changes += 1
                if changes == 2 and not self.one_more:
                    return self.bookings.count
                if changes == 3:
                    return at
            at += 1
        return at

    def _time_of(self, following: int) -> int:
        """Return when that opening begins; what is later than all if there is none."""
        return self.forever if following == self.bookings.count else self.bookings.time[following]

    def refuses(self, row: int, length: int, open_until: int) -> bool:
        """Return whether it is known that so many nodes are not to be had in the row for so long.

        That is by who looks as far as `open_until`.
        """
        place = (row * self.kinds + self.kind) * self.width
        if self.known[place] != self.bookings.birth[row] or self.known[place + 1] < open_until:
            return False
        return 0 <= self.known[place + 2 + self.size_class] <= length

    def learn(self, row: int, left: int, length: int, open_until: int) -> None:
        """Note that only `left` nodes are left in the row for a request of that length."""
        place = (row * self.kinds + self.kind) * self.width
        first, end = place + 2, place + self.width
        learned = first + self._class_of(left) + 1 if left > 0 else first
        birth = self.bookings.birth[row]
        # What was known by who looked further holds for those that look as far as this one.
        still = self.known[place] == birth and self.known[place + 1] >= open_until
        self.known[place], self.known[place + 1] = birth, open_until
        if not still:
            for i in range(first, learned):
                self.known[i] = -1
            for i in range(learned, end):
                self.known[i] = length
            return
        for i in range(learned, end):
            if 0 <= self.known[i] <= length:
                return
            self.known[i] = length

    def _class_of(self, size: int) -> int:
        """Return the last class whose least size is no more than `size`, which is not 0."""
        width = bits.width(size)
        half = size >> (width - 2) & 1 if width > 1 else 0
        return min(2 * (width - 1) + half, codes.SIZES - 1)

    def _more(self) -> None:
        rows = self.bookings.rows
        self.known = store.grown(self.known, rows * self.kinds * self.width)
