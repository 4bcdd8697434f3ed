from collections.abc import Callable

import pytest

from predictor.domain import Node, NodeState
from predictor.scheduling.machine import Machine, Shape
from predictor.scheduling.planner import Ask, Part
from predictor.scheduling.timeline import Holding, Need, Timeline

MINUTE = 60
WHOLE = Shape(whole=True, cpus=1, memory_mb=0)


def node(name: str, cpus: int = 4, memory_mb: int = 8, **more: object) -> Node:
    return Node(name=name, cpus=cpus, memory_mb=memory_mb, state=NodeState.IDLE, **more)  # type: ignore[arg-type]


@pytest.fixture
def four_nodes() -> Machine:
    return Machine([node(f"n{i}") for i in range(1, 5)])


@pytest.fixture
def two_of_four_busy(four_nodes: Machine) -> Callable[[int], Timeline]:
    def until(minutes: int) -> Timeline:
        held = Holding(
            start_at=0,
            end_at=minutes * MINUTE,
            nodes=four_nodes.bitmap(["n1", "n2"]),
            shape=four_nodes.intern(WHOLE),
        )
        return Timeline(four_nodes, 0, [held])

    return until


@pytest.fixture
def ask(four_nodes: Machine) -> Callable[[str, int, int], Ask]:
    def whole_nodes(id_: str, nodes: int, minutes: int) -> Ask:
        need = Need(
            partition="batch",
            shape=four_nodes.intern(WHOLE),
            nodes=nodes,
            candidates=four_nodes.everything,
            duration_s=minutes * MINUTE,
        )
        return Ask(id=id_, parts=(Part(job_id=id_, ways=(need,)),))

    return whole_nodes
