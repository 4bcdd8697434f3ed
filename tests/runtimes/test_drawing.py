"""Run times drawn from laws: the luck of a draw."""

from itertools import pairwise
from statistics import correlation, fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictor.runtimes import drawing
from predictor.runtimes.drawing import draw_s, uniform
from predictor.runtimes.estimate import Estimate
from predictor.runtimes.law import Law

MANY = range(4000)
EVEN = Law.of((minute * 60, 1.0) for minute in range(1, 101))


def draws_s(estimate, job_id, draws):
    return list(drawing.draws_s(estimate, job_id, draws))


def estimate(law=EVEN, likes="a"):
    return Estimate(law=law, because="as others like it", likes=likes)


def test_the_same_draw_is_always_the_same():
    assert uniform("12", 3) == uniform("12", 3)
    assert [draw_s(estimate(), "12", draw) for draw in range(40)] == draws_s(
        estimate(), "12", range(40)
    )


def test_a_draw_does_not_change_with_how_many_others_there_are():
    assert draws_s(estimate(), "12", range(50))[:20] == draws_s(estimate(), "12", range(20))
    assert draws_s(estimate(), "12", (7, 3)) == [
        draw_s(estimate(), "12", 7),
        draw_s(estimate(), "12", 3),
    ]


@given(st.text(), st.integers(0, 1 << 40))
def test_chance_lies_strictly_between_0_and_1(key, draw):
    assert 0 < uniform(key, draw) < 1


def test_chance_is_even():
    drawn = [uniform(str(key), draw) for key in range(250) for draw in range(16)]
    tenths = [sum(low / 10 <= one < (low + 1) / 10 for one in drawn) for low in range(10)]
    assert all(320 < tenth < 480 for tenth in tenths)


def test_other_keys_and_other_draws_have_other_luck():
    assert len({uniform(str(key), draw) for key in range(50) for draw in range(50)}) == 2500
    alone = [uniform("12", draw) for draw in MANY]
    assert abs(correlation(alone, [uniform("13", draw) for draw in MANY])) < 0.05
    assert abs(correlation(*zip(*pairwise(alone), strict=True))) < 0.05


def test_draws_follow_the_law():
    law = Law.of([(60, 1.0), (600, 2.0), (7200, 1.0)])
    drawn = draws_s(estimate(law), "12", MANY)
    shares = [drawn.count(one) / len(drawn) for one in law.atoms]
    assert shares == pytest.approx([0.25, 0.5, 0.25], abs=0.03)


def test_what_is_certain_needs_no_luck():
    assert draws_s(estimate(Law.certain(90)), "12", range(5)) == [90] * 5


def test_jobs_that_are_alike_are_fast_or_slow_together():
    one, like, other = (
        draws_s(estimate(likes=likes), id_, MANY)
        for id_, likes in (("1", "a"), ("2", "a"), ("3", "b"))
    )
    assert 0.2 < correlation(one, like) < 0.4
    assert abs(correlation(one, other)) < 0.06


@pytest.mark.parametrize("together", [0.0, 1.0])
def test_the_middle_stays_where_it_is_however_much_is_shared(monkeypatch, together):
    monkeypatch.setattr(drawing, "TOGETHER", together)
    assert fmean(draws_s(estimate(), "12", MANY)) == pytest.approx(50.5 * 60, rel=0.03)


def test_a_strange_id_is_an_id_like_any_other():
    assert 0 < uniform("\udcff\0", 0) < 1
