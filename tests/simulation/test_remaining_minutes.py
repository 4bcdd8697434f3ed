"""Limits on what running jobs may still use: when somebody passes them though nobody has ended.

Source: Slurm 22.05, GrpTRESRunMins, as read, and as measured on a real one.
"""

from dataclasses import replace

import pytest
from clusters import HOUR, MINUTE, NOW, cluster, nodes, partition, running, waiting

from predictor.domain import (
    Association,
    CpuGranularity,
    Limits,
    NodeSharing,
    PassSettings,
    Request,
    SchedulerHealth,
    SchedulerSettings,
)
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


@pytest.mark.parametrize("began", [NOW - HOUR, NOW + HOUR, -(2**70)])
def test_a_period_beyond_all_measure_is_as_good_as_none(began):
    ages = replace(SETTINGS, priority_period_s=2**63)
    found = starts_after(ages, health=SchedulerHealth(started_at=began))
    assert found == pytest.approx(30, abs=0.6)


def test_where_nobody_counts_it_starts_once_the_other_has_ended():
    basic = replace(SETTINGS, multifactor=False)
    assert starts_after(basic) == pytest.approx(30, abs=0.6)


@pytest.mark.parametrize(
    ("most", "start"),
    [pytest.param(4, 0, id="as many"), pytest.param(3, None, id="fewer")],
)
def test_cpus_of_cores_that_tasks_leave_idle_count_in_limits(most, start):
    # 3 tasks on one node of 2 threads per core: measured on a real Slurm 22.05.8 (lot 36).
    node = replace(nodes(1, cpus=8)[0], cpus_per_core=2)
    shared = partition("batch", (node,), sharing=NodeSharing.NO)
    core = replace(SETTINGS, granularity=CpuGranularity.CORE, multifactor=False)
    lab = replace(LAB, limits=Limits(group_tres=(("cpu", most),)))
    request = Request(nodes=1, cpus=3, limit_s=10 * MINUTE, uneven=True)
    job = waiting("2", of_job={"account": "lab", "request": request})
    scene = cluster(1, job, nodes=(node,), partitions=(shared,), settings=core, associations=(lab,))
    found = forecast(scene, default()).predictions
    assert [one.start_at - NOW for one in found] == ([] if start is None else [start])
