"""Which partitions let several jobs have the same CPUs, and on which nodes that can be told."""

from collections.abc import Mapping
from dataclasses import dataclass

from predictor.domain import (
    CpuGranularity,
    NodeSharing,
    Partition,
    Request,
    SchedulerSettings,
    Sharing,
    Snapshot,
)

MOST_TENANTS = 1_000
"""With more sorts of jobs, counted user by user, who keeps others off takes whole nodes."""
MOST_ROWS = 16
"""With more rows of CPUs every node would take too long to count."""
NO_ROWS = range(0)
SHARED = frozenset({NodeSharing.YES, NodeSharing.FORCE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowding:
    """The rows of CPUs of partitions: in each every CPU goes to one job at a time.

    A job has all its CPUs in one row, the first that has room on all its nodes. Who is in the rows
    of another partition is not in its way, whatever CPUs it has of the same node. As jobs end
    Slurm sorts the others into rows anew, core by core; here everybody stays in its first one.
    Source: Slurm 22.05 and 24.11, select/cons_tres.
    """

    rows: Mapping[str, range]
    """By partition: the numbers of its rows, two at least. Where partitions have nodes in common
    none has the number of another's."""
    why_not: Mapping[str, str]
    """By partition whose jobs share CPUs in a way that is not told: why it is not, as a clause."""
    depths: Mapping[str, int]
    """By name of the node that lies in such a partition: up to which number it has rows."""

    @classmethod
    def of(cls, snapshot: Snapshot) -> "Crowding":
        """Return which partitions of the snapshot's cluster have several rows."""
        crowded = [one for one in snapshot.partitions if _most(one) > 1]
        if not crowded:
            return NO_CROWD
        rows: dict[str, range] = {}
        why_not: dict[str, str] = {}
        depths: dict[str, int] = {}
        for one in crowded:
            why = "some have nodes to themselves" if _may_own(one, snapshot) else ""
            why = why or _obstacle(snapshot.settings)
            first = max((depths.get(node, 0) for node in one.node_names), default=0)
            end = first + _most(one)
            if not why and end > MOST_ROWS:
                why = f"so many as {end} may have one"
            if why:
                why_not[one.name] = why
                continue
            rows[one.name] = range(first, end)
            depths.update(dict.fromkeys(one.node_names, end))
        return cls(rows=rows, why_not=why_not, depths=depths)

    def rows_for(self, request: Request, partition: Partition) -> range:
        """Return in which rows of the partition the job may be; none: it shares CPUs with nobody.

        What is not told counts as such.
        """
        shares = shares_cpus(request, partition)
        return self.rows.get(partition.name, NO_ROWS) if shares else NO_ROWS

    def unknown(self, request: Request, partition: Partition) -> str:
        """Return why it is not told how the job shares CPUs, as a clause; empty: it is."""
        shares = shares_cpus(request, partition)
        return self.why_not.get(partition.name, "") if shares else ""


NO_CROWD = Crowding(rows={}, why_not={}, depths={})
"""Nobody shares a CPU."""


def shares_cpus(request: Request, partition: Partition) -> bool:
    """Return whether the job lets others have its CPUs, as its partition or itself says.

    Where it must, that it asked for nodes of its own does not help it.
    Source: slurm.conf(5), `OverSubscribe`.
    """
    if _most(partition) < 2:
        return False
    return partition.sharing is NodeSharing.FORCE or request.sharing is Sharing.AGREES


def crowd_of(partition: Partition) -> str:
    """Return the partition's name if several jobs may have one of its CPUs; else nothing.

    Beside a job of such a partition, which it may share CPUs or not, come only others of it, and
    those of other such partitions that share CPUs, beside whom all do. Where none is, its jobs
    that share no CPUs come beside those of all other partitions, as these come beside each other.
    Source: Slurm 22.05, select/cons_tres (_verify_node_state).
    """
    return partition.name if _most(partition) > 1 else ""


def yields(partition: Partition) -> bool:
    """Return whether its jobs go on no node where somebody has CPUs that he shares with nobody.

    So do those that must share CPUs with as many as one: themselves. Others come beside them.
    Source: Slurm 22.05, select/cons_tres (_get_job_node_req, _verify_node_state).
    """
    return partition.sharing is NodeSharing.FORCE and _most(partition) < 2


def has_owners(snapshot: Snapshot) -> bool:
    """Return whether it matters whose jobs are on a node, and can be told without much memory."""
    specs = [job.spec for job in snapshot.pending] + [job.spec for job in snapshot.running]
    if len({(spec.user, spec.request.cpus) for spec in specs}) > MOST_TENANTS:
        return False
    return any(one.exclusive_user for one in snapshot.partitions) or any(
        spec.request.sharing is Sharing.USER for spec in specs
    )


def _may_own(partition: Partition, snapshot: Snapshot) -> bool:
    """Return whether jobs of the partition that share CPUs may have nodes to themselves."""
    specs = [job.spec for job in snapshot.pending] + [job.spec for job in snapshot.running]
    return partition.exclusive_user or any(
        partition.name in spec.partitions and spec.request.sharing is Sharing.USER for spec in specs
    )


def _most(partition: Partition) -> int:
    """Return how many jobs may have one CPU of the partition's."""
    return partition.jobs_per_cpu if partition.sharing in SHARED else 1


def _obstacle(settings: SchedulerSettings) -> str:
    """Return why it is not told how jobs share CPUs; empty: it is."""
    if settings.preemption is not None:
        return "jobs may have to make room for others"
    if settings.granularity is CpuGranularity.NODE:
        return "whole nodes are handed out"
    return ""
