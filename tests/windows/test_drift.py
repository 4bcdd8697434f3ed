"""An alarm when a figure is no longer what it was, and none because of chance."""

from random import Random

import pytest

from predictor.domain.durations import HOUR_S
from predictor.windows.drift import MOST_ALARMS, MOST_WATCHED, Drift, Figure


def watched(shares, seed=1, whom="jobs of batch", each=20):
    """Return what is said of windows of which these shares held, hour by hour."""
    drift, random = Drift(), Random(seed)  # noqa: S311
    for hour, share in enumerate(shares):
        for number in range(each):
            at = hour * HOUR_S + number * HOUR_S // each
            drift.heard(Figure.HELD, whom, at, random.random() < share)
    return drift


@pytest.mark.parametrize("seed", range(3))
def test_chance_raises_no_alarm_in_a_month(seed):
    assert watched([0.8] * 24 * 30, seed).alarms() == ()


def test_a_stormy_month_raises_none_either():
    luck = Random(5)  # noqa: S311
    assert watched([min(1.0, luck.gauss(0.8, 0.15)) for _ in range(24 * 30)]).alarms() == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [pytest.param(0.8, 0.5, id="windows hold less"), pytest.param(0.6, 0.95, id="or more often")],
)
def test_a_change_is_told_within_half_a_day_with_when_it_began(before, after):
    (alarm,) = watched([before] * 60 + [after] * 60).alarms()
    assert (alarm.what, alarm.whom) == (Figure.HELD, "jobs of batch")
    assert 60 * HOUR_S < alarm.raised_at <= 72 * HOUR_S
    assert 57 * HOUR_S <= alarm.since_at <= 62 * HOUR_S
    assert alarm.before == pytest.approx(before, abs=0.07)
    assert alarm.after == pytest.approx(after, abs=0.1)


def test_after_an_alarm_the_new_ways_are_the_usual_ones():
    assert len(watched([0.8] * 60 + [0.5] * 24 * 20).alarms()) == 1


def test_factors_are_told_as_such():
    drift, luck = Drift(), Random(2)  # noqa: S311
    for minute in range(0, 100 * 60, 3):
        lean = luck.gauss(0.0 if minute < 50 * 60 else 1.0, 0.5)
        drift.heard(Figure.LEAN, "jobs", 60 * minute, lean)
    (alarm,) = drift.alarms()
    assert alarm.before == pytest.approx(1.0, abs=0.15)
    assert alarm.after == pytest.approx(2.7, abs=0.5)


def test_agreement_of_the_replica_is_watched_by_configuration():
    drift, luck = Drift(), Random(3)  # noqa: S311
    for minute in range(0, 48 * 60, 2):
        share = min(1.0, luck.gauss(0.95 if minute < 24 * 60 else 0.75, 0.05))
        drift.heard(Figure.AGREEMENT, "9dc276634c49b67c", 60 * minute, share)
        drift.heard(Figure.AGREEMENT, "another", 60 * minute, 0.9)
    assert [alarm.whom for alarm in drift.alarms()] == ["9dc276634c49b67c"]


def test_memory_is_bounded_whatever_is_watched():
    drift = Drift()
    for number in range(MOST_WATCHED + 10):
        drift.heard(Figure.HELD, str(number), number, 1.0)
    assert len(drift.watches) == MOST_WATCHED
    alarms = watched(([0.9] * 30 + [0.1] * 30) * 60).alarms()
    assert len(alarms) == MOST_ALARMS
