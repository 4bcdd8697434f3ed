"""The engine's arrays: lists in plain Python, C memory for compiled modules.

A set of nodes is a bitmap, one row of words. Compiled, a word has 64 bits. In plain Python the row
is one word of as many bits as there are nodes: the same loop over words then runs once, at the
speed of Python's long integers.
"""

import mmap
from collections.abc import MutableSequence
from typing import Any, Final

from predictor.engine.kind import KIND

COMPILED: Final = KIND.compiled
"""Whether compiled modules run, which want C memory."""
WORD_BITS: Final = 64
ITEM_BYTES: Final = 8
LAZY_BYTES: Final = 1 << 20
"""From this size on memory comes from the system page by page, when first touched."""


def word_bits(nodes: int) -> int:
    """Return how many nodes one word of a bitmap stands for, at least 1."""
    return WORD_BITS if COMPILED else max(1, nodes)


def row_words(nodes: int) -> int:
    """Return how many words a bitmap of so many nodes has, at least 1."""
    return -(-max(1, nodes) // word_bits(nodes))


def words(count: int) -> MutableSequence[int]:
    """Return `count` empty words of bitmaps."""
    return _memory(count, "Q") if COMPILED else [0] * count


def numbers(count: int) -> MutableSequence[int]:
    """Return `count` whole numbers, all 0; they must stay within 64 bits, signed."""
    return _memory(count, "q") if COMPILED else [0] * count


def reals(count: int) -> MutableSequence[float]:
    """Return `count` floating-point numbers, all 0."""
    return _memory(count, "d") if COMPILED else [0.0] * count


def _memory(count: int, form: str) -> Any:
    size = ITEM_BYTES * count
    if size < LAZY_BYTES:
        return memoryview(bytearray(size)).cast(form)  # type: ignore[call-overload]
    private = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    return memoryview(mmap.mmap(-1, size, flags=private)).cast(form)  # type: ignore[call-overload]
