"""Ends of jobs count also on nodes that lack what is asked for, unless that is seen at a glance."""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, cluster, nodes, partition, running, waiting

from predictor.domain import NodeSharing, PassSettings, SchedulerSettings, Sharing, Unpredictable
from predictor.forecast import forecast
from predictor.plan import plan
from predictor.site import default

SETTINGS = SchedulerSettings(multifactor=False, passes=PassSettings(interval_s=30, step_s=60))
POOR, *RICH = nodes(3)
ALL = (
    replace(POOR, features=("old",)),
    *(
        replace(
            node,
            cpus=8,
            memory_mb=16_000,
            gres=(("gpu:a100", 2),),
            features=("new",),
            tmp_disk_mb=20_000,
        )
        for node in RICH
    ),
)
SEEN, UNSEEN = 21, 20
"""When it would start, in minutes, if the end on the poor node widens the group behind, or not."""


def scene(ends_min, *ids, **asked):
    """Jobs that ask for this, where each node is held till then."""
    held = [running(f"r{n}", f"n{n}", minutes) for n, minutes in ends_min.items()]
    some = [waiting(id_, 1, 10) for id_ in ids]
    request = replace(some[0].spec.request, **asked)
    some = [replace(job, spec=replace(job.spec, request=request)) for job in some]
    batch = partition("batch", ALL)
    return cluster(3, *held, *some, nodes=ALL, partitions=(batch,), settings=SETTINGS)


def start_min(ends_min, **asked):
    """When it would start, and where."""
    found = plan(scene(ends_min, "1", **asked), default())["1"]
    return (found.start_at - NOW) // MINUTE, found.node_names


@pytest.mark.parametrize(
    ("asked", "starts"),
    [
        pytest.param({"gres_per_node": (("gpu", 1),)}, SEEN, id="generic resources"),
        pytest.param({"gres_per_node": (("gpu:a100", 2),)}, SEEN, id="by type"),
        pytest.param({"cpus": 8}, SEEN, id="CPUs for all tasks"),
        pytest.param({"cpus": 8, "cpus_per_node": 8}, UNSEEN, id="CPUs for one"),
        pytest.param({"memory_per_node_mb": 9000}, UNSEEN, id="memory"),
        pytest.param({"tmp_disk_mb": 20_000}, UNSEEN, id="local disk"),
        pytest.param({"features": "new"}, UNSEEN, id="a feature"),
        pytest.param({"excluded_nodes": ("n1",), "cpus": 8}, UNSEEN, id="it is excluded"),
    ],
)
def test_what_a_node_lacks_is_seen_at_a_glance_or_not(asked, starts):
    assert start_min({1: 5, 2: 20, 3: 21}, **asked) == (starts, ("n2",))


def test_without_an_end_there_nothing_is_wider():
    assert start_min({2: 20, 3: 21}, gres_per_node=(("gpu", 1),)) == (UNSEEN, ("n2",))


@pytest.mark.parametrize("asked", [{"gres_per_node": (("gpu", 1),)}, {"tmp_disk_mb": 1}])
def test_nobody_gets_a_node_that_lacks_something(asked):
    assert start_min({3: 21, 2: 90}, **asked) == (21, ("n3",))


def test_disk_is_not_used_up():
    asked = {"cpus": 4, "memory_per_node_mb": 1, "tmp_disk_mb": 20_000}
    four = scene({}, "1", "2", "3", "4", sharing=Sharing.SHARED, **asked)
    batch = partition("batch", ALL, sharing=NodeSharing.NO)
    found = plan(replace(four, partitions=(batch,)), default())
    assert [one.start_at for one in found.values()] == [NOW] * 4
    assert sorted(one.node_names for one in found.values()) == [("n2",)] * 2 + [("n3",)] * 2


def test_more_disk_than_any_node_has_is_told():
    (one,) = forecast(scene({}, "1", tmp_disk_mb=20_001), default()).abstentions
    assert one.cause is Unpredictable.NEVER_FITS
    assert one.detail == "never in partition batch: 1 node needed, 0 could ever hold it"
