"""A distribution as a few of its quantiles."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verification.workloads.distance import ks_of_values
from verification.workloads.spread import HALVINGS, STEPS, Spread, shares_of, spread_of

values = st.lists(st.integers(0, 10**6), min_size=1, max_size=400)


def drawn(spread, count=1000):
    return [spread.at((number + 0.5) / count) for number in range(count)]


@given(values, st.floats(0, 1, exclude_max=True))
def test_nothing_is_drawn_from_outside(some, share):
    assert min(some) * 0.999 <= spread_of(some).at(share) <= max(some) * 1.001


@given(st.lists(st.integers(1, 10**6), min_size=STEPS + 2, max_size=600))
def test_what_is_drawn_is_spread_as_the_values_were(some):
    found = sorted(round(one, 6) for one in drawn(spread_of(some)))
    assert ks_of_values(sorted(some), found) <= 2.5 / STEPS


@given(st.lists(st.integers(0, 99), min_size=1, max_size=STEPS + 1))
def test_a_few_values_are_kept_as_they_are(some):
    assert spread_of(some).values == tuple(sorted(some))


@pytest.mark.parametrize("count", range(1, STEPS + HALVINGS + 2))
def test_shares_ascend_from_0_to_1(count):
    shares = shares_of(count)
    assert len(shares) == count
    assert list(shares) == sorted(set(shares))
    assert (shares[0], shares[-1]) == ((0.0, 1.0) if count > 1 else (0.0, 0.0))


def test_a_rare_giant_keeps_its_weight():
    some = [1.0] * 10_000 + [10_000.0]
    assert sum(drawn(spread_of(some), 100_000)) / 100_000 < 3


def test_one_value_is_always_drawn():
    assert drawn(spread_of([7, 7, 7]), 5) == [7] * 5


@pytest.mark.parametrize(
    "wrong", [(), (2, 1), (-1, 1), tuple(range(42)), (float("nan"),), (1, float("inf"))]
)
def test_no_spread(wrong):
    with pytest.raises(ValueError, match="spread"):
        Spread(wrong)
