"""Arrays and words of bitmaps: the same in both kinds of engine."""

from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictor.engine import bits, store
from predictor.engine.kind import KIND, ROOT, sources

MANY = store.LAZY_BYTES // store.ITEM_BYTES


def arrays(count: int) -> list[list[float]]:
    return [list(make(count)) for make in (store.words, store.numbers, store.reals)]


@pytest.mark.parametrize("count", [0, 1, 1000, MANY])
def test_arrays_begin_at_zero(same_in_both, count):
    assert same_in_both(arrays, count) == [[0] * count] * 3


def longer_arrays() -> list[list[int]]:
    given = store.filled([3, -4])
    words = store.words(2)
    words[1] = 2**64 - 1
    empty = store.filled([], 2)
    return [list(array) for array in (given, store.grown(given, 4), store.grown(words, 3), empty)]


def test_arrays_grow_and_keep_what_they_hold(same_in_both):
    assert same_in_both(longer_arrays) == [[3, -4], [3, -4, 0, 0], [0, 2**64 - 1, 0], [0, 0]]


def test_the_extremes_of_whole_numbers():
    extremes = [-(2**63), -1, 0, 2**63 - 1]
    assert list(store.filled(extremes)) == extremes


def test_a_number_too_large_is_refused(same_in_both):
    with pytest.raises(OverflowError):
        store.filled([2**63])


def offsets(rows: list[str]) -> list[int]:
    return list(store.starts(rows))


@pytest.mark.parametrize(
    ("rows", "starts"), [([], [0]), (["ab", "", "c"], [0, 2, 2, 3]), ([""], [0, 0])]
)
def test_where_rows_begin(same_in_both, rows, starts):
    assert same_in_both(offsets, rows) == starts


def switch_and_files() -> list[object]:
    modules = [import_module(name) for name in sources(ROOT)] if KIND.compiled else []
    return [KIND.name, sorted({Path(str(module.__file__)).suffix for module in modules})]


def test_the_second_process_runs_plain_python(pure_python):
    assert pure_python.call(switch_and_files) == ["pure", []]


def test_this_process_runs_what_it_says():
    assert switch_and_files() in (["compiled", [".so"]], ["pure", []])


def bits_of_words(nodes: int) -> int:
    return store.word_bits(nodes)


def test_one_word_holds_all_nodes_in_plain_python(pure_python):
    assert pure_python.call(bits_of_words, 1000) == 1000
    assert pure_python.call(bits_of_words, 0) == 1


@given(st.integers(min_value=1, max_value=2**200 - 1))
def test_bits_of_a_word(word):
    indices = [i for i in range(200) if word >> i & 1]
    assert (bits.popcount(word), bits.lowest(word)) == (len(indices), indices[0])
