"""Partitions, reservations, licenses and associations, out of pyslurm's.

They are brought into the words that Slurm's commands print, and read as those are.
"""

import re
from collections.abc import Mapping

from collectors.slurm.library.records import UNLIMITED, Record, read, word
from collectors.slurm.text.licenses import license_of
from collectors.slurm.text.limits import association_of
from collectors.slurm.text.partitions import partition_of
from collectors.slurm.text.reservations import Reservations, reservation_of
from predictor.domain import Association, Fact, License, Partition, Quarantined

_PARTITION = {
    "PartitionName": "name",
    "Nodes": "nodes",
    "State": "state",
    "Default": "is_default",
    "MaxTime": "max_time",
    "DefaultTime": "default_time",
    "MinNodes": "min_nodes",
    "MaxNodes": "max_nodes",
    "MaxCPUsPerNode": "max_cpus_per_node",
    "OverSubscribe": "oversubscribe",
    "ExclusiveUser": "is_user_exclusive",
    "LLN": "least_loaded_nodes_scheduling",
    "DefMemPerCPU": "default_memory_per_cpu",
    "DefMemPerNode": "default_memory_per_node",
    "MaxMemPerCPU": "max_memory_per_cpu",
    "MaxMemPerNode": "max_memory_per_node",
    "AllowAccounts": "allowed_accounts",
    "DenyAccounts": "denied_accounts",
    "AllowGroups": "allowed_groups",
    "AllowQos": "allowed_qos",
    "DenyQos": "denied_qos",
    "QoS": "qos",
    "GraceTime": "preemption_grace_time",
    "OverTimeLimit": "over_time_limit",
    "PreemptMode": "preempt_mode",
}
_ASSOCIATION = {
    "Account": "account",
    "User": "user",
    "Partition": "partition",
    "Share": "shares",
    "Priority": "priority",
    "GrpJobs": "group_jobs",
    "GrpSubmit": "group_submit_jobs",
    "GrpTRES": "group_tres",
    "GrpTRESMins": "group_tres_mins",
    "GrpWall": "group_wall_time",
    "MaxJobs": "max_jobs",
    "MaxSubmit": "max_submit_jobs",
    "MaxTRES": "max_tres_per_job",
    "MaxTRESPerNode": "max_tres_per_node",
    "MaxTRESMins": "max_tres_mins_per_job",
    "MaxWall": "max_wall_time_per_job",
    "QOS": "qos",
}
_LICENSE = {"LicenseName": "name", "Total": "total", "Used": "in_use", "Remote": "remote"}
_SHARES_OF_PARENT = str(0x7FFF_FFFF)
_FLAGS = {
    "MAINTENANCE": "MAINT",
    "IGNORE_RUNNING_JOBS": "IGNORE_JOBS",
    "PARTITION_NODES_ONLY": "PART_NODES",
}
"""Where pyslurm has a word of its own for a reservation's flag."""


def parse_partitions(text: str) -> tuple[tuple[Partition, ...], tuple[Quarantined, ...]]:
    """Return the partitions of `Partitions.load()`. Raises SourceError."""
    return read(Fact.PARTITIONS, text, lambda record: partition_of(_partition(record)))


def parse_reservations(text: str, cpus: Mapping[str, int]) -> Reservations:
    """Return the reservations of `Reservations.load()`. Raises SourceError.

    `cpus` by node name tell whole nodes from parts of them.
    """
    return read(
        Fact.RESERVATIONS, text, lambda record: reservation_of(cpus, 0, _reservation(record))
    )


def parse_licenses(text: str) -> tuple[tuple[License, ...], tuple[Quarantined, ...]]:
    """Return the pools of `licenses().get()`. Raises SourceError."""
    return read(Fact.LICENSES, text, lambda record: license_of(_words(record, _LICENSE)))


def parse_associations(
    text: str, cluster: str
) -> tuple[tuple[Association, ...], tuple[Quarantined, ...]]:
    """Return one cluster's out of `db.Associations.load()`. Raises SourceError."""
    found, bad = read(
        Fact.ASSOCIATIONS,
        text,
        lambda record: (word(record, "cluster"), association_of(_association(record))),
    )
    return tuple(one for of, one in found if of == cluster), bad


def _words(record: Record, renamed: Mapping[str, str]) -> dict[str, str]:
    return {name: word(record, theirs) for name, theirs in renamed.items() if theirs in record}


def _partition(record: Record) -> Mapping[str, str]:
    # What pyslurm leaves out here is 0.
    tier, factor = word(record, "priority_tier"), word(record, "priority_job_factor")
    return _words(record, _PARTITION) | {
        "PriorityTier": tier or "0",
        "PriorityJobFactor": factor or "0",
    }


def _reservation(record: Record) -> Mapping[str, str]:
    flags = re.findall(r"[A-Z_]+", f"{record.get('flags', '')},{record.get('reoccurrence', '')}")
    return {
        "ReservationName": word(record, "name"),
        "StartTime": word(record, "start_time"),
        "EndTime": word(record, "end_time"),
        "Nodes": word(record, "nodes"),
        "Flags": ",".join(_FLAGS.get(flag, flag) for flag in flags),
        "TRES": word(record, "tres"),
        "PartitionName": word(record, "partition"),
        "Users": word(record, "users"),
        "Groups": word(record, "groups"),
        "Accounts": word(record, "accounts"),
        "Licenses": word(record, "licenses"),
    }


def _association(record: Record) -> Mapping[str, str]:
    told = _words(record, _ASSOCIATION)
    bounded = {name: "" if value == UNLIMITED else value for name, value in told.items()}
    if bounded.get("Share") == _SHARES_OF_PARENT:
        bounded["Share"] = "parent"
    return bounded | {"QOS": ",".join(sorted(bounded.get("QOS", "").split(",")))}
