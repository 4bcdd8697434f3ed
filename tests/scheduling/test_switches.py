"""The tree of switches above a machine's nodes, and what it does to where a job may run."""

import pytest

from predictor.domain import Node, NodeState
from predictor.scheduling.machine import Machine
from predictor.scheduling.switches import tree


def machine(*paths):
    return Machine(
        [
            Node(name=f"n{place}", cpus=4, memory_mb=0, state=NodeState.IDLE, switches=path)
            for place, path in enumerate(paths)
        ]
    )


def told(*paths):
    return [(one.nodes, one.above, one.is_leaf) for one in tree(machine(*paths))]


def test_switches_by_their_first_node():
    assert told(("a", "top"), ("b", "top"), ("a", "top")) == [
        (0b101, 1, True),
        (0b111, -1, False),
        (0b010, 1, True),
    ]


@pytest.mark.parametrize(
    ("paths", "switches"),
    [
        pytest.param([(), ()], [], id="nothing is told"),
        pytest.param([("a",), ()], [(0b01, -1, True)], id="of one node only"),
        pytest.param(
            [("a", "b"), ("b", "a")], [(0b11, 1, True), (0b11, -1, True)], id="the first one told"
        ),
        pytest.param(
            [("a", "b", "a")], [(0b1, -1, True), (0b1, -1, False)], id="each above the other"
        ),
        pytest.param([("a", "a")], [(0b1, -1, True)], id="above itself"),
    ],
)
def test_what_is_no_tree(paths, switches):
    assert told(*paths) == switches


def test_no_job_runs_under_two_topmost_switches():
    assert machine(("a", "x"), ("b", "y"), ("c", "x"), ()).islands == (0b0101, 0b0010, 0b1000)
    assert machine((), ()).islands == (0b11,)
