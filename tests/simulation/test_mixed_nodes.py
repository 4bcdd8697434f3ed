"""Whole nodes that do not all have as many CPUs: how many a job takes, and which.

Source: Slurm 22.05, select/cons_tres (_eval_nodes), as read, and as measured on a real one.
"""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, cluster, nodes, partition, running, waiting

from predictor.domain import (
    CpuGranularity,
    Limits,
    NodeSharing,
    PassSettings,
    Qos,
    SchedulerSettings,
    Unpredictable,
)
from predictor.forecast import forecast
from predictor.plan import plan
from predictor.site import default

SETTINGS = SchedulerSettings(
    multifactor=False, limits_enforced=True, passes=PassSettings(interval_s=30, step_s=1)
)


def machine(*widths):
    return tuple(
        replace(node, cpus=cpus) for node, cpus in zip(nodes(len(widths)), widths, strict=True)
    )


def asking(id_, count=1, **asked):
    one = waiting(id_, count)
    return replace(one, spec=replace(one.spec, request=replace(one.spec.request, **asked)))


def tasks(id_, count, **more):
    """Who names nothing but how many tasks of one CPU it has."""
    return asking(id_, 1, cpus=count, nodes_max=count, uneven=True, **more)


def planned(widths, *jobs, qos=(), settings=SETTINGS, **more):
    """When, in minutes, and where each would start."""
    members = machine(*widths)
    scene = cluster(
        len(widths),
        *jobs,
        nodes=members,
        partitions=(partition("batch", members, **more),),
        qos=qos,
        settings=settings,
    )
    found = plan(scene, default())
    return {
        id_: ((one.start_at - NOW) / MINUTE, " ".join(one.node_names)) for id_, one in found.items()
    }


@pytest.mark.parametrize(
    ("widths", "job", "names"),
    [
        pytest.param((4, 4, 4, 8), tasks("1", 10), "n1 n2 n3", id="in the order of the run"),
        pytest.param((4, 4, 4, 8), tasks("1", 13), "n1 n2 n3 n4", id="until there are enough"),
        pytest.param((4, 4, 8), tasks("1", 7), "n3", id="or on a single one"),
        pytest.param((8, 4), tasks("1", 3), "n2", id="the tightest"),
        pytest.param((4, 4, 8), asking("1", 2, cpus=12), "n1 n3", id="two nodes and CPUs enough"),
        pytest.param((4, 8), asking("1", 1), "n1", id="one node"),
    ],
)
def test_nodes_are_counted_by_their_cpus(widths, job, names):
    assert planned(widths, job) == {"1": (0, names)}


LINEAR = replace(SETTINGS, granularity=CpuGranularity.NODE)


@pytest.mark.parametrize(
    ("widths", "job", "names"),
    [
        pytest.param((4, 8, 8, 8, 4), tasks("1", 10), "n3 n4", id="the widest, of these the last"),
        pytest.param((4, 8, 8), tasks("1", 17), "n1 n2 n3", id="then others"),
        pytest.param((8, 4), tasks("1", 3), "n1", id="not if any will do"),
        pytest.param((8, 4, 4, 8), asking("1", 2, cpus=8), "n1 n2", id="nor if any two will"),
        pytest.param((8, 4, 4), asking("1", 2, cpus=9), "n1 n3", id="but if they may not"),
    ],
)
def test_where_only_whole_nodes_are_handed_out_the_widest_come_first(widths, job, names):
    """Source: Slurm 22.05, select/linear, _job_test."""
    assert planned(widths, job, settings=LINEAR) == {"1": (0, names)}


# n1   free, narrow      n2 n3   held for 10 minutes, wide
@pytest.mark.parametrize(("settings", "names"), [(LINEAR, "n2"), (SETTINGS, "n2")])
def test_of_those_that_end_in_one_second_the_first_will_do(settings, names):
    held = running("a", "n2", 10), running("b", "n3", 10)
    passes = replace(settings.passes, group_s=0)
    found = planned((4, 8, 8), *held, tasks("1", 8), settings=replace(settings, passes=passes))
    assert found == {"1": (10, names)}


