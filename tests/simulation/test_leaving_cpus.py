"""What a node leaves for those that must follow: a core of its own for each of them.

Source: Slurm 22.05.8, as the log of its choice tells (select/cons_tres): -N2 -n8 on a free node of
8 CPUs in cores of 2, and on one of which a single CPU is free, got 6 and 1, and waited.
"""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, cluster, nodes, partition, running, waiting

from predictor.domain import (
    CpuGranularity,
    NodeShare,
    NodeSharing,
    PassSettings,
    Request,
    SchedulerHealth,
    SchedulerSettings,
)
from predictor.forecast import forecast
from predictor.plan import plan
from predictor.site import default

SETTINGS = SchedulerSettings(
    multifactor=False,
    granularity=CpuGranularity.CORE,
    memory_is_consumable=False,
    passes=PassSettings(interval_s=30, step_s=1),
)


def with_a_job_on_the_narrow_one(threads, *, first="wide", tasks=8):
    """Two neighbours, one with 8 CPUs free and one with 1 of 4; a job for both of them."""
    wide, narrow = (replace(one, name=name) for one, name in zip(nodes(2), ("w", "n"), strict=True))
    wide = replace(wide, cpus=8, cpus_per_core=threads)
    members = (wide, narrow) if first == "wide" else (narrow, wide)
    held = running("1", "n", 10)
    held = replace(held, allocation=(NodeShare(node="n", cpus=3),))
    request = Request(nodes=2, cpus=tasks, limit_s=10 * MINUTE, uneven=True)
    return cluster(
        2,
        held,
        waiting("2", of_job={"request": request}),
        nodes=members,
        partitions=(partition("batch", members, sharing=NodeSharing.NO),),
        settings=SETTINGS,
        health=SchedulerHealth(),
    )


@pytest.mark.parametrize(
    ("scene", "minutes"),
    [
        pytest.param({"threads": 1}, 0, id="a CPU"),
        pytest.param({"threads": 2}, 10, id="a core of two"),
        pytest.param({"threads": 2, "tasks": 7}, 10, id="even if half of it would do"),
        pytest.param({"threads": 2, "tasks": 2}, 0, id="but one CPU is given at least"),
        pytest.param({"threads": 2, "first": "narrow"}, 0, id="nothing, if it is the last"),
    ],
)
def test_a_core_is_left_for_each_node_that_follows(scene, minutes):
    world = with_a_job_on_the_narrow_one(**scene)
    assert plan(world, default())["2"].start_at - NOW == minutes * MINUTE
    (found,) = forecast(world, default()).predictions
    assert found.start_at - NOW == pytest.approx(minutes * MINUTE, abs=31)
