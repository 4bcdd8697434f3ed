"""What a simulation says, and how leads are compared."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictor.domain.durations import DAY_S
from predictor.windows.raw import (
    CENTRES_S,
    LEAD_BOUNDS_S,
    LEVELS,
    LONGEST_S,
    Raw,
    bins_beside,
    lead_bin,
    ratio,
    shifted,
)


def raw_of(*leads_s, waited_s=0):
    return Raw.of(leads_s, horizon_s=DAY_S, waited_s=waited_s)


def test_quantiles_lie_between_draws():
    assert raw_of(0, 100, 200, 300, 400).quantiles_s == pytest.approx(
        (20, 40, 100, 200, 300, 360, 380)
    )


def test_what_does_not_start_within_the_horizon_starts_at_its_end():
    assert raw_of(None, math.inf, math.nan).quantiles_s == (DAY_S,) * len(LEVELS)


def test_what_is_past_is_now():
    assert raw_of(-50, -1, waited_s=-7) == Raw(quantiles_s=(0.0,) * len(LEVELS), waited_s=0)


def test_without_draws_nothing_is_said():
    with pytest.raises(ValueError, match="never drawn"):
        raw_of()


def test_marks_lie_between_the_draws_and_their_middle():
    raw = raw_of(600, 3600, 7200)
    low, high = raw.quantiles_s[1], raw.quantiles_s[5]
    assert low < raw.marks.low_s < raw.marks.middle_s == 3600 < raw.marks.high_s < high


def test_where_all_draws_agree_so_do_the_marks():
    assert raw_of(900, 900).marks == pytest.approx((900, 900, 900))


@pytest.mark.parametrize(("lead_s", "number"), [(0, 0), (599, 0), (600, 1), (14_400, 3), (1e9, 4)])
def test_bins_begin_at_their_bounds(lead_s, number):
    assert lead_bin(lead_s) == number


def test_at_its_centre_only_one_bin_is_asked():
    for number, centre_s in enumerate(CENTRES_S[:-1]):
        assert bins_beside(centre_s) == (number, pytest.approx(0.0))
        assert lead_bin(centre_s) == number
    assert bins_beside(10 * CENTRES_S[-1]) == (len(CENTRES_S) - 2, pytest.approx(1.0))
    assert bins_beside(0) == (0, 0.0)


@given(st.sampled_from(LEAD_BOUNDS_S))
def test_no_correction_jumps_where_bins_meet(bound_s):
    before, after = bins_beside(bound_s - 1), bins_beside(bound_s + 1)
    assert before[0] == after[0]
    assert after[1] - before[1] < 0.01


@given(st.floats(0, LONGEST_S), st.floats(0, LONGEST_S))
def test_a_shift_by_a_ratio_leads_there(lead_s, other_s):
    assert shifted(other_s, ratio(lead_s, other_s)) == pytest.approx(lead_s, abs=0.01)


@given(st.floats(0, LONGEST_S), st.floats(-1e6, 1e6))
def test_shifts_stay_within_bounds(lead_s, by):
    assert 0 <= shifted(lead_s, by) <= LONGEST_S
