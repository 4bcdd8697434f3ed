"""Nodes under a tree of switches, where it is open how many a job takes: which ones come first.

Source: Slurm 22.05, select/cons_tres (_eval_nodes_topo), as read, and as measured on a real one.
"""

from dataclasses import replace

import pytest
from clusters import NOW, cluster, nodes, partition, waiting

from predictor.domain import NodeSharing, PassSettings, SchedulerSettings
from predictor.plan import plan
from predictor.site import default

SETTINGS = SchedulerSettings(
    multifactor=False, limits_enforced=True, passes=PassSettings(interval_s=30, step_s=1)
)
LEAVES = ("s1", "s1", "s1", "s2", "s3", "s3")


def machine(widths, weights=(1,) * 6):
    return tuple(
        replace(node, cpus=cpus, weight=weight, switches=(leaf, "top"))
        for node, cpus, weight, leaf in zip(nodes(6), widths, weights, LEAVES, strict=True)
    )


def asking(count=1, **asked):
    one = waiting("1", count)
    return replace(one, spec=replace(one.spec, request=replace(one.spec.request, **asked)))


def tasks(count, **more):
    """Who names nothing but how many tasks of one CPU it has."""
    return asking(1, cpus=count, nodes_max=count, uneven=True, **more)


def found(job, members, **more):
    scene = cluster(
        6,
        job,
        nodes=members,
        partitions=(partition("batch", members, **more),),
        settings=SETTINGS,
    )
    one = plan(scene, default())["1"]
    assert one.start_at == NOW
    return " ".join(sorted(one.node_names))


EVEN, MIXED = (4,) * 6, (4, 4, 4, 8, 8, 8)


@pytest.mark.parametrize(
    ("widths", "job", "names"),
    [
        pytest.param(EVEN, asking(2, cpus=2), "n5 n6", id="two nodes: the tightest leaf of two"),
        pytest.param(EVEN, tasks(7), "n4 n5", id="tasks: the tightest leaf of one, then on"),
        pytest.param(EVEN, tasks(17), "n1 n2 n4 n5 n6", id="each leaf as far as it is needed"),
        pytest.param(MIXED, asking(2, cpus=2), "n5 n6", id="nodes of several widths, by number"),
        pytest.param(MIXED, asking(3, cpus=3), "n1 n2 n3", id="whatever their CPUs"),
        pytest.param(MIXED, tasks(12), "n4 n5", id="tasks on nodes of several widths"),
        pytest.param(MIXED, tasks(30), "n1 n2 n4 n5 n6", id="and more of them"),
    ],
)
def test_leaves_are_taken_by_the_number_of_nodes_wanted(widths, job, names):
    assert found(job, machine(widths)) == names


def test_lighter_nodes_come_before_any_leaf():
    members = machine(EVEN, weights=(2, 2, 2, 2, 1, 1))
    assert found(tasks(5), members) == "n5 n6"
    assert found(tasks(10), members) == "n4 n5 n6"


def test_shared_nodes_are_taken_alike():
    assert found(tasks(7), machine(EVEN), sharing=NodeSharing.NO) == "n4 n5"


def test_who_may_not_have_more_nodes_does_without_the_narrow_ones():
    members = machine((4, 4, 4, 4, 8, 8))
    assert found(tasks(16), members, max_nodes=2) == "n5 n6"
