import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged import case

from predictor.domain.durations import HOUR_S as HOUR
from verification.scoring.columns import columns_of
from verification.scoring.stability import Movement, stability

told = st.lists(st.integers(0, 10_000), min_size=2, max_size=12).map(
    lambda starts: [(60 * n, at) for n, at in enumerate(starts)]
)


def test_movement_counts_to_and_fro():
    found = Movement.of([(0, 100), (60, 160), (120, 130), (180, 130), (240, 150)])
    assert found == Movement(waited_s=240, moved_s=110, net_s=50, turns=2)


def test_half_an_hour_later_than_at_first_has_slipped():
    assert not Movement.of([(0, 100), (60, 1900)]).slipped
    assert Movement.of([(0, 100), (60, 1901), (120, 100)]).slipped


@given(told)
def test_it_never_moves_less_than_it_got(some):
    found = Movement.of(some)
    assert found.net_s <= found.moved_s
    assert (found.turns == 0) == (found.net_s == found.moved_s)


def test_steadiness_is_told_by_the_hour_of_waiting():
    cases = [
        case("a", seen_at=0, ours=5000),
        case("a", seen_at=HOUR, ours=5600),
        case("b", seen_at=0, ours=HOUR),
        case("b", seen_at=2 * HOUR, ours=HOUR),
        case("once", seen_at=0, ours=7),
    ]
    columns = columns_of(cases)
    found = stability(columns, columns.said("ours"))
    assert found.moved_s_per_hour == pytest.approx(200)
    assert (found.turns_per_hour, found.oscillation, found.slipped_1800s) == (0, 0, 0)


def test_a_single_answer_is_neither_steady_nor_unsteady():
    columns = columns_of([case(ours=7)])
    assert stability(columns, columns.said("ours")).moved_s_per_hour is None
