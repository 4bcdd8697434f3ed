"""A person has stopped a job: others get its CPUs, not its memory, and its limit runs on.

Source: Slurm 22.05, `scontrol suspend` (job_res_rm_job with JOB_RES_ACTION_RESUME), as read, and as
the log of its passes tells.
"""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, cluster, running, waiting

from predictor.domain import PassSettings, RunState, SchedulerSettings
from predictor.plan import plan
from predictor.site import default

PASSES = PassSettings(interval_s=30, step_s=1)


def stopped(minutes_left, minutes_ago):
    """Return one whose limit had so many minutes left when it was stopped so long ago."""
    ran, still_s = running("1", "n1", minutes_left), minutes_ago * MINUTE
    return replace(
        ran,
        started_at=ran.started_at - still_s,
        state=RunState.SUSPENDED,
        suspended_s=still_s,
        stopped_since=NOW - still_s,
    )


def start_s(job, *, keeps_memory=True):
    settings = SchedulerSettings(
        memory_is_consumable=keeps_memory, passes=PASSES, kill_wait_s=30, multifactor=False
    )
    told = plan(cluster(1, job, waiting("2"), settings=settings), default())["2"]
    return told.start_at - NOW


@pytest.mark.parametrize(
    ("left", "ago", "soonest"),
    [
        pytest.param(20, 5, 15 * MINUTE, id="when its limit is over, as if it ran"),
        pytest.param(5, 5, 30, id="once it would have been killed"),
        pytest.param(5, 20, 1, id="any moment, but not now"),
    ],
)
def test_its_memory_is_taken_to_be_given_back(left, ago, soonest):
    assert start_s(stopped(left, ago)) == soonest


def test_nothing_is_left_of_it_where_memory_is_not_counted():
    assert start_s(stopped(20, 5), keeps_memory=False) == 0


def test_who_stands_still_for_others_keeps_its_node():
    still = replace(stopped(20, 5), stopped_since=None)
    assert start_s(still, keeps_memory=False) == 20 * MINUTE
