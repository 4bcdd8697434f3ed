"""Jobs that accept a shorter limit than they ask for."""

from dataclasses import replace

import pytest
from clusters import HOUR, MINUTE, NOW, cluster, nodes, partition, running, waiting

from predictor.domain import PassSettings, SchedulerHealth, SchedulerSettings
from predictor.forecast import forecast
from predictor.site import default

PASSES = PassSettings(interval_s=30, step_s=1)


def accepting(id_, minutes, least):
    job = waiting(id_, 1, minutes)
    request = replace(job.spec.request, limit_min_s=least * MINUTE)
    return replace(job, spec=replace(job.spec, request=request))


# minute  0     20      50
#  n1       free | wide |       "wide" waits for n2; "1" has n1 until then
#  n2     r      | wide |
def told(job, **passes):
    settings = SchedulerSettings(multifactor=False, passes=replace(PASSES, **passes))
    jobs = running("r", "n2", 20), waiting("0", 2, 30), job
    made = forecast(cluster(2, *jobs, settings=settings), default())
    [found] = [one for one in made.predictions if one.job_id == job.spec.id]
    return [(at - NOW) / MINUTE for at in (found.start_at, found.end_at)]


@pytest.mark.parametrize(
    ("least", "stretches", "from_to"),
    [
        pytest.param(5, False, [0, 5], id="it runs for no longer than it was tried"),
        pytest.param(5, True, [0, 20], id="it runs for as long as delays nobody"),
        pytest.param(25, True, [50, 110], id="too long all the same; then it has what it asks"),
        pytest.param(90, False, [50, 110], id="more than it asks for says nothing"),
    ],
)
def test_the_look_ahead_tries_with_the_least(least, stretches, from_to):
    assert told(accepting("1", 60, least), stretches=stretches) == from_to


@pytest.mark.parametrize(
    ("minutes", "waits"),
    [pytest.param(60, False, id="within the partition's"), pytest.param(61, True, id="above it")],
)
def test_only_the_look_ahead_starts_who_must_be_ended_sooner(minutes, waits):
    """Source: Slurm 22.05, schedule and job_limits_check."""
    members = nodes(1)
    scene = cluster(
        1,
        accepting("1", minutes, 5),
        nodes=members,
        partitions=(partition("batch", members, max_time_s=HOUR),),
        settings=SchedulerSettings(multifactor=False, passes=replace(PASSES, interval_s=HOUR)),
        health=SchedulerHealth(backfill_last_at=NOW - MINUTE),
    )
    (found,) = forecast(scene, default()).predictions
    assert (found.start_at - NOW > HOUR / 2) is waits
