"""Marks that move on with their places, as plain Python has them, beside lists of marks."""

from hypothesis import given
from hypothesis import strategies as st

from predictor.engine.marks import Marks

FIELDS = 3
FIRST_PLACES = 16

wishes = st.one_of(
    st.tuples(st.just("cut"), st.integers(0, 400)),
    st.tuples(st.just("put"), st.integers(0, FIELDS - 1), st.integers(0, 400), st.booleans()),
    st.tuples(st.just("clear")),
)


def marked(steps):
    """Return by field which places are marked after all steps, of how many that there are then."""
    marks, count, places = Marks(FIELDS, FIRST_PLACES), 1, FIRST_PLACES
    for what, *wish in steps:
        if what == "cut":
            if count == places:
                places *= 2
                marks.grow(places)
            marks.cut(1 + wish[0] % count, count)
            count += 1
        elif what == "put":
            field, place, put = wish
            marks.put(field, place % count, put)
        else:
            marks.clear()
            count = 1
    words = marks.words
    return [
        [
            w * 64 + bit
            for w in range(words)
            for bit in range(64)
            if _word(marks, field, w) >> bit & 1
        ]
        for field in range(FIELDS)
    ]


def _word(marks, field, w):
    return marks.marked[field * marks.words + w]


def listed(steps):
    """Return the same of plain lists."""
    rows = [[False] for _ in range(FIELDS)]
    for what, *wish in steps:
        if what == "cut":
            for row in rows:
                row.insert(1 + wish[0] % len(row), False)
        elif what == "put":
            field, place, put = wish
            rows[field][place % len(rows[field])] = put
        else:
            rows = [[False] for _ in range(FIELDS)]
    return [[place for place, mark in enumerate(row) if mark] for row in rows]


@given(st.lists(wishes, max_size=60), st.lists(wishes.filter(lambda wish: wish[0] != "clear")))
def test_marks_move_on_with_their_places(pure_python, some, more):
    many = [("cut", place * 7) for place in range(70)]
    for steps in ([*some, *more], [*some, *many, *more]):
        assert pure_python.call(marked, steps) == listed(steps)


def test_a_mark_passes_from_word_to_word(pure_python):
    steps = [("cut", 0)] * 62 + [("put", 1, 62, True), ("cut", 0), ("cut", 0), ("cut", 0)]
    assert pure_python.call(marked, steps) == [[], [65], []]
