"""When the next pass that looks ahead is made, by what was told of the last one."""

from dataclasses import replace

import pytest
from clusters import NOW

from predictor.domain import PassSettings, SchedulerHealth, SchedulerSettings
from predictor.simulation.passes import Rhythm, Turns

SETTINGS = SchedulerSettings(passes=PassSettings(interval_s=30))


@pytest.mark.parametrize(
    ("last_at", "first_at"),
    [
        pytest.param(None, NOW, id="nothing told: at once"),
        pytest.param(NOW - 10, NOW + 20, id="a pause after the last one"),
        pytest.param(NOW - 500, NOW, id="overdue: at once"),
        pytest.param(NOW + 12, NOW + 12, id="begun since the jobs were asked for: still to come"),
        pytest.param(NOW + 999, NOW + 30, id="by a clock that is wrong: a pause from now"),
    ],
)
def test_passes_go_on_in_the_rhythm_of_the_last_one(last_at, first_at):
    health = SchedulerHealth(backfill_last_at=last_at)
    assert Rhythm.of(SETTINGS, health, NOW).first_at == first_at


@pytest.mark.parametrize(
    ("last_at", "told_at", "known"),
    [
        pytest.param(NOW - 10, NOW, (NOW + 24,), id="over after four seconds: a pause later"),
        pytest.param(NOW - 2, NOW, (NOW + 33,), id="under way: a whole period later"),
        pytest.param(NOW + 5, NOW + 8, (NOW + 5, NOW + 40), id="begun since, and under way"),
        pytest.param(NOW + 5, NOW + 20, (NOW + 5, NOW + 39), id="begun since, and over"),
    ],
)
def test_a_pass_that_is_over_tells_when_the_next_one_begins(last_at, told_at, known):
    health = SchedulerHealth(
        told_at=told_at,
        backfill_last_at=last_at,
        backfill_cycle_last_us=4_000_000,
        backfill_cycle_mean_us=6_000_000,
    )
    settings = SchedulerSettings(passes=PassSettings(interval_s=30, rest_after_us=0))
    rhythm = Rhythm.of(settings, health, NOW)
    assert rhythm.period_s == 35
    assert (rhythm.first_at, rhythm.told_at) == (known[0], known)


def test_passes_that_are_told_replace_the_rhythm_until_the_last_of_them():
    rhythm = Rhythm.of(SETTINGS, SchedulerHealth(backfill_last_at=NOW - 10), NOW)
    told = rhythm.told(Turns((NOW - 44, NOW + 5, NOW + 70)), NOW)
    assert (told.first_at, told.told_at, told.period_s) == (NOW + 5, (NOW + 5, NOW + 70), 30)
    assert rhythm.told(Turns((NOW + 5,), ahead_holds=True), NOW).told_holds
    assert rhythm.told(Turns((NOW - 44,)), NOW) == rhythm
    assert rhythm.told(Turns(main_at=NOW + 9), NOW) == replace(rhythm, main_first_at=NOW + 9)
