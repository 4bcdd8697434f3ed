"""The operations on bitmap words that a processor has instructions for."""


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
