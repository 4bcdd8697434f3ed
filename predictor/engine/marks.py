"""Which places of a pass are marked, field by field, though new ones come to lie between."""

from predictor.engine import store


class Marks:
    """By field some places are marked; the marks move on with their places."""

    def __init__(self, fields: int, places: int) -> None:
        self.fields = fields
        self.ones = store.full_word(store.WORD_BITS)
        self.words = 0
        """How many words the marks of a field take, of 64 places each."""
        self.marked = store.words(0)
        """By field: the words of its marks."""
        self.grow(places)

    def grow(self, places: int) -> None:
        """Make room for so many places; marks stay."""
        words = -(-places // store.WORD_BITS)
        marked = store.words(self.fields * words)
        for field in range(self.fields):
            for w in range(self.words):
                marked[field * words + w] = self.marked[field * self.words + w]
        self.words, self.marked = words, marked

    def clear(self) -> None:
        """Let no place be marked."""
        for w in range(self.fields * self.words):
            self.marked[w] = 0

    def cut(self, place: int, count: int) -> None:
        """Let the place and those behind it, of so many, be one further on; no mark is there."""
        first, bit = place >> 6, place & 63
        last = count >> 6
        for field in range(self.fields):
            base = field * self.words
            for w in range(base + last, base + first, -1):
                self.marked[w] = self.marked[w] << 1 & self.ones | self.marked[w - 1] >> 63
            word = self.marked[base + first]
            behind = word >> bit << bit
            self.marked[base + first] = behind << 1 & self.ones | word ^ behind

    def put(self, field: int, place: int, marked: bool) -> None:
        """Mark the place, or take its mark away."""
        w, bit = field * self.words + (place >> 6), place & 63
        one = self.marked[w] >> bit & 1
        if (one > 0) != marked:
            one = 1
            self.marked[w] ^= one << bit
