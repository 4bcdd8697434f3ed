import pytest
from hypothesis import given
from hypothesis import strategies as st

from verification.judging.marking import Life, Mark, mark

BEGIN, END = 100, 200


@pytest.mark.parametrize(
    ("life", "expected"),
    [
        pytest.param(Life(submitted_at=10, runs=((20, 100),)), Mark.GONE, id="over at the begin"),
        pytest.param(Life(submitted_at=10, left_at=90), Mark.GONE, id="left before the begin"),
        pytest.param(Life(submitted_at=201, runs=((300, 400),)), Mark.LATE, id="came later"),
        pytest.param(Life(submitted_at=10, runs=((20, 101),)), Mark.RUNNING, id="runs"),
        pytest.param(Life(submitted_at=10, runs=((100, None),)), Mark.RUNNING, id="runs on"),
        pytest.param(Life(submitted_at=10, left_at=150), Mark.REMOVED, id="cancelled"),
        pytest.param(Life(submitted_at=110, left_at=200), Mark.REMOVED, id="came and went"),
        pytest.param(Life(submitted_at=110, runs=((110, 130),)), Mark.FUTURE, id="starts at once"),
        pytest.param(Life(submitted_at=100, runs=((101, 130),)), Mark.WAITING, id="waited"),
        pytest.param(Life(submitted_at=10, runs=((201, 230),)), Mark.UNRESOLVED, id="starts after"),
        pytest.param(Life(submitted_at=150), Mark.UNRESOLVED, id="still waits"),
        pytest.param(Life(submitted_at=10, left_at=201), Mark.UNRESOLVED, id="cancelled after"),
        pytest.param(
            Life(submitted_at=10, runs=((20, 50), (120, 190))),
            Mark.WAITING,
            id="requeued by the begin: what follows counts",
        ),
        pytest.param(
            Life(submitted_at=10, runs=((20, 50),), last_waiting_at=150),
            Mark.UNRESOLVED,
            id="requeued and waiting still",
        ),
        pytest.param(
            Life(submitted_at=10, runs=((20, 120), (150, 190))),
            Mark.RUNNING,
            id="running at the begin, requeued later",
        ),
    ],
)
def test_marks(life, expected):
    assert mark(life, BEGIN, END) is expected


@st.composite
def lives(draw):
    """Anybody who was submitted, ran any number of times, and perhaps left unstarted."""
    instants = sorted(draw(st.sets(st.integers(0, 300), min_size=1, max_size=7)))
    submitted_at, *rest = instants
    pairs = list(zip(rest[::2], rest[1::2], strict=False))
    ran_on = len(rest) % 2 and draw(st.booleans())
    runs = [*pairs, (rest[-1], None)] if ran_on else pairs
    left_at = None if ran_on or not len(rest) % 2 else rest[-1]
    return Life(submitted_at=submitted_at, runs=tuple(runs), left_at=left_at)


@given(lives())
def test_the_first_condition_that_holds_decides(life):
    """The table of marks, condition by condition, none of which looks at the others."""
    first = next((start for start, _ in life.runs if start > BEGIN), None)
    last = max((end or 10**9 for _, end in life.runs), default=None)
    if life.left_at is not None:
        last = life.left_at
    conditions = {
        Mark.GONE: last is not None and last <= BEGIN,
        Mark.LATE: life.submitted_at > END,
        Mark.RUNNING: any(start <= BEGIN < (end or 10**9) for start, end in life.runs),
        Mark.REMOVED: first is None and (life.left_at or END + 1) <= END,
        Mark.FUTURE: life.submitted_at > BEGIN and first is not None and first <= END,
        Mark.WAITING: life.submitted_at <= BEGIN and first is not None and first <= END,
        Mark.UNRESOLVED: True,
    }
    assert mark(life, BEGIN, END) is next(m for m in Mark if conditions[m])
