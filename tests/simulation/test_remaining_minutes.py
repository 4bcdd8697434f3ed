"""Limits on what running jobs may still use: when somebody passes them though nobody has ended.

Source: Slurm 22.05, GrpTRESRunMins, as read, and as measured on a real one.
"""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, cluster, running, waiting

from predictor.domain import Association, Limits, PassSettings, SchedulerHealth, SchedulerSettings
from predictor.forecast import forecast
from predictor.priority.phase import SETTING_UP_S
from predictor.site import default

SETTINGS = SchedulerSettings(
    limits_enforced=True,
    priority_period_s=5 * MINUTE,
    passes=PassSettings(interval_s=30, step_s=1),
)
LAB = Association(account="lab", limits=Limits(group_tres_run_minutes=(("cpu", 100),)))
# It holds 4 CPUs for 30 minutes still, of 40; the other one wants as many for 10.
LONG = running("1", "n1", 30, account="lab")
SHORT = waiting("2", of_job={"account": "lab"})


def starts_after(settings=SETTINGS, **more):
    """In how many minutes the short job starts."""
    scene = cluster(2, LONG, SHORT, settings=settings, associations=(LAB,), **more)
    (found,) = forecast(scene, default()).predictions
    return (found.start_at - NOW) / MINUTE


@pytest.mark.parametrize(
    ("counted_min", "start"),
    [
        pytest.param(0, 15, id="just now"),
        pytest.param(1, 19, id="a minute ago"),
        pytest.param(4, 16, id="four minutes ago"),
    ],
)
def test_it_starts_once_enough_is_counted_as_gone(counted_min, start):
    began = NOW - 300 * MINUTE - counted_min * MINUTE - SETTING_UP_S
    health = SchedulerHealth(started_at=began)
    assert starts_after(health=health) == pytest.approx(start, abs=0.6)


def test_where_nobody_counts_it_starts_once_the_other_has_ended():
    basic = replace(SETTINGS, multifactor=False)
    assert starts_after(basic) == pytest.approx(30, abs=0.6)
