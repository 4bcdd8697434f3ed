"""QOS and associations with their limits, out of JSON: of slurmrestd, and of `sacctmgr --json`."""

from collectors.slurm.objects import spelling
from collectors.slurm.objects.fields import Fields, decoded, record_list
from collectors.slurm.text.limits import association_of, qos_of
from collectors.slurm.text.records import Record
from collectors.slurm.words.quarantine import sorted_out
from predictor.domain import Association, Fact, Qos, Quarantined

_FLAGS = {
    "DENY_LIMIT": "DenyOnLimit",
    "ENFORCE_USAGE_THRESHOLD": "EnforceUsageThreshold",
    "NO_DECAY": "NoDecay",
    "NO_RESERVE": "NoReserve",
    "OVERRIDE_PARTITION_QOS": "OverPartQOS",
    "PARTITION_MAXIMUM_NODE": "PartitionMaxNodes",
    "PARTITION_MINIMUM_NODE": "PartitionMinNodes",
    "PARTITION_TIME_LIMIT": "PartitionTimeLimit",
    "RELATIVE": "Relative",
    "REQUIRED_RESERVATION": "RequiresReservation",
    "USAGE_FACTOR_SAFE": "UsageFactorSafe",
}
"""JSON's words for what a QOS is like, and those of `sacctmgr`."""
_PARENTS = "2147483647"
"""The number of shares by which the parent's are meant."""


def parse_qos(text: str) -> tuple[tuple[Qos, ...], tuple[Quarantined, ...]]:
    """Return the qualities of service."""
    answer = decoded(text, "qos")
    key = "QOS" if "QOS" in answer else "qos"
    return sorted_out(Fact.QOS, record_list(answer, key, "qos"), _qos)


def parse_associations(
    text: str, cluster: str
) -> tuple[tuple[Association, ...], tuple[Quarantined, ...]]:
    """Return the associations of one cluster, without their parents."""
    place = "associations"
    found = record_list(decoded(text, place), place, place)
    ours = [one for one in found if not isinstance(one, dict) or _is_of(one, cluster)]
    return sorted_out(Fact.ASSOCIATIONS, ours, _association)


def _is_of(record: dict[str, object], cluster: str) -> bool:
    return record.get("cluster", cluster) == cluster


def _qos(record: object) -> Qos:
    fields = Fields(record)
    preempt, limits = fields.part("preempt"), fields.part("limits")
    modes = [word for word in preempt.words("mode") if word.upper() != "DISABLED"]
    return qos_of(
        {
            "Name": fields.text("name"),
            "Priority": spelling.bound(fields, "priority"),
            "UsageFactor": spelling.fraction(fields, "usage_factor"),
            "LimitFactor": spelling.fraction(limits, "factor"),
            "Flags": ",".join(_FLAGS.get(flag, flag) for flag in fields.words("flags")),
            "Preempt": spelling.several(preempt, "list"),
            "PreemptMode": ",".join(modes),
            "PreemptExemptTime": _in_seconds(preempt, "exempt_time"),
            "GraceTime": _in_seconds(limits, "grace_time"),
            **_qos_bounds(limits.part("max")),
            "MinTRES": spelling.bundle(limits.part("min").part("tres").part("per"), "job"),
            "MinPrioThres": spelling.bound(limits.part("min"), "priority_threshold"),
        }
    )


def _qos_bounds(most: Fields) -> Record:
    jobs, tres = most.part("jobs"), most.part("tres")
    running, submitted = jobs.part("active_jobs").part("per"), jobs.part("per")
    if not jobs.has("active_jobs"):
        # v0.0.36 has the running jobs in the place of the submitted ones.
        running, submitted = submitted, running
    minutes, amounts = tres.part("minutes"), tres.part("per")
    wall, accruing = most.part("wall_clock").part("per"), most.part("accruing").part("per")
    return {
        "GrpJobs": spelling.bound(most.part("active_jobs"), "count"),
        "GrpJobsAccrue": spelling.bound(most.part("active_jobs"), "accruing"),
        "GrpSubmit": spelling.bound(jobs, "count"),
        "GrpTRES": spelling.bundle(tres, "total"),
        "GrpTRESMins": spelling.bundle(minutes, "total"),
        "GrpTRESRunMins": spelling.bundle(minutes.part("per"), "qos"),
        "GrpWall": spelling.bound(wall, "qos"),
        "MaxTRES": spelling.bundle(amounts, "job"),
        "MaxTRESPerNode": spelling.bundle(amounts, "node"),
        "MaxTRESMins": spelling.bundle(minutes.part("per"), "job"),
        "MaxWall": spelling.bound(wall, "job"),
        "MaxJobsPU": spelling.bound(running, "user"),
        "MaxSubmitPU": spelling.bound(submitted, "user"),
        "MaxTRESPU": spelling.bundle(amounts, "user"),
        "MaxTRESRunMinsPU": spelling.bundle(minutes.part("per"), "user"),
        "MaxJobsAccruePU": spelling.bound(accruing, "user"),
        "MaxJobsAccruePA": spelling.bound(accruing, "account"),
        "MaxJobsPA": spelling.bound(running, "account"),
        "MaxSubmitPA": spelling.bound(submitted, "account"),
        "MaxTRESPA": spelling.bundle(amounts, "account"),
        "MaxTRESRunMinsPA": spelling.bundle(minutes.part("per"), "account"),
    }


def _association(record: object) -> Association:
    fields = Fields(record)
    shares = spelling.number(fields, "shares_raw")
    return association_of(
        {
            "Account": fields.text("account"),
            "User": fields.text("user"),
            "Partition": fields.text("partition"),
            "Share": "parent" if shares == _PARENTS else shares,
            "Priority": spelling.bound(fields, "priority"),
            # Versions up to v0.0.37 have numbers for names.
            "QOS": ",".join(word for word in fields.words("qos") if not word.isdecimal()),
            "Def QOS": fields.part("default").text("qos"),
            "MinPrioThres": spelling.bound(fields.part("min"), "priority_threshold"),
            **_association_bounds(fields.part("max")),
        }
    )


def _association_bounds(most: Fields) -> Record:
    jobs, tres = most.part("jobs"), most.part("tres")
    minutes, group = tres.part("minutes"), tres.part("group")
    return {
        "GrpJobs": spelling.bound(jobs.part("per"), "count"),
        "GrpJobsAccrue": spelling.bound(jobs.part("per"), "accruing"),
        "GrpSubmit": spelling.bound(jobs.part("per"), "submitted"),
        "GrpTRES": spelling.bundle(tres, "total"),
        "GrpTRESMins": spelling.bundle(group, "minutes"),
        "GrpTRESRunMins": spelling.bundle(group, "active"),
        "GrpWall": spelling.bound(most.part("per").part("account"), "wall_clock"),
        "MaxJobs": spelling.bound(jobs, "active"),
        "MaxJobsAccrue": spelling.bound(jobs, "accruing"),
        "MaxSubmit": spelling.bound(jobs, "total"),
        "MaxTRES": spelling.bundle(tres.part("per"), "job"),
        "MaxTRESPerNode": spelling.bundle(tres.part("per"), "node"),
        "MaxTRESMins": spelling.bundle(minutes.part("per"), "job"),
        "MaxWall": spelling.bound(jobs.part("per"), "wall_clock"),
    }


def _in_seconds(fields: Fields, key: str) -> str:
    word = spelling.bound(fields, key)
    return f"{word} sec" if word else ""
