"""Ends of jobs count also on nodes that lack what is asked for, unless that is seen at a glance."""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, cluster, nodes, partition, running, waiting

from predictor.domain import PassSettings, SchedulerSettings
from predictor.plan import plan
from predictor.site import default

SETTINGS = SchedulerSettings(multifactor=False, passes=PassSettings(interval_s=30, step_s=60))
POOR, *RICH = nodes(3)
ALL = (
    replace(POOR, features=("old",)),
    *(
        replace(node, cpus=8, memory_mb=16_000, gres=(("gpu:a100", 2),), features=("new",))
        for node in RICH
    ),
)
SEEN, UNSEEN = 21, 20
"""When it would start, in minutes, if the end on the poor node widens the group behind, or not."""


def start_min(ends_min, **asked):
    """When a job would start that asks for this, and where; each node is held till then."""
    held = [running(f"r{n}", f"n{n}", minutes) for n, minutes in ends_min.items()]
    job = waiting("1", 1, 10)
    job = replace(job, spec=replace(job.spec, request=replace(job.spec.request, **asked)))
    batch = partition("batch", ALL)
    found = plan(
        cluster(3, *held, job, nodes=ALL, partitions=(batch,), settings=SETTINGS), default()
    )
    return (found["1"].start_at - NOW) // MINUTE, found["1"].node_names


@pytest.mark.parametrize(
    ("asked", "starts"),
    [
        pytest.param({"gres_per_node": (("gpu", 1),)}, SEEN, id="generic resources"),
        pytest.param({"gres_per_node": (("gpu:a100", 2),)}, SEEN, id="by type"),
        pytest.param({"cpus": 8}, SEEN, id="CPUs for all tasks"),
        pytest.param({"cpus": 8, "cpus_per_node": 8}, UNSEEN, id="CPUs for one"),
        pytest.param({"memory_per_node_mb": 9000}, UNSEEN, id="memory"),
        pytest.param({"features": "new"}, UNSEEN, id="a feature"),
        pytest.param({"excluded_nodes": ("n1",), "cpus": 8}, UNSEEN, id="it is excluded"),
    ],
)
def test_what_a_node_lacks_is_seen_at_a_glance_or_not(asked, starts):
    assert start_min({1: 5, 2: 20, 3: 21}, **asked) == (starts, ("n2",))


def test_without_an_end_there_nothing_is_wider():
    assert start_min({2: 20, 3: 21}, gres_per_node=(("gpu", 1),)) == (UNSEEN, ("n2",))


def test_nobody_gets_a_node_that_lacks_something():
    assert start_min({3: 21, 2: 90}, gres_per_node=(("gpu", 1),)) == (21, ("n3",))
