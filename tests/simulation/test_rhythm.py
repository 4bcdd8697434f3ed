"""When the next pass that looks ahead is made, by what was told of the last one."""

import pytest
from clusters import NOW

from predictor.domain import PassSettings, SchedulerHealth, SchedulerSettings
from predictor.simulation.passes import Rhythm

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


def test_passes_that_are_told_replace_the_rhythm_until_the_last_of_them():
    rhythm = Rhythm.of(SETTINGS, SchedulerHealth(backfill_last_at=NOW - 10), NOW)
    told = rhythm.told([NOW - 44, NOW + 5, NOW + 70], NOW)
    assert (told.first_at, told.told_at, told.period_s) == (NOW + 5, (NOW + 5, NOW + 70), 30)
    assert rhythm.told([NOW - 44], NOW) == rhythm
