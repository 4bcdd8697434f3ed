"""Partitions, out of `scontrol -o show partition`."""

from collections.abc import Mapping
from functools import lru_cache

from collectors.slurm.text.preemption import by_priority, eviction
from collectors.slurm.text.records import Record, needed, records
from collectors.slurm.words import units
from collectors.slurm.words.hostlists import expanded
from collectors.slurm.words.quarantine import sorted_out
from predictor.domain import (
    UNLIMITED,
    Fact,
    Limit,
    NodeSharing,
    Partition,
    PartitionState,
    Quarantined,
)

MOST_DIGITS = 10

_SHARING: Mapping[str, NodeSharing] = {
    "EXCLUSIVE": NodeSharing.EXCLUSIVE,
    "NO": NodeSharing.NO,
    "YES": NodeSharing.YES,
    "FORCE": NodeSharing.FORCE,
}


@lru_cache(maxsize=4)
def parse_partitions(text: str) -> tuple[tuple[Partition, ...], tuple[Quarantined, ...]]:
    """Return the partitions in Slurm's order; their nodes in ClusterShell's."""
    return sorted_out(Fact.PARTITIONS, records(text, "PartitionName"), partition_of)


def partition_of(record: Record) -> Partition:
    """Return the partition that such a record tells of. Raises ValueError, naming it."""
    name = needed(record, "PartitionName")
    sharing, _, jobs_per_cpu = record.get("OverSubscribe", "NO").partition(":")
    try:
        return Partition(
            name=name,
            node_names=expanded(record.get("Nodes", "")),
            state=PartitionState(needed(record, "State").lower()),
            is_default=units.yes(record.get("Default", "")),
            tier=units.count(record.get("PriorityTier", "1")),
            job_factor=units.count(record.get("PriorityJobFactor", "1")),
            max_time_s=units.seconds(record.get("MaxTime", "")),
            default_time_s=units.seconds(record.get("DefaultTime", "")),
            min_nodes=units.count(record.get("MinNodes", "")),
            max_nodes=units.number(record.get("MaxNodes", "")),
            max_cpus_per_node=units.number(record.get("MaxCPUsPerNode", "")),
            sharing=_sharing(record, sharing),
            jobs_per_cpu=units.count(jobs_per_cpu) or 1,
            exclusive_user=_exclusive_user(record),
            spread=units.yes(record.get("LLN", "")),
            default_memory_per_cpu_mb=units.megabytes(record.get("DefMemPerCPU", "")),
            default_memory_per_node_mb=units.megabytes(record.get("DefMemPerNode", "")),
            max_memory_per_cpu_mb=units.megabytes(record.get("MaxMemPerCPU", "")),
            max_memory_per_node_mb=units.megabytes(record.get("MaxMemPerNode", "")),
            allow_accounts=units.listed(record.get("AllowAccounts", "")),
            deny_accounts=units.listed(record.get("DenyAccounts", "")),
            allow_groups=units.listed(record.get("AllowGroups", "")),
            allow_qos=units.listed(record.get("AllowQos", "")),
            deny_qos=units.listed(record.get("DenyQos", "")),
            qos=units.said(record.get("QoS", "")),
            grace_s=units.count(record.get("GraceTime", "")),
            over_time_s=units.minutes(record.get("OverTimeLimit", "")),
            eviction=eviction(record.get("PreemptMode", "")),
            preempts_by_priority=by_priority(record.get("PreemptMode", "")),
            billing_weights=units.weights(record.get("TRESBillingWeights", "")),
            sleeps_after_s=_sleeps_after_s(record.get("SuspendTime", "")),
            boot_s=_seconds(record.get("ResumeTimeout", "")),
            dozes_s=_seconds(record.get("SuspendTimeout", "")),
        )
    except ValueError as error:
        raise ValueError(f"partition {name}: {error}") from error


def _sharing(record: Record, word: str) -> NodeSharing:
    # Of newer versions OverSubscribe says NO then.
    if record.get("Exclusive", "") == "NODE":
        return NodeSharing.EXCLUSIVE
    return _SHARING.get(word, NodeSharing.NO)


def _sleeps_after_s(word: str) -> Limit:
    return UNLIMITED if word in units.BOUNDLESS or word == "-1" else _seconds(word)


def _seconds(word: str) -> int | None:
    # Whole seconds, unlike other spans here; GLOBAL or nothing where the cluster's counts.
    return int(word) if word.isdecimal() and len(word) < MOST_DIGITS else None


def _exclusive_user(record: Record) -> bool:
    # Newer versions have one key for several kinds: Exclusive=NO|NODE|USER|TOPO.
    return units.yes(record.get("ExclusiveUser", "")) or record.get("Exclusive", "") == "USER"
