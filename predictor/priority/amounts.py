"""Amounts by TRES name: what a job asks for, what it holds, what a partition has."""

from collections.abc import Iterable, Mapping, Sequence

from predictor.domain import (
    Node,
    NodeShare,
    Partition,
    Request,
    SchedulerSettings,
    Tres,
    amounts_by_name,
)
from predictor.domain.defaults import resolved_memory_mb


def requested(
    request: Request, partition: Partition, settings: SchedulerSettings, node_memory_mb: int
) -> Mapping[str, int]:
    """Return what a job asks for at least, with the default memory where it says nothing.

    Who gets all the memory of its nodes is taken to ask for `node_memory_mb` of each, which is that
    of its partition's first one. Source: Slurm 22.05, job_get_tres_mem.
    """
    per_node, per_cpu = resolved_memory_mb(request, partition, settings)
    if per_node == per_cpu == 0:
        per_node = node_memory_mb
    nodes = request.nodes_asked
    return amounts_by_name(
        nodes=nodes,
        cpus=request.cpus,
        memory_mb=nodes * per_node + request.cpus * per_cpu,
        gres=_times(request.gres_per_node, nodes) + request.gres_total,
        licenses=request.licenses,
    )


def held(shares: Sequence[NodeShare], licenses: Tres = ()) -> Mapping[str, int]:
    """Return what a job holds of its nodes."""
    return amounts_by_name(
        nodes=len(shares),
        cpus=sum(one.cpus for one in shares),
        memory_mb=sum(one.memory_mb for one in shares),
        gres=(each for one in shares for each in one.gres),
        licenses=licenses,
    )


def offered(nodes: Iterable[Node]) -> Mapping[str, int]:
    """Return what the nodes have together, whatever their state."""
    found = tuple(nodes)
    return amounts_by_name(
        nodes=len(found),
        cpus=sum(node.cpus for node in found),
        memory_mb=sum(node.memory_mb for node in found),
        gres=(each for node in found for each in node.gres),
    )


def _times(gres: Tres, count: int) -> Tres:
    return tuple((name, amount * count) for name, amount in gres)
