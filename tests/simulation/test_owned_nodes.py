"""Partitions whose nodes go to one user at a time: whom plans see there, and whom they do not."""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, cluster, nodes, partition, running, waiting

from predictor.domain import (
    NodeShare,
    NodeSharing,
    PassSettings,
    RunState,
    SchedulerSettings,
    Sharing,
)
from predictor.plan import plan
from predictor.site import default

TWO = nodes(2)
OWNED = partition("batch", TWO, sharing=NodeSharing.NO, exclusive_user=True)
PASSES = PassSettings(interval_s=30, step_s=1, owners_leave=False)
SETTINGS = SchedulerSettings(multifactor=False, passes=PASSES)


def asking(job, sharing):
    return replace(
        job, spec=replace(job.spec, request=replace(job.spec.request, cpus=4, sharing=sharing))
    )


# n1   bob  10 |                 nobody sees that bob will leave
# n2   ada            20 | ada
@pytest.mark.parametrize("mine", [Sharing.SHARED, Sharing.EXCLUSIVE])
@pytest.mark.parametrize("theirs", [Sharing.SHARED, Sharing.EXCLUSIVE])
def test_who_wants_a_node_alone_is_not_planned_where_another_user_is(mine, theirs):
    bob = asking(running("1", "n1", 10, user="bob"), theirs)
    ada = asking(running("2", "n2", 20), Sharing.EXCLUSIVE)
    snapshot = cluster(
        2, bob, ada, asking(waiting("3"), mine), partitions=(OWNED,), settings=SETTINGS
    )
    told = plan(snapshot, default())["3"]
    assert ((told.start_at - NOW) / MINUTE, told.node_names) == (20, ("n2",))


# n1   ada, 2 of 4 CPUs   20 |
# n2   free
@pytest.mark.parametrize(
    ("user", "start"),
    [
        pytest.param("ada", 0, id="beside her own"),
        pytest.param("bob", 20, id="where nobody else is"),
    ],
)
def test_tasks_go_wherever_the_user_may_be(user, start):
    settings = replace(SETTINGS, passes=replace(PASSES, owners_leave=True))
    half = NodeShare(node="n1", cpus=2, memory_mb=1000)
    there = replace(running("1", "n1", 20, user="ada"), allocation=(half,))
    there = asking(there, Sharing.SHARED)
    job = asking(waiting("2", of_job={"user": user}), Sharing.SHARED)
    request = replace(
        job.spec.request, nodes=2, nodes_max=6, cpus=6, uneven=True, memory_per_cpu_mb=100
    )
    job = replace(job, spec=replace(job.spec, request=request))
    told = plan(cluster(2, there, job, partitions=(OWNED,), settings=settings), default())["2"]
    assert ((told.start_at - NOW) / MINUTE, told.node_names) == (start, ("n1", "n2"))


# n1   bob    10 |
# n2   ada           20 |
def test_whole_nodes_are_planned_beside_a_partition_of_one_user_each():
    whole = partition("whole", TWO, sharing=NodeSharing.EXCLUSIVE)
    there = [
        asking(running("1", "n1", 10, partitions=("whole",)), Sharing.EXCLUSIVE),
        asking(running("2", "n2", 20, partitions=("whole",)), Sharing.EXCLUSIVE),
    ]
    job = asking(waiting("3", of_job={"partitions": ("whole",)}), Sharing.EXCLUSIVE)
    snapshot = cluster(2, *there, job, partitions=(whole, OWNED), settings=SETTINGS)
    told = plan(snapshot, default())["3"]
    assert ((told.start_at - NOW) / MINUTE, told.node_names) == (10, ("n1",))


# n1   being cleared of a job of bob's
# n2   ada           20 |
@pytest.mark.parametrize(
    ("user", "whose", "wants", "since", "start"),
    [
        pytest.param("ada", "batch", "open", -600, 20, id="its owner keeps off whoever comes"),
        pytest.param("ada", "batch", "open", 0, 20, id="also if his job waits anew"),
        pytest.param("ada", "open", "batch", -600, 20, id="any keeps off who wants it alone"),
        pytest.param("ada", "open", "batch", 0, 0, id="but not if that one waits anew"),
        pytest.param("ada", "open", "open", -600, 0, id="nobody else minds"),
        pytest.param("bob", "batch", "batch", -600, 0, id="nor he himself"),
    ],
)
def test_a_node_belongs_to_its_last_user_until_it_is_cleared(user, whose, wants, since, start):
    shared = partition("open", TWO, sharing=NodeSharing.NO)
    left = running("1", "n1", 10, user="bob", partitions=(whose,))
    left = replace(asking(left, Sharing.SHARED), state=RunState.COMPLETING, started_at=NOW + since)
    there = asking(running("2", "n2", 20, user=user, partitions=(wants,)), Sharing.SHARED)
    job = asking(waiting("3", of_job={"user": user, "partitions": (wants,)}), Sharing.SHARED)
    told = plan(
        cluster(2, left, there, job, partitions=(OWNED, shared), settings=SETTINGS), default()
    )["3"]
    at_once = told.start_at - NOW < MINUTE
    assert (at_once, told.node_names) == (start == 0, ("n1",) if start == 0 else ("n2",))
