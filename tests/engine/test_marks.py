"""Marks that move on with their places, as plain Python has them, beside lists of marks."""

from hypothesis import given
from hypothesis import strategies as st

from predictor.engine.marks import Marks

WAYS = 3
FIRST_PLACES = 16

wishes = st.one_of(
    st.tuples(st.just("part"), st.integers(0, 400)),
    st.tuples(st.just("put"), st.integers(0, WAYS - 1), st.integers(0, 400), st.booleans()),
    st.tuples(st.just("clear")),
)


def marked(steps):
    """Return by way which places are marked after all steps, of how many that there are then."""
    marks, count, places = Marks(WAYS, FIRST_PLACES), 1, FIRST_PLACES
    for what, *wish in steps:
        if what == "part":
            if count == places:
                places *= 2
                marks.grow(places)
            marks.part(1 + wish[0] % count, count)
            count += 1
        elif what == "put":
            way, place, put = wish
            marks.put(way, place % count, put)
        else:
            marks.clear()
            count = 1
    words = marks.words
    return [
        [w * 64 + bit for w in range(words) for bit in range(64) if _word(marks, way, w) >> bit & 1]
        for way in range(WAYS)
    ]


def _word(marks, way, w):
    return marks.marked[way * marks.words + w]


def listed(steps):
    """Return the same of plain lists."""
    rows = [[False] for _ in range(WAYS)]
    for what, *wish in steps:
        if what == "part":
            for row in rows:
                row.insert(1 + wish[0] % len(row), False)
        elif what == "put":
            way, place, put = wish
            rows[way][place % len(rows[way])] = put
        else:
            rows = [[False] for _ in range(WAYS)]
    return [[place for place, mark in enumerate(row) if mark] for row in rows]


@given(st.lists(wishes, max_size=60), st.lists(wishes.filter(lambda wish: wish[0] != "clear")))
def test_marks_move_on_with_their_places(pure_python, some, more):
    many = [("part", place * 7) for place in range(70)]
    for steps in ([*some, *more], [*some, *many, *more]):
        assert pure_python.call(marked, steps) == listed(steps)


def test_a_mark_passes_from_word_to_word(pure_python):
    steps = [("part", 0)] * 62 + [("put", 1, 62, True), ("part", 0), ("part", 0), ("part", 0)]
    assert pure_python.call(marked, steps) == [[], [65], []]
