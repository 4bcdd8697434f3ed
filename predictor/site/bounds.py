"""Turn the limits of a site file into those of the domain."""

from predictor.domain import Limits, Qos, Tres
from predictor.site.machine import Bounds, QosTable
from predictor.site.preemption import eviction_of


def limits_of(bounds: Bounds) -> Limits:
    """Return the limits that a table sets; what it leaves out does not bind."""
    return Limits(
        group_jobs=bounds.max_jobs,
        group_submit=bounds.max_submitted,
        group_tres=_tres(bounds.max_cpus, bounds.max_nodes),
        max_jobs=bounds.max_jobs_per_user,
        max_submit=bounds.max_submitted_per_user,
        max_tres=_tres(bounds.max_cpus_per_user, bounds.max_nodes_per_user),
        max_tres_per_job=_tres(bounds.max_cpus_per_job, bounds.max_nodes_per_job),
        max_wall_per_job_s=bounds.max_time_per_job_s,
    )


def qos_of(table: QosTable) -> Qos:
    """Return the QOS that a table describes."""
    return Qos(
        name=table.name,
        priority=table.priority,
        usage_factor=table.usage_factor,
        limits=limits_of(table),
        preempts=table.preempts,
        eviction=eviction_of(table.eviction),
        grace_s=table.grace_s,
        exempt_s=table.exempt_s,
    )


def _tres(cpus: int | None, nodes: int | None) -> Tres:
    given = (("cpu", cpus), ("node", nodes))
    return tuple((name, amount) for name, amount in given if amount is not None)
