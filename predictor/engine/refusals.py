"""What a pass has learned of single openings: which requests cannot start from there."""

from predictor.engine import bits, codes, store
from predictor.engine.bookings import Bookings


class Refusals:
    """By opening, kind and class of sizes: the least length that is known not to be possible.

    Within a pass nodes are only ever booked, so what failed from an opening fails from there again,
    and with it every request of the kind for as many nodes or more, as long or longer. A try tells
    even more than that it failed: with so few nodes left after so long, every request for more
    nodes than these fails that lasts that long. A search looks as far as the opening behind, and
    what is known holds for those that look no further.
    """

    def __init__(self, bookings: Bookings, kinds: int) -> None:
        self.bookings = bookings
        self.kinds = kinds
        self.known = store.numbers(bookings.rows * kinds)
        """By row and kind: the birth of the row of which something is known."""
        self.open_until = store.numbers(bookings.rows * kinds)
        """By row and kind: how far a search looked of which something is known."""
        self.length = store.numbers(bookings.rows * kinds * codes.SIZES)
        self.kind = 0
        self.size_class = 0

    def turn_to(self, kind: int, size: int) -> None:
        """Let what follows be about requests of the kind for so many nodes."""
        self.kind = kind
        self.size_class = self._class_of(size)

    def refuses(self, row: int, length: int, open_until: int) -> bool:
        """Return whether it is known that so many nodes are not to be had in the row for so long.

        That is by who looks as far as `open_until`.
        """
        place = row * self.kinds + self.kind
        if place >= len(self.known) or self.known[place] != self.bookings.birth[row]:
            return False
        if open_until > self.open_until[place]:
            return False
        return 0 <= self.length[place * codes.SIZES + self.size_class] <= length

    def learn(self, row: int, left: int, length: int, open_until: int) -> None:
        """Note that only `left` nodes are left in the row for a request of that length."""
        place = row * self.kinds + self.kind
        if place >= len(self.known):
            self._more()
        first, end = place * codes.SIZES, (place + 1) * codes.SIZES
        learned = first + self._class_of(left) + 1 if left > 0 else first
        birth = self.bookings.birth[row]
        if self.known[place] != birth or self.open_until[place] != open_until:
            self.known[place], self.open_until[place] = birth, open_until
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
        self.open_until = store.grown(self.open_until, rows * self.kinds)
        self.length = store.grown(self.length, rows * self.kinds * codes.SIZES)
