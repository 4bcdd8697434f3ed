"""The engine's arrays: lists in plain Python, C memory for compiled modules.

A set of nodes is a bitmap, one row of words. Compiled, a word has 64 bits. In plain Python the row
is one word of as many bits as there are nodes: the same loop over words then runs once, at the
speed of Python's long integers.
"""

import mmap
import sys
from array import array
from collections.abc import Iterable, MutableSequence, Sized
from itertools import accumulate
from typing import Any, Final, cast

from predictor.engine.kind import KIND

COMPILED: Final = KIND.compiled
"""Whether compiled modules run, which want C memory."""
WORD_BITS: Final = 64
ITEM_BYTES: Final = 8
LINE_WORDS: Final = 8
"""Memory comes to a processor in lines of so many words, and some take a line at once."""
LAZY_BYTES: Final = 1 << 20
"""From this size on memory comes from the system page by page, when first touched."""


Words = MutableSequence[int]
"""Rows of bitmaps, or whole numbers."""


def word_bits(nodes: int) -> int:
    """Return how many nodes one word of a bitmap stands for, at least 1."""
    return WORD_BITS if COMPILED else max(1, nodes)


def full_word(nodes: int) -> int:
    """Return the word that stands for as many nodes as one can."""
    return (1 << word_bits(nodes)) - 1


def row_words(nodes: int) -> int:
    """Return how many words a set of so many nodes takes, at least 1; whole lines if many."""
    words = max(1, -(-nodes // word_bits(nodes)))
    return -(-words // LINE_WORDS) * LINE_WORDS if words > LINE_WORDS // 2 else words


def stride(words: int) -> int:
    """Return in steps of how many words loops over rows of so many run best."""
    return LINE_WORDS if words % LINE_WORDS == 0 else 1


def words(count: int) -> Words:
    """Return `count` empty words of bitmaps."""
    return _memory(count, "Q") if COMPILED else [0] * count


def numbers(count: int) -> Words:
    """Return `count` whole numbers, all 0; they must stay within 64 bits, signed."""
    return _memory(count, "q") if COMPILED else [0] * count


def reals(count: int) -> MutableSequence[float]:
    """Return `count` floating-point numbers, all 0."""
    return _memory(count, "d") if COMPILED else [0.0] * count


def filled(values: Iterable[int], count: int = 0) -> Words:
    """Return these whole numbers, followed by as many 0 as it takes to be `count`.

    Raises OverflowError, compiled, if one does not fit into 64 bits, signed.
    """
    given = array("q", values) if COMPILED else list(values)
    exact = cast(Words, memoryview(given) if isinstance(given, array) else given)
    return grown(exact, count) if count > len(given) else exact


def grown(values: Words, count: int) -> Words:
    """Return an array of `count` with the same content and 0 behind it; it never shrinks."""
    if not COMPILED:
        return [*values, *[0] * (count - len(values))]
    # What a compiled module hands over is a view of its own kind.
    given = memoryview(cast(Any, values))
    larger = _memory(count, given.format)
    larger[: len(given)] = given
    return cast(Words, larger)


def plain(values: Words) -> list[int]:
    """Return the whole numbers of an array."""
    return memoryview(cast(Any, values)).tolist() if COMPILED else list(values)


def starts(rows: Iterable[Sized]) -> Words:
    """Return where each row begins if all lie one behind the other, and where the last ends."""
    return filled(accumulate(map(len, rows), initial=0))


def rows(bitmaps: Iterable[int], nodes: int) -> Words:
    """Return sets of so many nodes as rows of words, one behind the other."""
    bits, width = word_bits(nodes), row_words(nodes)
    sets = list(bitmaps)
    found = words(len(sets) * width)
    mask = (1 << bits) - 1
    for place, bitmap_ in enumerate(sets):
        for word in range(width):
            found[place * width + word] = bitmap_ >> word * bits & mask
    return found


def bitmap(row: Words, offset: int, nodes: int) -> int:
    """Return the set of so many nodes that the row beginning at `offset` holds."""
    if not COMPILED:
        return row[offset]
    part = memoryview(cast(Any, row))[offset : offset + row_words(nodes)]
    words_in_order = part if sys.byteorder == "little" else part[::-1]
    return int.from_bytes(words_in_order.tobytes(), sys.byteorder)


def _memory(count: int, form: str) -> Any:
    """Return memory that begins where a line does."""
    size = ITEM_BYTES * count
    if size >= LAZY_BYTES:
        private = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        return memoryview(mmap.mmap(-1, size, flags=private)).cast(form)  # type: ignore[call-overload]
    items = array(form, bytes(size + ITEM_BYTES * LINE_WORDS))
    address, _ = items.buffer_info()
    first = -address // ITEM_BYTES % LINE_WORDS
    return memoryview(items)[first : first + count]
