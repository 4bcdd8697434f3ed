"""Which jobs a partition's own rules keep out."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from predictor.domain import (
    UNLIMITED,
    JobSpec,
    Limit,
    Partition,
    PartitionState,
    PendingJob,
    QosFlag,
    Request,
    SchedulerSettings,
    Unpredictable,
)
from predictor.scheduling.demand import cpus_and_memory
from predictor.scheduling.rules import Refusal, Rules, never_in


def barred(job: PendingJob, partition: Partition, rules: Rules) -> Refusal | None:
    """Return why the partition's rules keep the job out; None if they let it in.

    Source: slurm-users' `scontrol show partition`, and slurm.conf(5); sacctmgr(1) for the flags.
    """
    if partition.state in (PartitionState.DOWN, PartitionState.INACTIVE):
        return Refusal(
            cause=Unpredictable.PARTITION_CLOSED,
            detail=f"partition {partition.name} is {partition.state.value}",
        )
    spec = job.spec
    why = rules.crowding.unknown(spec.request, partition)
    if why:
        shares = f"jobs of partition {partition.name} share CPUs, which is not modelled where {why}"
        return Refusal(cause=Unpredictable.UNSUPPORTED, detail=shares)
    why = _out_of_bounds(spec.request, partition, rules.flags(spec))
    if why:
        return never_in(partition, why)
    if not _is_in_its_groups(spec, partition):
        return never_in(partition, "it takes jobs of other groups only")
    accounts = rules.lineage(spec.account) if spec.account else ()
    if _excluded(accounts, partition.allow_accounts, partition.deny_accounts):
        return never_in(partition, "it does not take jobs of this account")
    if _excluded((spec.qos,) if spec.qos else (), partition.allow_qos, partition.deny_qos):
        return never_in(partition, "it does not take jobs of this QOS")
    most_mb = partition.max_memory_per_node_mb or 0
    if 0 < most_mb < _memory_named_mb(spec.request, partition, rules.settings):
        return never_in(partition, f"it allows {most_mb} MB of memory per node")
    return None


def _memory_named_mb(request: Request, partition: Partition, settings: SchedulerSettings) -> int:
    """Return how many MB of a node go with the CPUs that the request names.

    Tasks that have cores to themselves take more, and memory with these, which a partition's bound
    does not count. The least CPUs of a node are not told apart from theirs, and left out for them.
    Source: starts of Slurm 22.05.8.
    """
    if request.cpus_named is not None:
        request = replace(request, cpus=request.cpus_named, cpus_per_node=None)
    cpus, per_node_mb, per_cpu_mb = cpus_and_memory(request, partition, settings)
    return per_node_mb + per_cpu_mb * cpus


def _out_of_bounds(request: Request, partition: Partition, flags: frozenset[QosFlag]) -> str:
    """Return which bound of the partition's the request is beyond; empty: none that binds it."""
    most = partition.max_nodes
    if is_overlong(request.limit_min_s or request.limit_s, partition, flags):
        return "its time limit is above the partition's"
    wider = isinstance(most, int) and request.nodes > most
    if wider and QosFlag.ABOVE_MAX_NODES not in flags:
        return f"it allows {most} nodes, {request.nodes} asked"
    least = partition.min_nodes
    if QosFlag.BELOW_MIN_NODES not in flags and request.nodes_asked < least:
        return f"it demands at least {least} nodes"
    return ""


def is_overlong(limit_s: Limit, partition: Partition, flags: Collection[QosFlag]) -> bool:
    """Return whether a limit is above the partition's, and no flag of its QOS lets that pass."""
    longest_s = partition.max_time_s
    if QosFlag.ABOVE_MAX_TIME in flags or not isinstance(longest_s, int):
        return False
    return limit_s is UNLIMITED or (isinstance(limit_s, int) and limit_s > longest_s)


def _excluded(names: Sequence[str], allowed: tuple[str, ...], denied: tuple[str, ...]) -> bool:
    """Return whether somebody who goes by these names is kept out; who goes by none is not."""
    if not names:
        return False
    return not set(names).isdisjoint(denied) if not allowed else set(names).isdisjoint(allowed)


def _is_in_its_groups(spec: JobSpec, partition: Partition) -> bool:
    """Return whether the partition takes jobs of the user's groups, or it is not known."""
    groups = partition.allow_groups
    known = partition.groups_told and spec.group and spec.user
    return not (groups and known) or spec.group in groups or spec.user in partition.group_members
