"""What a job holds of each of its nodes."""

from predictor.domain import NodeShare
from predictor.scheduling.machine import Machine, numbers


def shares(machine: Machine, shape: int, nodes: int) -> tuple[NodeShare, ...]:
    """Return what a job of this shape holds of each of these nodes: of a whole one, all."""
    form, amounts = machine.shape(shape), machine.amounts(shape)
    return tuple(
        NodeShare(
            node=machine.nodes[i].name,
            cpus=machine.cpus(shape, i),
            memory_mb=amounts[i][1],
            gres=machine.nodes[i].gres if form.whole else form.gres,
        )
        for i in numbers(nodes)
    )
