"""Which places of a pass are marked for whom, though places come to lie between others."""

from predictor.engine import store


class Marks:
    """Some places are marked, in several ways at once; the marks move on with their places."""

    def __init__(self, ways: int, places: int) -> None:
        self.ways = ways
        self.ones = store.full_word(store.WORD_BITS)
        self.words = 0
        """How many words the marks of one way take,"""
        self.marked = store.words(0)
        """and these words, of 64 places each."""
        self.grow(places)

    def grow(self, places: int) -> None:
        """Make room for so many places; marks stay."""
        words = -(-places // store.WORD_BITS)
        marked = store.words(self.ways * words)
        for way in range(self.ways):
            for w in range(self.words):
                marked[way * words + w] = self.marked[way * self.words + w]
        self.words, self.marked = words, marked

    def clear(self) -> None:
        """Let no place be marked."""
        for w in range(self.ways * self.words):
            self.marked[w] = 0

    def part(self, place: int, count: int) -> None:
        """Let the place and those behind it, of so many, be one further on; no mark is there."""
        first, bit = place >> 6, place & 63
        last = count >> 6
        for way in range(self.ways):
            base = way * self.words
            for w in range(base + last, base + first, -1):
                self.marked[w] = self.marked[w] << 1 & self.ones | self.marked[w - 1] >> 63
            word = self.marked[base + first]
            behind = word >> bit << bit
            self.marked[base + first] = behind << 1 & self.ones | word ^ behind

    def put(self, way: int, place: int, marked: bool) -> None:
        """Mark the place, or take its mark away."""
        w, bit = way * self.words + (place >> 6), place & 63
        one = self.marked[w] >> bit & 1
        if (one > 0) != marked:
            one = 1
            self.marked[w] ^= one << bit
