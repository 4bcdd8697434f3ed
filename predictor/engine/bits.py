"""The operations on bitmap words that a processor has instructions for."""

from predictor.engine.store import Words


def popcount(word: int) -> int:
    """Return how many bits of `word` are set."""
    return word.bit_count()


def lowest(word: int) -> int:
    """Return the index of the lowest bit of `word` that is set; `word` is not 0."""
    return (word & -word).bit_length() - 1


def width(word: int) -> int:
    """Return the index after the highest bit of `word` that is set; 0: none is."""
    return word.bit_length()


def first(word: int, count: int) -> int:
    """Return the lowest `count` of the bits of `word` that are set; so many are."""
    low, high = 0, word.bit_length()
    while low < high:
        middle = (low + high) // 2
        if (word & ((1 << middle) - 1)).bit_count() < count:
            low = middle + 1
        else:
            high = middle
    return word & ((1 << low) - 1)


def next_one(words: Words, first: int, place: int, count: int) -> int:
    """Return the first of so many bits, from this place on, that is set; `count`: none is.

    They are those of words of 64 bits each from the `first` word on.
    """
    if place >= count:
        return count
    w, last = place >> 6, count - 1 >> 6
    word = words[first + w] >> (place & 63) << (place & 63)
    while not word and w < last:
        w += 1
        word = words[first + w]
    return (w << 6) + lowest(word) if word else count
