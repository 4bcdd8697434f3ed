"""What a request takes of each node, with the partition's and the cluster's defaults filled in."""

from predictor.domain import (
    UNLIMITED,
    CpuGranularity,
    NodeSharing,
    Partition,
    Request,
    SchedulerSettings,
    Sharing,
    Tres,
)
from predictor.scheduling.machine import ALL_MEMORY, Shape

NO_LIMIT_S = 365 * 24 * 3600
"""How long the batch system plans with a job that has no limit. Source: Slurm, a year."""


def shape_of(request: Request, partition: Partition, settings: SchedulerSettings) -> Shape:
    """Return what the job takes of each of its nodes in this partition.

    CPUs that do not divide evenly are rounded up on every node. A job that shares its nodes only
    with its own user's jobs counts as one that takes whole nodes.
    """
    whole = (
        request.sharing is not Sharing.SHARED
        or partition.sharing is NodeSharing.EXCLUSIVE
        or partition.exclusive_user
        or settings.granularity is CpuGranularity.NODE
    )
    cpus = max(-(-request.cpus // request.nodes), request.cpus_per_node or 1)
    return Shape(
        whole=whole,
        cpus=cpus,
        memory_mb=memory_per_node(request, cpus, partition, settings),
        gres=_gres_per_node(request),
        granularity=settings.granularity,
    )


def memory_per_node(
    request: Request, cpus: int, partition: Partition, settings: SchedulerSettings
) -> int:
    """Return the MB taken of each node, or ALL_MEMORY; 0 where memory is not handed out.

    What the job does not say, the partition's default says, then the cluster's; where nobody
    says anything, the job gets all the memory. Source: slurm.conf(5), `DefMemPerNode`.
    """
    if not settings.memory_is_consumable:
        return 0
    choices = (
        (request.memory_per_node_mb, request.memory_per_cpu_mb),
        (partition.default_memory_per_node_mb, partition.default_memory_per_cpu_mb),
        (settings.default_memory_per_node_mb, settings.default_memory_per_cpu_mb),
    )
    for per_node, per_cpu in choices:
        if per_cpu:
            return per_cpu * cpus
        if per_node is not None:
            return per_node or ALL_MEMORY
    return ALL_MEMORY


def planned_s(request: Request, partition: Partition) -> int:
    """Return for how many seconds the batch system plans the job: its limit.

    Without one of its own the partition's longest applies.
    """
    for limit in (request.limit_s, partition.max_time_s):
        if limit is UNLIMITED:
            return NO_LIMIT_S
        if limit is not None:
            return max(1, limit)
    return NO_LIMIT_S


def _gres_per_node(request: Request) -> Tres:
    """Return the generic resources per node; a total is spread evenly, rounded up."""
    spread = {name: -(-amount // request.nodes) for name, amount in request.gres_total}
    for name, amount in request.gres_per_node:
        spread[name] = max(amount, spread.get(name, 0))
    return tuple(sorted(spread.items()))
