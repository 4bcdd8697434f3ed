"""How far a pass that looks ahead gets, and how long it takes."""

from dataclasses import replace

import pytest
from clusters import NOW

from predictor.domain import PassSettings, SchedulerHealth, SchedulerSettings
from predictor.simulation.pace import lasted, lasts_s, reach, work_us
from predictor.simulation.passes import Rhythm, rules

SECOND = 1_000_000
GOES_ON = PassSettings(continues=True)
CUT = SchedulerHealth(
    told_at=NOW,
    backfill_last_at=NOW - 50,
    backfill_cycle_last_us=26 * SECOND,
    backfill_cycle_mean_us=25 * SECOND,
    backfill_cycle_max_us=27 * SECOND,
    backfill_depth_last=300,
    backfill_depth_mean=250,
    backfill_depth_tried_last=120,
    backfill_depth_tried_mean=100,
    backfill_queue_last=4_000,
    backfill_queue_mean=3_000,
)
"""26 s of work and 13 rests of half a second make more than the 30 s that a pass may take."""


@pytest.mark.parametrize(
    ("work_s", "lasts"),
    [(0.01, 0.01), (1.9, 1.9), (2, 2.5), (26, 32.5)],
)
def test_a_pass_rests_after_every_two_seconds_of_work(work_s, lasts):
    assert lasts_s(round(work_s * SECOND), PassSettings()) == lasts


def test_one_that_never_rests():
    assert lasts_s(26 * SECOND, PassSettings(rest_after_us=0)) == 26


def test_the_next_ones_work_between_the_last_one_and_the_average():
    assert work_us(CUT) == 25.5 * SECOND
    assert work_us(replace(CUT, backfill_cycle_mean_us=None)) == 26 * SECOND
    assert work_us(SchedulerHealth()) == work_us(None) == 0


@pytest.mark.parametrize(
    ("told", "lasts"),
    [
        pytest.param({}, 32.5, id="over"),
        pytest.param({"backfill_last_at": NOW - 32}, None, id="under way"),
        pytest.param({"backfill_cycle_last_us": None}, None, id="not told how long it worked"),
        pytest.param({"backfill_last_at": None}, None, id="not told when it began"),
        pytest.param({"told_at": None}, None, id="not told when that was so"),
    ],
)
def test_how_long_the_last_one_took(told, lasts):
    assert lasted(replace(CUT, **told), GOES_ON) == lasts


@pytest.mark.parametrize(
    ("told", "jobs"),
    [
        pytest.param({}, 120, id="its time was over"),
        pytest.param({"backfill_depth_last": 4_000}, 0, id="it got through"),
        pytest.param({"backfill_cycle_last_us": 9 * SECOND}, 0, id="it had time enough"),
        pytest.param({"backfill_last_at": NOW - 20}, 100, id="under way: as on average"),
        pytest.param(
            {"backfill_last_at": NOW - 20, "backfill_depth_mean": 3_000}, 0, id="on average through"
        ),
        pytest.param({"told_at": None}, 100, id="not told when: as on average"),
        pytest.param({"backfill_cut_short": 0}, 0, id="no pass ever ended early"),
        pytest.param({"backfill_cut_short": 3}, 120, id="some did"),
        pytest.param({"backfill_queue_last": None}, 0, id="an older scheduler does not tell"),
        pytest.param({"backfill_depth_tried_last": 0}, 1, id="one at least"),
    ],
)
def test_how_far_it_gets(told, jobs):
    assert reach(GOES_ON, replace(CUT, **told)) == jobs


@pytest.mark.parametrize(("work_s", "jobs"), [(1.9, 0), (2.1, 100)])
def test_one_that_may_not_go_on_after_changes_gets_as_far_as_to_the_first_rest(work_s, jobs):
    health = replace(CUT, backfill_cycle_last_us=round(work_s * SECOND))
    assert reach(PassSettings(), health) == jobs


@pytest.mark.parametrize(("depth", "jobs"), [(1_499, 100), (1_500, 0)])
def test_a_single_one_that_a_change_ended_says_nothing_of_the_next(depth, jobs):
    health = replace(CUT, backfill_depth_mean=depth)
    assert reach(PassSettings(), health) == jobs


def test_a_longer_time_gets_it_through():
    assert reach(replace(GOES_ON, time_max_s=40), replace(CUT, backfill_last_at=NOW - 60)) == 0


def test_what_the_site_says_counts():
    assert reach(replace(GOES_ON, reach=7), CUT) == 7
    assert reach(replace(GOES_ON, reach=0), CUT) == 0
    assert reach(GOES_ON, None) == 0


@pytest.mark.parametrize(("most", "looks"), [(500, 120), (50, 50), (0, 120)])
def test_it_looks_at_no_more_than_it_may(most, looks):
    passes = replace(GOES_ON, jobs_max=most)
    rhythm = Rhythm.of(SchedulerSettings(passes=passes), CUT, NOW)
    assert rhythm.period_s == 30 + 32
    assert rules(passes, rhythm).jobs_max == looks
