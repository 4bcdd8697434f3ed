"""What a request takes of each node, with the partition's and the cluster's defaults filled in."""

from predictor.domain import (
    CpuGranularity,
    NodeSharing,
    Partition,
    Request,
    SchedulerSettings,
    Sharing,
    Tres,
)
from predictor.domain.defaults import resolved_memory_mb
from predictor.scheduling.machine import ALL_MEMORY, Shape


def shape_of(request: Request, partition: Partition, settings: SchedulerSettings) -> Shape:
    """Return what the job takes of each of its nodes in this partition.

    CPUs that do not divide evenly are rounded up on every node. A job that shares its nodes only
    with its own user's jobs counts as one that takes whole nodes.
    """
    own = request.sharing is Sharing.USER or partition.exclusive_user
    return _shape(request, partition, settings, own or _takes_whole(request, partition, settings))


def shape_beside_own(
    request: Request, partition: Partition, settings: SchedulerSettings
) -> Shape | None:
    """Return what a job takes that shares its nodes only with its own user's jobs.

    None if it shares them with everybody, or with nobody.
    """
    own = request.sharing is Sharing.USER or partition.exclusive_user
    if not own or _takes_whole(request, partition, settings):
        return None
    return _shape(request, partition, settings, False)


def _takes_whole(request: Request, partition: Partition, settings: SchedulerSettings) -> bool:
    return (
        request.sharing is Sharing.EXCLUSIVE
        or partition.sharing is NodeSharing.EXCLUSIVE
        or settings.granularity is CpuGranularity.NODE
    )


def _shape(
    request: Request, partition: Partition, settings: SchedulerSettings, whole: bool
) -> Shape:
    cpus = max(-(-request.cpus // request.nodes), request.cpus_per_node or 1)
    return Shape(
        whole=whole,
        cpus=cpus,
        memory_mb=_memory_per_node(request, cpus, partition, settings),
        gres=_gres_per_node(request),
        granularity=settings.granularity,
    )


def _memory_per_node(
    request: Request, cpus: int, partition: Partition, settings: SchedulerSettings
) -> int:
    """Return the MB taken of each node, or ALL_MEMORY; 0 where memory is not handed out."""
    if not settings.memory_is_consumable:
        return 0
    per_node, per_cpu = resolved_memory_mb(request, partition, settings)
    return per_node + per_cpu * cpus or ALL_MEMORY


def _gres_per_node(request: Request) -> Tres:
    """Return the generic resources per node; a total is spread evenly, rounded up."""
    spread = {name: -(-amount // request.nodes) for name, amount in request.gres_total}
    for name, amount in request.gres_per_node:
        spread[name] = max(amount, spread.get(name, 0))
    return tuple(sorted(spread.items()))
