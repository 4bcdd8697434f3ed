"""Which nodes jobs can be planned on, and which are taken first."""

import pytest

from predictor.domain import Node, NodeFlag, NodeState


def node(*flags: NodeFlag, state: NodeState = NodeState.IDLE, weight: int = 1) -> Node:
    return Node(name="n", cpus=1, memory_mb=1, state=state, flags=frozenset(flags), weight=weight)


@pytest.mark.parametrize(
    ("flags", "usable"),
    [
        pytest.param([NodeFlag.POWERED_DOWN], True, id="powered down"),
        pytest.param([NodeFlag.POWERING_UP, NodeFlag.NOT_RESPONDING], True, id="booting"),
        pytest.param([NodeFlag.NOT_RESPONDING], False, id="silent though awake"),
        pytest.param([NodeFlag.POWERED_DOWN, NodeFlag.DRAIN], False, id="drained and asleep"),
    ],
)
def test_a_node_that_sleeps_need_not_respond(flags, usable):
    assert node(*flags).usable is usable


def test_a_node_that_is_down_does_not_sleep_only():
    assert not node(NodeFlag.POWERED_DOWN, state=NodeState.DOWN).usable


def test_those_awake_come_first_whatever_their_weight():
    awake, booting, asleep = (
        node(weight=4_000_000_000),
        node(NodeFlag.POWERING_UP, weight=9),
        node(NodeFlag.POWERED_DOWN, weight=2),
    )
    lighter = node(NodeFlag.POWERED_DOWN, weight=1)
    assert awake.rank < booting.rank < lighter.rank < asleep.rank
