"""Sets of nodes as stretches of words: what is done with all words of a stretch at once.

A set is told as an array and where in it the stretch begins; `count` is how many words it has.
"""

from predictor.engine.store import Words


def copy(target: Words, i: int, source: Words, j: int, count: int) -> None:
    """Make the target equal to the source."""
    target[i : i + count] = source[j : j + count]


def add(target: Words, i: int, other: Words, j: int, count: int) -> None:
    """Add the other's nodes to the target."""
    for w in range(count):
        target[i + w] |= other[j + w]


def add_to_rows(
    target: Words,
    rows: Words,
    first: int,
    end: int,
    stride: int,
    i: int,
    other: Words,
    j: int,
    count: int,
) -> None:
    """Add the other's nodes to each set whose row is told by `rows`, from `first` to `end`.

    Rows are `stride` words long, and the stretches begin `i` words behind where these do.
    """
    for place in range(first, end):
        add(target, rows[place] * stride + i, other, j, count)


def remove(target: Words, i: int, other: Words, j: int, count: int) -> None:
    """Remove the other's nodes from the target."""
    for w in range(count):
        target[i + w] &= ~other[j + w]


def meet(target: Words, i: int, one: Words, j: int, other: Words, k: int, count: int) -> int:
    """Make the target what two sets have in common, and return how many nodes that are."""
    found = 0
    for w in range(count):
        word = one[j + w] & other[k + w]
        target[i + w] = word
        found += word.bit_count()
    return found


def narrow(
    target: Words,
    i: int,
    one: Words,
    h: int,
    taken: Words,
    j: int,
    other: Words,
    k: int,
    count: int,
) -> int:
    """Make the target what is not taken of a set; return how many nodes the other has of that."""
    found = 0
    for w in range(count):
        word = one[h + w] & ~taken[j + w]
        target[i + w] = word
        found += (word & other[k + w]).bit_count()
    return found


def left(one: Words, i: int, other: Words, j: int, taken: Words, k: int, count: int) -> int:
    """Return how many nodes two sets have in common that a third has not."""
    found = 0
    for w in range(count):
        found += (one[i + w] & other[j + w] & ~taken[k + w]).bit_count()
    return found


def touch(one: Words, i: int, other: Words, j: int, count: int) -> bool:
    """Return whether two sets have any node in common."""
    return any(one[i + w] & other[j + w] for w in range(count))


def next_touching(
    word: Words,
    word_at: Words,
    words_of: Words,
    rows: Words,
    nodes: Words,
    stride: int,
    among: Words,
    first: int,
    end: int,
) -> int:
    """Return the first set from `first` on that has nodes in common with `among`.

    Of each set one word is told, which word that is, and how many there are from that one on; the
    others are in its row of `nodes`, `stride` words long. `end` if there is none before it.
    """
    for i in range(first, end):
        if word[i] & among[word_at[i]]:
            return i
        row = rows[i] * stride + word_at[i]
        if words_of[i] > 1 and touch(nodes, row, among, word_at[i], words_of[i]):
            return i
    return end


def exceeds(one: Words, i: int, other: Words, j: int, count: int) -> bool:
    """Return whether one set has any node that the other has not."""
    return any(one[i + w] & ~other[j + w] for w in range(count))
