"""A number beyond all measure is as good as the largest, and ends nobody's forecast."""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, array, cluster, running, waiting

from predictor.domain import (
    Dependency,
    DependencyKind,
    PassSettings,
    Request,
    SchedulerSettings,
)
from predictor.forecast import forecast
from predictor.site import default

HUGE = 2**64
RUNS = running("r", "n1", 30)
WAITS_FOR = Dependency(kind=DependencyKind.AFTER_ANY, job_id="r", delay_s=-HUGE)


def asking(**wishes):
    request = Request(nodes=1, cpus=1, limit_s=10 * MINUTE, **wishes)
    return waiting("7", of_job={"request": request})


def settings(**more):
    return SchedulerSettings(passes=PassSettings(interval_s=30), limits_enforced=True, **more)


def told(*jobs, held=RUNS, **more):
    made = forecast(cluster(4, held, *jobs, waiting("8"), settings=settings(**more)), default())
    return {one.job_id for one in (*made.predictions, *made.abstentions)}


@pytest.mark.parametrize(
    "job",
    [
        pytest.param(asking(nodes_max=HUGE), id="nodes at most"),
        pytest.param(asking(switches=1, switches_wait_s=HUGE), id="patience for few switches"),
        pytest.param(asking(switches=1, switches_wait_s=-HUGE), id="and none at all"),
        pytest.param(waiting("7", of_job={"eligible_at": HUGE}), id="eligible at the end of time"),
        pytest.param(waiting("7", of_job={"eligible_at": -HUGE}), id="or before it began"),
        pytest.param(waiting("7", begin_at=HUGE), id="a begin"),
        pytest.param(waiting("7", dependencies=(WAITS_FOR,)), id="a delay"),
        pytest.param(replace(array("7", 3, at_once=-HUGE), begin_at=NOW), id="tasks at a time"),
    ],
)
def test_of_a_job(job):
    assert told(job) == {job.spec.id, "8"}


def test_of_what_runs():
    request = Request(nodes=1, cpus=4, limit_s=40 * MINUTE, nodes_max=HUGE)
    held = replace(RUNS, spec=replace(RUNS.spec, request=request))
    assert told(held=held) == {"8"}


@pytest.mark.parametrize("key", ["kill_wait_s", "over_time_s"])
@pytest.mark.parametrize("value", [HUGE, -HUGE])
def test_of_the_time_after_a_limit(key, value):
    assert told(**{key: value}) == {"8"}
