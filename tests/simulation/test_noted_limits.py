"""Whom a limit has stopped already, told by the reason that the batch system shows."""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, cluster, running, waiting

from predictor.domain import Association, Limits, Obstacle, PassSettings, SchedulerSettings
from predictor.forecast import forecast
from predictor.site import default

SETTINGS = SchedulerSettings(
    limits_enforced=True, backfill=False, passes=PassSettings(limits_stop=True, main_interval_s=60)
)
LAB = Association(account="lab", limits=Limits(group_jobs=1))


@pytest.mark.parametrize(
    ("obstacle", "start_min"),
    [
        pytest.param(Obstacle.LIMIT, 0, id="who waits for it stops nobody any more"),
        pytest.param(Obstacle.NONE, 1, id="who waits for something else does once"),
    ],
)
def test_whom_a_limit_keeps_back_stops_others_until_that_is_noted(obstacle, start_min):
    limited = replace(waiting("2", of_job={"account": "lab"}), obstacle=obstacle)
    there = running("1", "n1", 30, account="lab")
    scene = cluster(3, there, limited, waiting("3"), settings=SETTINGS, associations=(LAB,))
    starts = {one.job_id: one.start_at for one in forecast(scene, default()).predictions}
    assert starts["3"] == pytest.approx(NOW + start_min * MINUTE, abs=2)