# n1 n2  held for 5, 20 minutes, narrow      n3  held for 40, wide
def test_it_starts_once_there_are_cpus_enough():
    held = running("a", "n1", 5), running("b", "n2", 20), running("c", "n3", 40)
    assert planned((4, 4, 8), *held, tasks("1", 7))["1"] == (20, "n1 n2")
    assert planned((4, 4, 8), *held, tasks("1", 9))["1"] == (40, "n1 n2 n3")


def test_no_more_nodes_than_its_partition_lets():
    held = running("a", "n1", 5), running("b", "n2", 20), running("c", "n3", 40)
    assert planned((4, 4, 8), *held, tasks("1", 8), max_nodes=1)["1"] == (40, "n3")


def test_who_asks_for_more_than_there_is_hears_so():
    members = machine(4, 4, 8)
    scene = cluster(
        3,
        tasks("1", 17),
        nodes=members,
        partitions=(partition("batch", members),),
        settings=SETTINGS,
    )
    (one,) = forecast(scene, default()).abstentions
    assert one.cause is Unpredictable.NEVER_FITS


def test_nodes_wider_than_a_job_may_use_of_one_are_none_of_its():
    """Of nodes shared with nobody, for a job takes all CPUs of each."""
    assert planned((8, 4, 4), tasks("1", 6), max_cpus_per_node=4) == {"1": (0, "n2 n3")}


# All nodes are handed out whole: who is where is told by sets of nodes alone.
@pytest.mark.parametrize(
    ("least", "most", "start"),
    [(2, 3, (0, "n2 n3 n4")), (3, 3, (0, "n2 n3 n4")), (4, 4, (15, "n1 n2 n3 n4"))],
)
def test_a_range_of_nodes_where_every_job_has_whole_ones(least, most, start):
    job = asking("1", least, cpus=least, nodes_max=most if most > least else None)
    assert planned((4, 4, 4, 4), running("a", "n1", 15), job)["1"] == start


def test_whole_nodes_beside_shared_ones_are_counted_alike():
    members = machine(4, 4, 8)
    scene = cluster(
        3,
        running("a", "n3", 20, partitions=("open",)),
        tasks("1", 7),
        nodes=members,
        partitions=(
            partition("batch", members),
            partition("open", members, sharing=NodeSharing.NO),
        ),
        settings=SETTINGS,
    )
    (one,) = plan(scene, default()).values()
    assert one.node_names == ("n1", "n2")


# n1 n2   free, narrow      n3   held for 10 minutes, wide
@pytest.mark.parametrize(("cap", "starts"), [(8, 20), (7, 10)])
def test_a_limit_counts_the_cpus_of_the_nodes_that_were_found(cap, starts):
    """Who would have more of them than it may gets no slot, which kept others off."""
    first = asking("1", required_nodes=("n3",))
    first = replace(first, spec=replace(first.spec, qos="capped"))
    qos = Qos(name="capped", limits=Limits(group_tres=(("cpu", cap),)))
    second = asking("2", required_nodes=("n3",))
    found = planned((4, 4, 8), running("a", "n3", 10), first, second, qos=(qos,))
    assert found["2"] == (starts, "n3")


# n1   held for 10 minutes, `a`      n2   held for 5, `b`      the slot of 1 keeps both until 20
def test_of_two_features_that_may_be_had_at_once_that_whose_nodes_are_given_back_sooner():
    members = machine(4, 4)
    members = tuple(
        replace(node, features=(name,)) for node, name in zip(members, "ab", strict=True)
    )
    scene = cluster(
        2,
        running("x", "n1", 10),
        running("y", "n2", 5),
        waiting("1", 2),
        asking("2", 1, features="[a|b]"),
        nodes=members,
        partitions=(partition("batch", members),),
        settings=SETTINGS,
    )
    found = plan(scene, default())["2"]
    assert ((found.start_at - NOW) // MINUTE, found.node_names) == (20, ("n2",))


# n1 n2   held for 10 minutes      n3   free: without n2, whose job ends last, no neighbours
def test_neighbours_are_not_found_before_all_of_them_are_free():
    held = running("a", "n1", 10), running("b", "n2", 10)
    settings = replace(LINEAR, passes=replace(LINEAR.passes, group_s=0))
    found = planned((4, 4, 4), *held, asking("1", 2, contiguous=True), settings=settings)
    assert found == {"1": (10, "n1 n2")}
