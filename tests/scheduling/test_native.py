"""To which nodes a batch system itself draws requests."""

import pytest

from predictor.domain import Node, NodeState
from predictor.engine import codes
from predictor.scheduling.machine import Machine, Shape
from predictor.scheduling.native import MOST_DRAWN, NativeChoice
from predictor.scheduling.placing import Need
from predictor.scheduling.policy import Allocation

NODES = {
    "none": (),
    "two": (("gpu:a100", 2), ("ssd", 9)),
    "mixed": (("gpu:a100", 1), ("gpu:v100", 4)),
    "many": (("gpu:v100", 300),),
}
MACHINE = Machine(
    [
        Node(name=name, cpus=4, memory_mb=0, state=NodeState.IDLE, gres=gres)
        for name, gres in NODES.items()
    ]
)


def choice(**more):
    plain = {"emptiest_in": frozenset(), "single_cpus_last": False, "single_nodes_first": False}
    plain |= dict.fromkeys(("tree_on_demand", "tree_counts_cpus", "tree_counts_down"), False)
    return NativeChoice(machine=MACHINE, **plain | {"drawn_by": ""} | more)


def draw(gres, *, whole, by="gpu"):
    shape = MACHINE.intern(Shape(whole=whole, cpus=1, memory_mb=0, gres=gres))
    need = Need(partition="p", shape=shape, nodes=1, candidates=0b1111, duration_s=60)
    return choice(drawn_by=by).draw(need, range(len(NODES)))


@pytest.mark.parametrize(
    ("gres", "whole", "drawn"),
    [
        pytest.param((("gpu", 1),), True, (0, 2, 5, 255), id="a whole node gives all it has"),
        pytest.param((("gpu:v100", 1),), True, (0, 0, 4, 255), id="of the type asked for"),
        pytest.param((("gpu", 2),), False, (2, 2, 2, 2), id="else as many as are asked for"),
        pytest.param((("ssd", 1),), True, (), id="other resources draw nobody"),
        pytest.param((), True, (), id="nor do those that are not asked for"),
    ],
)
def test_who_asks_for_gpus_is_drawn_to_most_of_them(gres, whole, drawn):
    assert draw(gres, whole=whole) == drawn


@pytest.mark.parametrize(
    ("first", "nodes", "taken"),
    [
        (True, 1, Allocation.LIGHTEST),
        (True, 2, Allocation.CONSECUTIVE),
        (False, 1, Allocation.CONSECUTIVE),
    ],
)
def test_who_may_have_but_one_node_may_get_the_first(first, nodes, taken):
    shape = MACHINE.intern(Shape(whole=True, cpus=1, memory_mb=0))
    need = Need(partition="p", shape=shape, nodes=nodes, candidates=0b1111, duration_s=60)
    assert choice(single_nodes_first=first).allocation(need) is taken


def test_weight_counts_before_whatever_draws():
    assert codes.WEIGHT_STEPS > MOST_DRAWN


def test_where_nothing_draws_nobody_is_drawn():
    assert draw((("gpu", 1),), whole=True, by="") == ()
