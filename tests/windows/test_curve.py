"""Weighted quantiles of outcomes, some of which are still open."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictor.windows.curve import Curve

KNOWN, OPEN = False, True


def test_without_open_outcomes_levels_are_shares_of_the_weight():
    curve = Curve.of([(1.0, KNOWN, 1.0), (2.0, KNOWN, 2.0), (5.0, KNOWN, 1.0)])
    assert curve.values == [1.0, 2.0, 5.0]
    assert curve.levels == pytest.approx([0.125, 0.5, 0.875])
    assert curve.at(0.5) == pytest.approx(2.0)
    assert curve.at(0.6875) == pytest.approx(3.5), "linear between two"
    assert (curve.at(0.01), curve.at(0.99)) == (1.0, 5.0)


# Of four, one has waited beyond 1 and may still come to anything: its share goes to both above.
#
#   value   1      2 (open)    3     4
#   share  1/4        -       3/8   3/8
def test_what_is_open_counts_for_what_may_still_come():
    seen = [(1.0, KNOWN, 1.0), (2.0, OPEN, 1.0), (3.0, KNOWN, 1.0), (4.0, KNOWN, 1.0)]
    assert Curve.of(seen).levels == pytest.approx([1 / 8, 1 / 4 + 3 / 16, 1 - 3 / 16])


def test_without_anything_known_there_is_no_curve():
    with pytest.raises(ValueError, match="no outcome is known"):
        Curve.of([(2.0, OPEN, 1.0)])


SEEN = st.tuples(st.floats(-5, 5), st.booleans(), st.floats(0.001, 10))


@given(st.lists(SEEN, max_size=30).map(sorted))
def test_higher_levels_lie_higher(seen):
    curve = Curve.of(sorted([*seen, (0.0, KNOWN, 1.0)]))
    found = [curve.at(step / 50) for step in range(51)]
    assert found == sorted(found)
    assert all(0 <= level <= 1 for level in curve.levels)


@given(st.lists(SEEN, min_size=1, max_size=30), st.floats(0, 5))
def test_whoever_waits_on_moves_nothing_down(seen, longer):
    known = [(0.0, KNOWN, 1.0), (1.0, KNOWN, 1.0)]
    later = [(value + longer if is_open else value, is_open, one) for value, is_open, one in seen]
    before, after = Curve.of(sorted(known + seen)), Curve.of(sorted(known + later))
    assert all(after.at(step / 20) >= before.at(step / 20) - 1e-9 for step in range(21))
