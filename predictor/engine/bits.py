"""The operations on bitmap words that a processor has instructions for."""


def popcount(word: int) -> int:
    """Return how many bits of `word` are set."""
    return word.bit_count()


def lowest(word: int) -> int:
    """Return the index of the lowest bit of `word` that is set; `word` is not 0."""
    return (word & -word).bit_length() - 1
