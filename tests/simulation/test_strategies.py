"""Policies of numbers place jobs by each strategy of choosing nodes."""

from dataclasses import replace

import pytest
from clusters import HOUR, NOW, cluster, nodes, partition, waiting

from predictor.domain import NodeSharing, SchedulerSettings
from predictor.scheduling.policy import EASY, Allocation
from predictor.simulation.story import Story, retell_under

GPUS = {"n1": (("gpu:a100", 4),), "n3": (("gpu:v100", 4),)}
SWITCHES = {"n1": "a", "n2": "a", "n3": "b", "n4": "b", "n5": "b", "n6": "b"}
NODES = tuple(
    replace(node, gres=GPUS.get(node.name, ()), switches=(SWITCHES[node.name], "top"))
    for node in nodes(6)
)
SHARED = partition("batch", NODES, sharing=NodeSharing.NO)
WHOLE = partition("batch", NODES)
SETTINGS = SchedulerSettings(memory_is_consumable=False)


def small(id_, count):
    """A job of one CPU per node that has been waiting in the order of the numbers."""
    return waiting(id_, count, of_job={"submitted_at": NOW - HOUR + int(id_)})


def taken(allocation, *counts, batch=SHARED, seed=0):
    """Return the nodes that jobs of so many nodes get, one after the other, on six empty ones."""
    jobs = [small(str(number), count) for number, count in enumerate(counts)]
    snapshot = cluster(0, *jobs, nodes=NODES, partitions=(batch,), settings=SETTINGS)
    policy = replace(EASY, allocation=allocation, seed=seed)
    told = retell_under(policy, snapshot, Story(), NOW + HOUR)
    return [" ".join(told[str(number)].node_names) for number in range(len(counts))]


@pytest.mark.parametrize(
    ("allocation", "found"),
    [
        (Allocation.FIRST_FIT, ["n1", "n1 n2"]),
        (Allocation.BEST_FIT, ["n1", "n1 n2"]),
        (Allocation.BALANCED, ["n1", "n2 n3"]),
        (Allocation.CONSECUTIVE, ["n1", "n1 n2"]),
        (Allocation.TREE, ["n1", "n1 n2"]),
        (Allocation.WEIGHTED, ["n2", "n2 n4"]),
        (Allocation.HYBRID, ["n2", "n4 n5"]),
        (Allocation.ROUND_ROBIN, ["n1", "n2 n3"]),
        (Allocation.DUAL_END, ["n1", "n5 n6"]),
        (Allocation.LAST, ["n6", "n5 n6"]),
    ],
    ids=lambda one: getattr(one, "value", ""),
)
def test_small_jobs_share_nodes(allocation, found):
    assert taken(allocation, 1, 2) == found


@pytest.mark.parametrize(
    ("allocation", "found"),
    [
        (Allocation.FIRST_FIT, ["n1 n2 n3", "n4 n5"]),
        (Allocation.TREE, ["n3 n4 n5", "n1 n2"]),
        (Allocation.WEIGHTED, ["n2 n4 n5", "n1 n6"]),
        (Allocation.HYBRID, ["n2 n4 n5", "n1 n6"]),
    ],
    ids=lambda one: getattr(one, "value", ""),
)
def test_whole_nodes(allocation, found):
    assert taken(allocation, 3, 2, batch=WHOLE) == found


def test_a_random_order_is_drawn_once_by_the_seed():
    by_seed = [taken(Allocation.RANDOM, 1, 1, seed=seed) for seed in range(12)]
    assert by_seed == [taken(Allocation.RANDOM, 1, 1, seed=seed) for seed in range(12)]
    assert all(first == second for first, second in by_seed)
    assert len({first for first, _ in by_seed}) > 2
