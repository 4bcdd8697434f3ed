"""Distributions of run times."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictor.runtimes.law import LONGER_S, Law

weighted = st.lists(st.tuples(st.integers(1, 1000), st.floats(0.001, 10)), min_size=1, max_size=20)


def test_quantiles_of_equal_weights_are_those_of_the_sorted_run_times():
    law = Law.of((run, 1) for run in (30, 10, 20, 40))
    assert [law.quantile(level) for level in (0, 0.25, 0.26, 0.5, 0.75, 1)] == [
        10,
        10,
        20,
        20,
        30,
        40,
    ]


def test_what_is_named_twice_is_added_up():
    law = Law.of([(10, 1), (20, 2), (10, 1)])
    assert (law.atoms, law.reached) == ((10, 20), (0.5, 1.0))


def test_run_times_without_weight_are_not_there():
    assert Law.of([(10, 0), (20, 1)]) == Law.certain(20)
    with pytest.raises(ValueError, match="positive"):
        Law.of([(10, 0)])


def test_who_has_run_for_a_while_is_no_longer_among_the_short_ones():
    law = Law.of((run, 1) for run in (10, 20, 30, 40)).beyond(20)
    assert (law.atoms, law.reached) == ((30, 40), (0.5, 1.0))


def test_who_outlived_everything_never_ends_now():
    assert Law.certain(10).beyond(10) == Law.certain(10 + LONGER_S)


@given(weighted, st.integers(0, 1100))
def test_the_law_beyond_is_the_law_among_those_who_ran_longer(pairs, elapsed_s):
    beyond = Law.of(pairs).beyond(elapsed_s)
    longer = [(atom, weight) for atom, weight in pairs if atom > elapsed_s]
    expected = Law.of(longer) if longer else Law.certain(elapsed_s + LONGER_S)
    assert beyond.atoms == expected.atoms
    assert beyond.reached == pytest.approx(expected.reached)


@given(weighted, st.floats(0, 1), st.floats(0, 1))
def test_quantiles_ascend_and_are_run_times(pairs, one, other):
    law = Law.of(pairs)
    low, high = (law.quantile(level) for level in sorted((one, other)))
    assert low <= high
    assert {low, high} <= {atom for atom, _ in pairs}
