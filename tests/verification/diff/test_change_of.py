"""How sure a change is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verification.diff.change_of import changed, student


@pytest.mark.parametrize(
    ("level", "freedom", "value"),
    [(0.95, 3, 3.182), (0.95, 9, 2.262), (0.95, 19, 2.093), (0.99, 19, 2.861), (0.95, 1000, 1.962)],
)
def test_students_quantiles_as_tables_have_them(level, freedom, value):
    assert student(level, freedom) == pytest.approx(value, rel=0.02)


def test_pairs_tell_more_than_their_sides():
    # Luck is large and the same on both sides: the change is not.
    one = changed([100.0, 900.0, 500.0, 300.0], [111.0, 909.0, 510.0, 310.0])
    assert one.change == 10
    assert one.detected
    assert one.noise > 300


def test_nothing_is_detected_in_luck():
    assert not changed([1.0, 2.0, 3.0, 4.0], [2.0, 1.0, 4.0, 3.0]).detected


def test_a_change_that_is_always_the_same_is_sure():
    assert changed([1.0, 1.0, 1.0], [2.0, 2.0, 2.0]).detected
    assert not changed([1.0, 1.0, 1.0], [1.0, 1.0, 1.0]).detected


def test_two_draws_are_too_few():
    one = changed([1.0, 1.0], [5.0, 5.0])
    assert (one.change, one.low, one.detected) == (4.0, None, False)
    assert changed([], []) is None


@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6)), min_size=3, max_size=20))
def test_the_mean_lies_inside_its_interval(pairs):
    one = changed([a for a, _ in pairs], [b for _, b in pairs])
    slack = 1e-6 * max(1.0, abs(one.base), abs(one.new))
    assert one.low - slack <= one.change <= one.high + slack
