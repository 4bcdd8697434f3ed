"""Partitions, out of JSON: of slurmrestd, and of `scontrol show partitions --json`."""

from collectors.slurm.objects import spelling
from collectors.slurm.objects.fields import Fields, decoded, record_list
from collectors.slurm.text.partitions import partition_of
from collectors.slurm.text.records import Record
from collectors.slurm.words.quarantine import sorted_out
from predictor.domain import Fact, Partition, Quarantined

PLACE = "partitions"
_NO_WORD = frozenset({"DISABLED", "CLUSTER_GLOBAL"})
"""What stands for a mode of preemption where none is set, and where it is off."""


def parse_partitions(text: str) -> tuple[tuple[Partition, ...], tuple[Quarantined, ...]]:
    """Return the partitions in Slurm's order; their nodes in ClusterShell's."""
    found = record_list(decoded(text, PLACE), PLACE, PLACE)
    return sorted_out(Fact.PARTITIONS, found, _partition)


def _partition(record: object) -> Partition:
    fields = Fields(record)
    name = fields.text("name")
    if not name:
        raise ValueError("a partition without a name")
    try:
        told = _nested(fields) if fields.is_nested("nodes") else _flat(fields)
        return partition_of({"PartitionName": name, **told})
    except ValueError as error:
        raise ValueError(
            f"partition {name}: {str(error).removeprefix(f'partition {name}: ')}"
        ) from None


def _flat(fields: Fields) -> Record:
    """Return a record of versions up to v0.0.38 in the words of `scontrol`."""
    flags = _flags(fields)
    return {
        **_by_flags(flags),
        "Nodes": fields.text("nodes"),
        "State": fields.text("state"),
        "PriorityTier": spelling.number(fields, "priority_tier"),
        "PriorityJobFactor": spelling.number(fields, "priority_job_factor"),
        "MaxTime": spelling.number(fields, "max_time_limit"),
        "DefaultTime": _default_time(fields),
        "MinNodes": spelling.number(fields, "min nodes per job"),
        "MaxNodes": spelling.number(fields, "maximum_nodes_per_job"),
        "MaxCPUsPerNode": spelling.number(fields, "maximum_cpus_per_node"),
        "DefMemPerCPU": spelling.memory(fields, "default_memory_per_cpu"),
        "DefMemPerNode": spelling.memory(fields, "default_memory_per_node"),
        "MaxMemPerCPU": spelling.memory(fields, "maximum_memory_per_cpu"),
        "MaxMemPerNode": spelling.memory(fields, "maximum_memory_per_node"),
        "AllowAccounts": fields.text("allowed_accounts"),
        "DenyAccounts": fields.text("denied_accounts"),
        "AllowGroups": fields.text("allowed_groups"),
        "AllowQos": fields.text("allowed_qos"),
        "DenyQos": fields.text("denied_qos"),
        "QoS": fields.text("qos"),
        "GraceTime": spelling.number(fields, "preemption_grace_time"),
        "OverTimeLimit": spelling.number(fields, "over_time_limit"),
        "PreemptMode": _mode(fields, "preemption_mode"),
        "TRESBillingWeights": fields.text("billing_weights"),
    }


def _nested(fields: Fields) -> Record:
    """Return a record of newer versions in the words of `scontrol`."""
    most, defaults = fields.part("maximums"), fields.part("defaults")
    priority, state = fields.part("priority"), fields.part("partition")
    accounts, qos = fields.part("accounts"), fields.part("qos")
    return {
        **_by_flags(_flags(fields)),
        "Nodes": fields.part("nodes").text("configured"),
        "State": spelling.several(state, "state"),
        "PriorityTier": spelling.number(priority, "tier"),
        "PriorityJobFactor": spelling.number(priority, "job_factor"),
        "MaxTime": spelling.number(most, "time"),
        "DefaultTime": spelling.number(defaults, "time"),
        "MinNodes": spelling.number(fields.part("minimums"), "nodes"),
        "MaxNodes": spelling.number(most, "nodes"),
        "MaxCPUsPerNode": spelling.number(most, "cpus_per_node"),
        "OverSubscribe": state.text("oversubscribe") or _sharing(most),
        "Exclusive": state.text("exclusive"),
        "DefMemPerCPU": spelling.memory(defaults, "partition_memory_per_cpu"),
        "DefMemPerNode": spelling.memory(defaults, "partition_memory_per_node"),
        "MaxMemPerCPU": spelling.memory(most, "partition_memory_per_cpu"),
        "MaxMemPerNode": spelling.memory(most, "partition_memory_per_node"),
        "AllowAccounts": accounts.text("allowed"),
        "DenyAccounts": accounts.text("deny"),
        "AllowGroups": fields.part("groups").text("allowed"),
        "AllowQos": qos.text("allowed"),
        "DenyQos": qos.text("deny"),
        "QoS": qos.text("assigned"),
        "GraceTime": spelling.number(fields, "grace_time"),
        "OverTimeLimit": spelling.number(most, "over_time_limit"),
        "PreemptMode": _mode(fields, "preempt_mode"),
        "TRESBillingWeights": fields.part("tres").text("billing_weights"),
        "SuspendTime": spelling.number(fields, "suspend_time"),
        "ResumeTimeout": spelling.number(fields.part("timeouts"), "resume"),
        "SuspendTimeout": spelling.number(fields.part("timeouts"), "suspend"),
    }


def _default_time(fields: Fields) -> str:
    # Versions up to v0.0.37 have the default memory in its place.
    is_told = fields.has("default_memory_per_node")
    return spelling.number(fields, "default_time_limit") if is_told else ""


def _flags(fields: Fields) -> frozenset[str]:
    return frozenset(word.upper() for word in fields.words("flags"))


def _by_flags(flags: frozenset[str]) -> Record:
    return {
        "Default": spelling.yes("DEFAULT" in flags),
        "LLN": spelling.yes("LLN" in flags),
        "ExclusiveUser": spelling.yes("EXCLUSIVE_USER" in flags),
    }


def _mode(fields: Fields, key: str) -> str:
    return ",".join(word for word in map(str.upper, fields.words(key)) if word not in _NO_WORD)


def _sharing(most: Fields) -> str:
    """Return how many jobs may share a CPU, in the word and number of `scontrol`."""
    told = most.part("oversubscribe")
    if not told.has("jobs"):
        return "NO"
    jobs = told.count("jobs")
    if "FORCE" in map(str.upper, told.words("flags")):
        return f"FORCE:{jobs}"
    return {0: "EXCLUSIVE", 1: "NO"}.get(jobs, f"YES:{jobs}")
