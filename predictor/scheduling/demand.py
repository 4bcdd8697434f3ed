"""What a request takes of each node, with the partition's and the cluster's defaults filled in."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

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
from predictor.scheduling.machine import ALL_CPUS, ALL_MEMORY, Shape
from predictor.scheduling.sharing import crowd_of, yields


def quotas(partitions: Iterable[Partition]) -> Mapping[str, int]:
    """Return how many CPUs of a node all jobs of a partition together may have, by its name.

    Source: slurm.conf(5), `MaxCPUsPerNode`.
    """
    told = ((one.name, one.max_cpus_per_node) for one in partitions)
    return {name: most for name, most in told if isinstance(most, int) and most > 0}


def shape_of(
    request: Request, partition: Partition, settings: SchedulerSettings, row: int = -1
) -> Shape:
    """Return what the job takes of each of its nodes in this partition, in a row of its CPUs.

    CPUs that do not divide evenly are rounded up on every node. A job that shares its nodes only
    with its own user's jobs counts as one that takes whole nodes.
    """
    own = request.sharing is Sharing.USER or partition.exclusive_user
    whole = row < 0 and takes_whole(request, partition, settings)
    shape = _shape(request, partition, settings, own or whole, row)
    # Whoever keeps others off does not take all their CPUs, of which `shape_beside_own` tells.
    return replace(shape, quota="") if own and not whole else shape


def shape_beside_own(
    request: Request, partition: Partition, settings: SchedulerSettings
) -> Shape | None:
    """Return what a job takes on whose nodes nobody else's jobs may be; None if they may.

    It goes where none is, even if it takes all there is anyway.
    """
    own = request.sharing is Sharing.USER or partition.exclusive_user
    if not own:
        return None
    return _shape(request, partition, settings, takes_whole(request, partition, settings), -1)


def takes_whole(request: Request, partition: Partition, settings: SchedulerSettings) -> bool:
    """Return whether nobody may be beside it on its nodes."""
    return (
        request.sharing is Sharing.EXCLUSIVE
        or partition.sharing is NodeSharing.EXCLUSIVE
        or settings.granularity is CpuGranularity.NODE
    )


def _shape(
    request: Request, partition: Partition, settings: SchedulerSettings, whole: bool, row: int
) -> Shape:
    cpus, per_node_mb, per_cpu_mb = cpus_and_memory(request, partition, settings)
    everything = row >= 0 and request.sharing is Sharing.EXCLUSIVE
    by_cpu = settings.memory_is_consumable and per_cpu_mb > 0 and not everything
    by_cpu = by_cpu and settings.granularity is not CpuGranularity.NODE
    if not by_cpu:
        per_node_mb += per_cpu_mb * cpus
    memory_mb = per_node_mb if by_cpu else per_node_mb or ALL_MEMORY
    return Shape(
        whole=whole,
        cpus=ALL_CPUS if everything else cpus,
        memory_mb=memory_mb if settings.memory_is_consumable else 0,
        memory_per_cpu_mb=per_cpu_mb if by_cpu else 0,
        gres=_gres_per_node(request),
        granularity=settings.granularity,
        quota=partition.name,
        row=row,
        crowd=crowd_of(partition),
        yields=not whole and yields(partition),
        per_core=request.cpus_per_core or 0,
    )


def cpus_and_memory(
    request: Request, partition: Partition, settings: SchedulerSettings
) -> tuple[int, int, int]:
    """Return the CPUs on each node, and the MB per node and per CPU: one of these is 0, or both.

    Who asks for more memory than goes with so many CPUs gets more CPUs. Nothing changes for who
    has them already, as waiting jobs have. Source: slurm.conf(5), `MaxMemPerCPU`.
    """
    cpus = max(-(-request.cpus // request.nodes), request.cpus_per_node or 1)
    per_node, per_cpu = resolved_memory_mb(request, partition, settings)
    most = partition.max_memory_per_cpu_mb or 0
    if most <= 0:
        return cpus, per_node, per_cpu
    if per_cpu > most:
        times = -(-per_cpu // most)
        return cpus * times, 0, -(-per_cpu // times)
    return max(cpus, -(-per_node // most)), per_node, per_cpu


def _gres_per_node(request: Request) -> Tres:
    """Return the generic resources per node; a total is spread evenly, rounded up."""
    spread = {name: -(-amount // request.nodes) for name, amount in request.gres_total}
    for name, amount in request.gres_per_node:
        spread[name] = max(amount, spread.get(name, 0))
    return tuple(sorted(spread.items()))
