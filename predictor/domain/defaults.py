"""What counts for a job where it does not say: its partition's word, then the cluster's."""

from predictor.domain.amounts import Limit, Unlimited
from predictor.domain.durations import DAY_S
from predictor.domain.partition import Partition
from predictor.domain.request import Request
from predictor.domain.scheduler import SchedulerSettings

NO_LIMIT_S = 365 * DAY_S
"""How long a job without any limit is planned. Source: Slurm, a year."""


def first_told_s(*limits: Limit) -> int:
    """Return the first limit that is told; NO_LIMIT_S if it is unlimited, or none is told."""
    first = next((limit for limit in limits if limit is not None), NO_LIMIT_S)
    return NO_LIMIT_S if isinstance(first, Unlimited) else first


def planned_s(request: Request, partition: Partition | None) -> int:
    """Return for how many seconds the batch system plans the job: its limit, at least 1.

    Without one of its own the partition's longest applies. None: its partition is not known.
    """
    return max(1, first_told_s(request.limit_s, partition.max_time_s if partition else None))


def longest_s(request: Request, partition: Partition | None) -> int:
    """Return for how long the job may run at most: by a limit of its own, or by its partition's.

    Its own may be above the partition's, if an administrator or its QOS allows that.
    """
    if isinstance(request.limit_s, int):
        return max(1, request.limit_s)
    most = partition.max_time_s if partition else None
    return max(1, min(planned_s(request, partition), first_told_s(most)))


def resolved_memory_mb(
    request: Request, partition: Partition, settings: SchedulerSettings
) -> tuple[int, int]:
    """Return the memory the job is to have per node and per CPU: one of them, the other is 0.

    Both are 0 if it gets all the memory of its nodes: it asks for that, or nobody says anything.
    Source: slurm.conf(5), `DefMemPerNode` and `DefMemPerCPU`.
    """
    choices = (
        (request.memory_per_node_mb, request.memory_per_cpu_mb),
        (partition.default_memory_per_node_mb, partition.default_memory_per_cpu_mb),
        (settings.default_memory_per_node_mb, settings.default_memory_per_cpu_mb),
    )
    for per_node, per_cpu in choices:
        if per_cpu:
            return 0, per_cpu
        if per_node is not None:
            return per_node, 0
    return 0, 0
