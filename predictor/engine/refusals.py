"""What a pass has learned of single openings: which requests cannot start from there."""

from predictor.engine import bits, codes, store
from predictor.engine.bookings import Bookings


class Refusals:
    """By opening, kind and class of sizes: the least length that is known not to be possible.

    Within a pass nodes are only ever booked, so what failed from an opening fails from there again,
    and with it every request of the kind for as many nodes or more, as long or longer. A try tells
    even more than that it failed: with so few nodes left after so long, every request for more
    nodes than these fails that lasts that long. Only where nothing ends any more at the opening
    behind does a search look further; so what is known of a row holds for one birth of it.
    """

    def __init__(self, bookings: Bookings, kinds: int) -> None:
        self.bookings = bookings
        self.kinds = kinds
        self.known = store.numbers(bookings.rows * kinds)
        """By row and kind: the birth of the row of which something is known."""
        self.length = store.numbers(bookings.rows * kinds * codes.SIZES)
        self.kind = 0
        self.size_class = 0
        self.left = 0
        self.left_s = 0
        """No more nodes are left, at most so many, after how long."""

    def turn_to(self, kind: int, size: int) -> None:
        """Let what follows be about requests of the kind for so many nodes."""
        self.kind = kind
        self.size_class = self._class_of(size)
        self.left = ((2 + (self.size_class & 1)) << (self.size_class >> 1) >> 1) - 1

    def refuses(self, row: int, length: int) -> bool:
        """Return whether it is known that so many nodes are not to be had in the row for so long.

        `left` and `left_s` then are what it follows from.
        """
        place = row * self.kinds + self.kind
        if place >= len(self.known) or self.known[place] != self.bookings.birth[row]:
            return False
        self.left_s = self.length[place * codes.SIZES + self.size_class]
        return 0 <= self.left_s <= length

    def pass_over(self, place: int, length: int, until: int) -> int:
        """Return the first from this place on, or opening behind it, that is not known to refuse.

        It may lie behind `until`; as many as there are places: there is none. `left_s` is the most
        of those passed over.
        """
        self.left_s = 0
        while place < self.bookings.count and self.bookings.time[place] <= until:
            row = self.bookings.row[place]
            known = row * self.kinds + self.kind
            if known >= len(self.known) or self.known[known] != self.bookings.birth[row]:
                return place
            left_s = self.length[known * codes.SIZES + self.size_class]
            if left_s < 0 or left_s > length:
                return place
            self.left_s = max(self.left_s, left_s)
            place = self.bookings.opening_after(place)
        return place

    def learn(self, row: int, left: int, length: int) -> None:
        """Note that only `left` nodes are left in the row for a request of that length."""
        place = row * self.kinds + self.kind
        if place >= len(self.known):
            self._more()
        first, end = place * codes.SIZES, (place + 1) * codes.SIZES
        learned = first + self._class_of(left) + 1 if left > 0 else first
        if self.known[place] != self.bookings.birth[row]:
            self.known[place] = self.bookings.birth[row]
            for i in range(first, learned):
                self.length[i] = -1
            for i in range(learned, end):
                self.length[i] = length
            return
        for i in range(learned, end):
            if 0 <= self.length[i] <= length:
                return
            self.length[i] = length

    def _class_of(self, size: int) -> int:
        """Return the last class whose least size is no more than `size`, which is not 0."""
        width = bits.width(size)
        half = size >> (width - 2) & 1 if width > 1 else 0
        return min(2 * (width - 1) + half, codes.SIZES - 1)

    def _more(self) -> None:
        rows = self.bookings.rows
        self.known = store.grown(self.known, rows * self.kinds)
        self.length = store.grown(self.length, rows * self.kinds * codes.SIZES)
