"""QOS and associations with their limits, out of `sacctmgr -P show qos` and `show assoc`."""

import math
from dataclasses import fields, replace
from functools import lru_cache

from collectors.slurm.text.preemption import by_priority, eviction, within
from collectors.slurm.text.records import Record, name_in, needed, table
from collectors.slurm.words import units
from collectors.slurm.words.flags import qos_flags
from collectors.slurm.words.quarantine import sorted_out
from predictor.domain import Association, Fact, Limits, Qos, Quarantined


@lru_cache(maxsize=4)
def parse_qos(text: str) -> tuple[tuple[Qos, ...], tuple[Quarantined, ...]]:
    """Return the qualities of service; columns that a version lacks count as not set."""
    return sorted_out(Fact.QOS, table(text, "Name"), qos_of)


@lru_cache(maxsize=4)
def parse_associations(
    text: str, cluster: str
) -> tuple[tuple[Association, ...], tuple[Quarantined, ...]]:
    """Return the associations of one cluster, without their parents.

    A database may serve several clusters; `sacctmgr` then shows all of theirs.
    """
    rows = [row for row in table(text, "Account") if row.get("Cluster", cluster) == cluster]
    return sorted_out(Fact.ASSOCIATIONS, rows, association_of)


def qos_of(row: Record) -> Qos:
    """Return the quality of service that such a row tells of. Raises ValueError."""
    return Qos(
        name=needed(row, "Name"),
        priority=units.count(row.get("Priority", "")),
        limits=_qos_limits(row),
        usage_factor=_factor(row.get("UsageFactor", "")),
        limit_factor=_stretch(row.get("LimitFactor", "")),
        flags=qos_flags(row.get("Flags", "")),
        preempts=units.listed(row.get("Preempt", "")),
        eviction=eviction(row.get("PreemptMode", "")),
        preempts_within=within(row.get("PreemptMode", "")),
        preempts_by_priority=by_priority(row.get("PreemptMode", "")),
        grace_s=units.whole_seconds(row.get("GraceTime", "")),
        exempt_s=_exempt_s(row.get("PreemptExemptTime", "")),
    )


def completed(limits: Limits, more: Limits | None) -> Limits:
    """Return the limits, and where they set nothing those told elsewhere."""
    unset = (field.name for field in fields(Limits) if getattr(limits, field.name) is None)
    return limits if more is None else replace(limits, **{n: getattr(more, n) for n in unset})


def _factor(word: str) -> float:
    factor = units.fraction(word)
    return 1.0 if factor is None else factor


def _stretch(word: str) -> float:
    """Return a factor for limits; 1 where none is set, which JSON tells as infinite."""
    factor = units.fraction(word)
    return factor if factor is not None and 0 < factor < math.inf else 1.0


def _exempt_s(word: str) -> int | None:
    decoded = units.seconds(word)
    return decoded if isinstance(decoded, int) else None


def _common_limits(row: Record) -> Limits:
    """Return the limits that QOS and associations spell alike."""
    return Limits(
        group_jobs=units.number(row.get("GrpJobs", "")),
        group_accruing=units.number(row.get("GrpJobsAccrue", "")),
        group_submit=units.number(row.get("GrpSubmit", "")),
        group_tres=units.tres(row.get("GrpTRES", "")),
        group_tres_minutes=units.tres(row.get("GrpTRESMins", "")),
        group_tres_run_minutes=units.tres(row.get("GrpTRESRunMins", "")),
        group_wall_s=units.seconds(row.get("GrpWall", "")),
        max_tres_per_job=units.tres(row.get("MaxTRES", "")),
        max_tres_per_node=units.tres(row.get("MaxTRESPerNode", "")),
        max_tres_minutes_per_job=units.tres(row.get("MaxTRESMins", "")),
        max_wall_per_job_s=units.seconds(row.get("MaxWall", "")),
        min_priority=units.count(row.get("MinPrioThres", "")) or None,
    )


def _qos_limits(row: Record) -> Limits:
    return replace(
        _common_limits(row),
        max_jobs=units.number(row.get("MaxJobsPU", "")),
        max_submit=units.number(row.get("MaxSubmitPU", "")),
        max_tres=units.tres(row.get("MaxTRESPU", "")),
        max_jobs_per_account=units.number(row.get("MaxJobsPA", "")),
        max_submit_per_account=units.number(row.get("MaxSubmitPA", "")),
        max_tres_run_minutes=units.tres(row.get("MaxTRESRunMinsPU", "")),
        max_tres_per_account=units.tres(row.get("MaxTRESPA", "")),
        max_tres_run_minutes_per_account=units.tres(row.get("MaxTRESRunMinsPA", "")),
        min_tres_per_job=units.tres(row.get("MinTRES", "")),
        max_accruing=units.number(row.get("MaxJobsAccruePU", "")),
        max_accruing_per_account=units.number(row.get("MaxJobsAccruePA", "")),
    )


def _association_limits(row: Record) -> Limits:
    return replace(
        _common_limits(row),
        max_jobs=units.number(row.get("MaxJobs", "")),
        max_submit=units.number(row.get("MaxSubmit", "")),
        max_accruing=units.number(row.get("MaxJobsAccrue", "")),
    )


def association_of(row: Record) -> Association:
    """Return the association that such a row tells of, without its parent. Raises ValueError."""
    shares = needed(row, "Share")
    return Association(
        account=needed(row, "Account"),
        user=name_in(row, "User"),
        partition=name_in(row, "Partition"),
        shares=None if shares == "parent" else units.count(shares),
        priority=units.count(row.get("Priority", "")),
        limits=_association_limits(row),
        qos=units.listed(row.get("QOS", "")),
        default_qos=name_in(row, "Def QOS"),
    )
