"""Who never starts and is looked at all the same: over a limit of one job, or on broken nodes.

Source: Slurm 22.05.8, as its log of passes tells.
"""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, cluster, nodes, partition, running, waiting

from predictor.domain import (
    Association,
    Limits,
    NodeState,
    Obstacle,
    PassSettings,
    Request,
    SchedulerSettings,
    Unpredictable,
)
from predictor.forecast import forecast
from predictor.plan import plan
from predictor.site import default

PASSES = PassSettings(interval_s=30, step_s=1)
SETTINGS = SchedulerSettings(limits_enforced=True, multifactor=False, passes=PASSES)
STOPS = replace(SETTINGS, passes=replace(PASSES, limits_stop=True))
NARROW = Association(account="lab", limits=Limits(max_tres_per_job=(("cpu", 4),)))
LAB = {"account": "lab"}
BUSY = running("1", "n1", 10), running("2", "n2", 10)


def asking(id_, count, minutes=10, **more):
    """A waiting job of so many whole nodes of 4 CPUs."""
    request = Request(nodes=count, cpus=4 * count, limit_s=minutes * MINUTE)
    return waiting(id_, of_job=LAB | {"request": request}, **more)


def starts(scene):
    return {id_: found.start_at - NOW for id_, found in plan(scene, default()).items()}


def abstentions(scene):
    return {one.job_id: one for one in forecast(scene, default()).abstentions}


def over_its_own(settings, *associations, obstacle=Obstacle.OWN_LIMIT):
    wide = asking("3", 2, obstacle=obstacle)
    return cluster(2, *BUSY, wide, asking("4", 1), settings=settings, associations=associations)


@pytest.mark.parametrize(
    ("settings", "behind"),
    [pytest.param(STOPS, 20, id="with a slot"), pytest.param(SETTINGS, 10, id="without one")],
)
def test_who_is_over_a_limit_of_one_job_gets_a_slot_where_limits_stop(settings, behind):
    assert starts(over_its_own(settings, NARROW))["4"] == behind * MINUTE


@pytest.mark.parametrize("obstacle", [Obstacle.OWN_LIMIT, Obstacle.NONE])
@pytest.mark.parametrize("settings", [SETTINGS, STOPS])
def test_no_start_is_told_of_it(settings, obstacle):
    abstained = abstentions(over_its_own(settings, NARROW, obstacle=obstacle))["3"]
    assert abstained.cause is Unpredictable.LIMIT
    assert "not 8" in abstained.detail


@pytest.mark.parametrize("associations", [(), (Association(account="lab"),)])
def test_a_limit_that_is_only_named_keeps_it_out_of_the_queue(associations):
    scene = over_its_own(STOPS, *associations)
    assert starts(scene) == {"4": 10 * MINUTE}
    assert abstentions(scene)["3"].cause is Unpredictable.LIMIT


def with_broken_nodes(*jobs, names=("batch",), **passes):
    """Two nodes with a job each, and a partition of two more, of which one is down."""
    members = nodes(4)
    members = (*members[:3], replace(members[3], state=NodeState.DOWN))
    all_passes = replace(PASSES, **passes)
    return cluster(
        4,
        *BUSY,
        *jobs,
        nodes=members,
        partitions=(partition("batch", members[:2]), partition("broken", members[2:])),
        settings=replace(SETTINGS, passes=all_passes),
    )


def broken(id_, *names):
    job = asking(id_, 2)
    return replace(job, spec=replace(job.spec, partitions=names))


def test_who_lacks_nodes_that_are_up_counts_where_few_are_looked_at():
    jobs = broken("3", "broken"), asking("4", 1), asking("5", 1)
    assert starts(with_broken_nodes(*jobs)) == {"4": 10 * MINUTE, "5": 10 * MINUTE}
    assert starts(with_broken_nodes(*jobs, jobs_max_per_user=2)) == {"4": 10 * MINUTE}
    assert abstentions(with_broken_nodes(*jobs))["3"].cause is Unpredictable.NODES_UNAVAILABLE


@pytest.mark.parametrize("names", [("broken", "batch"), ("batch", "broken")])
def test_who_lacks_them_in_one_partition_starts_in_the_other(names):
    jobs = broken("3", *names), asking("4", 1)
    assert starts(with_broken_nodes(*jobs)) == {"3": 10 * MINUTE, "4": 20 * MINUTE}


def test_nobody_waits_for_who_lacks_them():
    scene = with_broken_nodes(broken("3", "broken"), broken("4", "batch"), asking("5", 1, 1))
    free = replace(scene, running=BUSY[:1])
    assert starts(free) == {"4": 10 * MINUTE, "5": 0}
