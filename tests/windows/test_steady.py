"""What is told moves as little as it may, and as much as it must."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictor.windows.raw import LEVELS, Raw
from predictor.windows.steady import RECALLED_MOST_S, as_told, drawn_at, steadied

NOW = 1_000_000


def all_at(lead_s):
    return Raw(quantiles_s=(float(lead_s),) * len(LEVELS), waited_s=5)


def test_the_first_draws_are_taken_as_they_are():
    assert steadied(all_at(600), NOW, (), 0) == all_at(600)


@pytest.mark.parametrize(
    ("passed_s", "lead_s"),
    [
        pytest.param(0, 3600, id="the same look twice: nothing new"),
        pytest.param(60, 3540 + 0.0813 * 3660, id="a minute later: a little of it"),
        pytest.param(6 * RECALLED_MOST_S, 7200, id="hours later: nothing but the new draws"),
    ],
)
def test_earlier_draws_count_the_less_the_longer_ago_they_were(passed_s, lead_s):
    before = drawn_at(all_at(3600), NOW)
    found = steadied(all_at(7200), NOW + passed_s, before, NOW)
    assert found.lead_s == pytest.approx(lead_s, rel=0.01)
    assert found.waited_s == 5


@pytest.mark.parametrize(("was_s", "is_s"), [(7200, 60), (120, 36_000)])
def test_what_was_or_is_to_start_soon_is_believed_soon(was_s, is_s):
    before = drawn_at(all_at(was_s), NOW)
    found = steadied(all_at(is_s), NOW + 120, before, NOW)
    assert found.lead_s == pytest.approx(is_s, rel=0.1, abs=50)


QUANTILES = st.lists(st.floats(0, 1e7), min_size=7, max_size=7).map(lambda one: tuple(sorted(one)))


@given(QUANTILES, QUANTILES, st.integers(0, 100_000))
def test_quantiles_ascend_and_lie_between_old_and_new(old, new, passed_s):
    before = drawn_at(Raw(quantiles_s=old, waited_s=0), NOW)
    found = steadied(Raw(quantiles_s=new, waited_s=0), NOW + passed_s, before, NOW).quantiles_s
    assert list(found) == sorted(found)
    for one, was, is_ in zip(found, old, new, strict=True):
        least, most = sorted((was - passed_s, is_))
        assert max(0.0, least) - 1e-3 <= one <= max(0.0, most) + 1e-3


@pytest.mark.parametrize(
    ("lead_s", "told_s", "again_s"),
    [
        pytest.param(1000, 1070, 1070, id="near: as told"),
        pytest.param(1000, 1110, 1000, id="not near"),
        pytest.param(5, -1, 5, id="what was told is past"),
        pytest.param(0, 9, 9, id="seconds before a start are near"),
    ],
)
def test_likely_starts_stay_as_told_while_near(lead_s, told_s, again_s):
    assert as_told(lead_s, told_s) == again_s
