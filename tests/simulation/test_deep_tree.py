"""Which leaves of a deep tree jobs get, as real controllers of 24.11.5 and 26.05.5 said.

Asked with `sbatch --test-only`, with some of 24 nodes drained; what 22.05 is taken to do beside it.
"""

from dataclasses import replace

import pytest
from clusters import NOW, cluster, nodes, partition, waiting

from predictor.domain import NodeSharing, NodeState, PassSettings, SchedulerSettings
from predictor.plan import plan
from predictor.site import default

OLD = SchedulerSettings(
    multifactor=False,
    memory_is_consumable=False,
    passes=PassSettings(interval_s=30, step_s=1, whole_tasks=True),
)
NEW = replace(OLD, tree_counts_cpus=True, tree_counts_down=True)
ENDS = {"s1": 4, "s2": 8, "s3": 10, "s4": 16, "s5": 19, "s6": 22, "s7": 24}
"""By leaf: its last node; each begins behind the one before."""
ABOVE = {
    **dict.fromkeys(("s1", "s2"), ("a", "ab", "top")),
    **dict.fromkeys(("s3", "s4"), ("b", "ab", "top")),
    **dict.fromkeys(("s5", "s6", "s7"), ("c", "cc", "top")),
}


def way(number):
    leaf = next(name for name, last in ENDS.items() if number <= last)
    return (leaf, *ABOVE[leaf])


def numbers(text):
    return [int(word) for word in text.split(",")]


def machine(up, *, weights=False, widths=False):
    """The nodes up; `weights`: by thirds; `widths`: two of four are twice as wide."""
    return tuple(
        replace(
            node,
            cpus=8 if widths and number % 4 in (1, 2) else 4,
            weight=1 + number % 3 if weights else 1,
            state=NodeState.IDLE if number in numbers(up) else NodeState.DOWN,
            switches=way(number),
        )
        for number, node in enumerate(nodes(24), start=1)
    )


def taken(settings, members, count=1, **asked):
    """The numbers of the nodes that a job gets now; empty: it does not start."""
    sharing = asked.pop("sharing", NodeSharing.EXCLUSIVE)
    one = waiting("1", count)
    one = replace(one, spec=replace(one.spec, request=replace(one.spec.request, **asked)))
    partitions = (partition("batch", members, sharing=sharing),)
    scene = cluster(24, one, nodes=members, partitions=partitions, settings=settings)
    found = plan(scene, default()).get("1")
    names = found.node_names if found and found.start_at == NOW else ()
    return ",".join(str(n) for n in sorted(int(name[1:]) for name in names))


@pytest.mark.parametrize(
    ("count", "up", "new", "old"),
    [
        pytest.param(
            6,
            "7,11,13,16,19,20,22,23,24",
            "11,13,16,19,20,22",
            "11,13,20,22,23,24",
            id="behind one leaf what is left below its switch is no longer enough",
        ),
        pytest.param(
            8,
            "2,3,4,5,8,9,10,11,13,14,16,17,18,19,20,21,22,23,24",
            "17,18,19,20,21,22,23,24",
            "2,3,4,5,8,17,18,19",
            id="nor would what is left elsewhere do",
        ),
        pytest.param(
            8,
            "2,4,5,6,9,10,12,15,16,19,21",
            "2,4,5,6,9,12,15,16",
            "2,4,5,9,10,12,15,16",
            id="the last of them on the tightest leaf",
        ),
        pytest.param(
            4,
            "1,8,9,10,12,14,16,17,19,20,21,22,23,24",
            "9,12,14,16",
            "1,12,14,16",
            id="the closer one of two that hold it",
        ),
    ],
)
def test_switches_count_what_is_left(count, up, new, old):
    members = machine(up)
    assert taken(NEW, members, count, cpus=count) == new
    assert taken(OLD, members, count, cpus=count) == old


@pytest.mark.parametrize(
    ("range_", "up", "new", "old"),
    [
        pytest.param((1, 3), "12,13,19,20", "12,13,19", "12", id="up to the most"),
        pytest.param((2, 5), "4,10,13,14,15,19,23,24", "10,13,15,19,24", "15,24", id="and no more"),
        pytest.param((2, 8), "1,2,10,11,14", "1,2,10,11,14", "1,10", id="or all that there are"),
    ],
)
def test_heavier_nodes_are_taken_up_to_the_most_that_a_job_wants(range_, up, new, old):
    least, most = range_
    asked = {"cpus": least, "nodes_max": most, "uneven": least > 1}
    members = machine(up, weights=True)
    assert taken(NEW, members, least, **asked) == new
    assert taken(OLD, members, least, **asked) == old


@pytest.mark.parametrize(
    ("range_", "switches", "up", "new"),
    [
        pytest.param((1, 3), 1, "12,13,19,20", "12,13", id="as many as lie on one"),
        pytest.param((3, 6), 2, "12,13,19,20", "12,13,19", id="on two"),
        pytest.param((2, 8), 2, "5,8,9,15,16,21", "5,8,15,16", id="by fours"),
        pytest.param((4, 9), 3, "3,4,6,13,16,17", "3,4,6,13,16", id="on three"),
        pytest.param((3, 6), 1, "12,13,19,20", "", id="but no fewer than the least"),
    ],
)
def test_who_wants_few_switches_does_with_fewer_nodes(range_, switches, up, new):
    least, most = range_
    asked = {"cpus": least, "nodes_max": most, "uneven": least > 1}
    members = machine(up)
    assert taken(NEW, members, least, **asked, switches=switches) == new
    assert taken(OLD, members, least, **asked, switches=switches) == ""


def test_who_has_waited_long_enough_for_few_switches_gets_all_it_wants():
    asked = {"cpus": 1, "nodes_max": 3, "switches": 1, "switches_wait_s": 0}
    assert taken(NEW, machine("12,13,19,20"), 1, **asked) == "12,13,19"


@pytest.mark.parametrize(
    ("tasks", "sharing", "up", "new", "old"),
    [
        pytest.param(
            9,
            NodeSharing.EXCLUSIVE,
            "1,4,9,12,18,22,23,24",
            "1,4",
            "9,12",
            id="a leaf with CPUs enough",
        ),
        pytest.param(
            17,
            NodeSharing.EXCLUSIVE,
            "2,3,6,8,10,12,20,24",
            "2,3,6",
            "2,10,12",
            id="or a switch above",
        ),
        pytest.param(
            17,
            NodeSharing.NO,
            "1,4,9,12,18,22,23,24",
            "1,4,23,24",
            "1,9,12",
            id="on nodes that are shared as well",
        ),
    ],
)
def test_switches_count_cpus(tasks, sharing, up, new, old):
    count = -(-tasks // 8)
    asked = {"cpus": tasks, "nodes_max": tasks, "uneven": True, "sharing": sharing}
    members = machine(up, widths=True)
    assert taken(NEW, members, count, **asked) == new
    assert taken(OLD, members, count, **asked) == old
