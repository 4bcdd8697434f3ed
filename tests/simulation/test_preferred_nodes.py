"""Where a limit counts different nodes, those that its jobs use already come first."""

from dataclasses import replace

import pytest
from clusters import NOW, cluster, nodes, partition, running, spec, waiting

from predictor.domain import (
    Limits,
    NodeShare,
    NodeSharing,
    PassSettings,
    PendingJob,
    Qos,
    RunningJob,
    SchedulerSettings,
)
from predictor.plan import plan
from predictor.site import default

SETTINGS = SchedulerSettings(
    multifactor=False, passes=PassSettings(interval_s=30, step_s=60), limits_enforced=True
)
EIGHT = nodes(8)
LIMITS = {
    "nodes": Limits(group_tres=(("node", 5),)),
    "nodes-each": Limits(max_tres=(("node", 5),)),
    "cpus": Limits(group_tres=(("cpu", 90),)),
}


def part_of(id_, node, cpus, qos="", minutes=60):
    """A job that shares a node with others."""
    told = spec(id_, minutes=minutes, qos=qos)
    return RunningJob(
        spec=replace(told, request=replace(told.request, cpus=cpus)),
        started_at=NOW,
        allocation=(NodeShare(node=node, cpus=cpus, memory_mb=0),),
    )


def placed(*jobs, **more):
    """The nodes of everybody who waits, as the batch system itself would announce."""
    tables = tuple(Qos(name=name, limits=limits) for name, limits in LIMITS.items())
    snapshot = cluster(8, *jobs, settings=SETTINGS, qos=tables, **more)
    return {id_: one.node_names for id_, one in plan(snapshot, default()).items()}


@pytest.mark.parametrize(
    ("qos", "node"),
    [
        pytest.param("nodes", "n4", id="the group's nodes are counted: where one of it runs"),
        pytest.param("nodes-each", "n4", id="each user's are: where one of the user's runs"),
        pytest.param("cpus", "n1", id="no nodes are: the tightest"),
        pytest.param("", "n1", id="no limit: the tightest"),
    ],
)
def test_a_job_goes_where_its_group_is_already(qos, node):
    queue = partition("batch", EIGHT, sharing=NodeSharing.NO)
    jobs = part_of("a", "n1", 3), part_of("b", "n4", 1, qos), waiting("1", of_job={"qos": qos})
    assert placed(*jobs, partitions=(queue,)) == {"1": (node,)}


@pytest.mark.parametrize(
    ("features", "found"),
    [
        pytest.param([(), ()], ("n5", "n6"), id="all nodes are alike"),
        pytest.param([("old",), ("new",)], ("n1", "n2"), id="the group uses none of the old ones"),
    ],
)
def test_nodes_configured_otherwise_than_any_of_the_group_are_as_good(features, found):
    machine = tuple(replace(node, features=features[i // 4]) for i, node in enumerate(EIGHT))
    queue = partition("batch", EIGHT, sharing=NodeSharing.NO)
    told = waiting("1", of_job={"qos": "nodes"}).spec
    job = PendingJob(spec=replace(told, request=replace(told.request, nodes=2, cpus=2)))
    there = part_of("b", "n5", 1, "nodes")
    assert placed(there, job, nodes=machine, partitions=(queue,)) == {"1": found}


# n1 n2   [ r, 50 more minutes  ]   "1" wants a whole node of n1-n6, "2" one of n3-n8,
# n3      [ a, of 2's QOS, long ]   and is looked at last.
# n4      [ b, 50 more minutes  ]
# n5-n8   [ c, d, e, f, long    ]
@pytest.mark.parametrize(
    ("qos", "node"),
    [
        pytest.param("nodes", "n1", id="n3 came first for the last one, before n4-n8"),
        pytest.param("cpus", "n4", id="none did: the tightest run"),
    ],
)
def test_plans_of_others_keep_to_what_was_preferred_last(qos, node):
    shared = partition("shared", EIGHT[2:], sharing=NodeSharing.NO)
    told = waiting("2", of_job={"partitions": ("shared",), "qos": qos}).spec
    last = PendingJob(spec=replace(told, request=replace(told.request, cpus=4)))
    jobs = (
        running("r", "n1 n2", 50),
        part_of("a", "n3", 4, qos, minutes=600),
        part_of("b", "n4", 4, minutes=50),
        *(part_of(id_, f"n{n}", 4, minutes=600) for n, id_ in enumerate("cdef", 5)),
    )
    found = placed(*jobs, waiting("1"), last, partitions=(partition("batch", EIGHT[:6]), shared))
    assert found["1"] == (node,)
