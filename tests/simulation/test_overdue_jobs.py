"""Running jobs that should have ended already, as the plans of different versions take them.

Three nodes of 8 CPUs, handed out one by one. Seconds after the look, which falls on a whole minute.
"""

from dataclasses import replace

import pytest
from clusters import cluster, nodes, partition, running, waiting

from predictor.domain import (
    UNLIMITED,
    CpuGranularity,
    NodeSharing,
    NodeState,
    PassSettings,
    RunState,
    SchedulerSettings,
)
from predictor.plan import plan
from predictor.simulation.story import Story, retell
from predictor.site import default

NOW = 1_700_000_040
FAR_S = 7200
PASSES = PassSettings(interval_s=30)
ANEW = PassSettings(interval_s=30, seeks_anew=True)
NODES = nodes(3, cpus=8)


def runs(id_, name, cpus, ends_s):
    job = running(id_, name, 0, partitions=("p",))
    share = replace(job.allocation[0], cpus=cpus, memory_mb=0)
    request = replace(job.spec.request, cpus=cpus, limit_s=600 + ends_s)
    spec = replace(job.spec, request=request)
    return replace(job, spec=spec, started_at=NOW - 600, allocation=(share,))


def asks(id_, cpus, minutes):
    job = waiting(id_, 1, minutes, of_job={"partitions": ("p",)})
    return replace(job, spec=replace(job.spec, request=replace(job.spec.request, cpus=cpus)))


def seen(passes, *jobs, over_time_s=0):
    settings = SchedulerSettings(
        multifactor=False,
        granularity=CpuGranularity.CPU,
        memory_is_consumable=False,
        kill_wait_s=30,
        over_time_s=over_time_s,
        passes=passes,
    )
    members = tuple(replace(node, state=NodeState.ALLOCATED) for node in NODES)
    shared = partition("p", members, sharing=NodeSharing.NO, max_time_s=UNLIMITED)
    content = {"taken_at": NOW, "nodes": members, "partitions": (shared,), "settings": settings}
    return cluster(3, *jobs, **content)


def announced(snapshot):
    return {
        id_: (told.start_at - NOW, told.node_names)
        for id_, told in plan(snapshot, default()).items()
    }


# n1  1 | 3     "1" should have ended 13 s ago.
# n2  2
FULL = runs("2", "n2", 8, FAR_S), runs("9", "n3", 8, FAR_S)
OVER = runs("1", "n1", 8, -13)


@pytest.mark.parametrize(
    ("passes", "over_time_s", "start_s"),
    [
        pytest.param(PASSES, 0, 17, id="once it has had the time to die"),
        pytest.param(PASSES, 600, 617, id="and to overrun"),
        pytest.param(ANEW, 0, 1, id="looked anew: as if it were gone"),
        pytest.param(ANEW, 600, 1, id="even if it may overrun"),
        pytest.param(ANEW, UNLIMITED, 1, id="or run on for ever"),
    ],
)
def test_its_nodes_are_planned_with(passes, over_time_s, start_s):
    snapshot = seen(passes, OVER, *FULL, asks("3", 8, 5), over_time_s=over_time_s)
    assert announced(snapshot) == {"3": (start_s, ("n1",))}


# n1  0 and 1    "1" should have ended 13 s ago; whoever asks for a whole node waits for "0", too.
# n2  605 s | 3  If the first span of ends is counted from the end of "1", those of n2 and n3 fall
# n3  700 s      into the same one.
@pytest.mark.parametrize(("passes", "start_s"), [(PASSES, 700), (ANEW, 605)])
def test_it_begins_no_group_of_ends_where_it_is_as_good_as_gone(passes, start_s):
    beside = runs("0", "n1", 4, FAR_S), runs("1", "n1", 4, -13)
    ends = runs("2", "n2", 8, 605), runs("9", "n3", 8, 700)
    snapshot = seen(passes, *beside, *ends, asks("3", 8, 5))
    assert announced(snapshot) == {"3": (start_s, ("n2",))}


def test_who_can_start_at_once_does_all_the_same():
    snapshot = seen(ANEW, runs("1", "n1", 4, -13), *FULL, asks("3", 4, 5))
    assert announced(snapshot) == {"3": (0, ("n1",))}


@pytest.mark.parametrize("passes", [PASSES, ANEW])
def test_who_is_completing_has_had_its_time_to_die(passes):
    snapshot = seen(passes, replace(OVER, state=RunState.COMPLETING), *FULL, asks("3", 8, 5))
    assert announced(snapshot) == {"3": (1, ("n1",))}


@pytest.mark.parametrize("passes", [PASSES, ANEW])
def test_nobody_starts_before_it_has_really_ended(passes):
    snapshot = seen(passes, OVER, *FULL, asks("3", 8, 5))
    story = Story(ends_at={"1": NOW + 95}, run_s={"3": 60})
    found = {id_: start.at - NOW for id_, start in retell(snapshot, story, NOW + FAR_S).items()}
    assert found["3"] == 95
