"""The machine of a snapshot."""

from collections.abc import Sequence

from predictor.domain import Node, Snapshot
from predictor.scheduling.demand import quotas
from predictor.scheduling.machine import Machine
from predictor.scheduling.sharing import Crowding


def machine_of(seen: Snapshot, nodes: Sequence[Node]) -> Machine:
    """Return these nodes as the jobs of the snapshot may have them under its settings."""
    return Machine(
        nodes,
        quotas(seen.partitions),
        Crowding.of(seen).depths,
        by_rank=seen.settings.plans_by_weight,
    )
