"""Lay a site file over a snapshot: what the file names wins, the rest stays."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from predictor.domain import Association, Partition, PendingJob, Qos, Snapshot
from predictor.site.bounds import limits_of, qos_of
from predictor.site.machine import LimitTable
from predictor.site.model import Site
from predictor.site.nodes import with_node_groups
from predictor.site.queues import strangers, with_queues


def overlay(site: Site, snapshot: Snapshot) -> Snapshot:
    """Return `snapshot` completed and corrected by `site`; equal to it if the file says nothing.

    Queues, nodes, QOS and limits of the file are added, or replace those of the same name as far
    as the file gives them. Any QOS or limit in the file makes limits binding. Waiting jobs
    without a partition get the file's default one. Hosts that nobody knows are named in the
    provenance. Linear in the snapshot's records.
    """
    nodes = with_node_groups(site.nodes, snapshot)
    partitions = with_queues(site, snapshot.partitions, nodes)
    partitions, limited = _limited_queues(site.limits, partitions)
    settings = snapshot.settings
    if site.qos or site.limits:
        settings = replace(settings, limits_enforced=True)
    if site.forecast.boot_s is not None:
        settings = replace(settings, boot_s=site.forecast.boot_s)
        partitions = tuple(replace(one, boot_s=None) for one in partitions)
    if site.forecast.kill_wait_s is not None:
        settings = replace(settings, kill_wait_s=site.forecast.kill_wait_s)
    settings = replace(settings, passes=site.passes.over(settings.passes))
    settings = site.preemption.over(settings)
    provenance = snapshot.provenance
    if site.access.private is not None:
        provenance = replace(provenance, private=tuple(sorted(set(site.access.private))))
    if unknown := strangers(site, nodes):
        provenance = replace(provenance, quarantined=(*provenance.quarantined, unknown))
    return replace(
        snapshot,
        provenance=provenance,
        cluster=site.cluster or snapshot.cluster,
        nodes=nodes,
        partitions=partitions,
        pending=_placed(snapshot.pending, site),
        qos=_by_name(snapshot.qos, (*map(qos_of, site.qos), *limited)),
        associations=_associations(site.limits, snapshot),
        settings=settings,
    )


def _limited_queues(
    limits: Iterable[LimitTable], partitions: tuple[Partition, ...]
) -> tuple[tuple[Partition, ...], list[Qos]]:
    """Give each queue that has limits a QOS of its own, since those carry a queue's limits."""
    tables = {table.queue: table for table in limits if table.queue}
    made = {
        partition.name: Qos(
            name=f"limits of {partition.name}", limits=limits_of(tables[partition.name])
        )
        for partition in partitions
        if partition.name in tables
    }
    bound = tuple(
        replace(partition, qos=made[partition.name].name) if partition.name in made else partition
        for partition in partitions
    )
    return bound, list(made.values())


def _by_name(told: tuple[Qos, ...], given: Iterable[Qos]) -> tuple[Qos, ...]:
    usage = {qos.name: qos.usage for qos in told}
    mine = {qos.name: replace(qos, usage=usage.get(qos.name)) for qos in given}
    return (*(mine.pop(qos.name, qos) for qos in told), *mine.values())


def _associations(limits: Sequence[LimitTable], snapshot: Snapshot) -> tuple[Association, ...]:
    if not limits:
        return snapshot.associations
    found = {(a.account, a.user, a.partition): a for a in snapshot.associations}
    for table in limits:
        for account in _accounts(table, snapshot):
            key = (account, table.user or "", "")
            base = found.get(key, Association(account=account, user=table.user or ""))
            found[key] = replace(
                base,
                limits=limits_of(table),
                priority=base.priority if table.priority is None else table.priority,
            )
    return tuple(found.values())


def _accounts(table: LimitTable, snapshot: Snapshot) -> Iterable[str]:
    """Return the accounts in which a table's limits bind: a user's own ones if it names none."""
    if table.queue:
        return ()
    if table.account:
        return (table.account,)
    specs = [job.spec for job in snapshot.pending] + [job.spec for job in snapshot.running]
    own = {spec.account for spec in specs if spec.user == table.user}
    own |= {a.account for a in snapshot.associations if a.user == table.user}
    return sorted(own)


def _placed(jobs: tuple[PendingJob, ...], site: Site) -> tuple[PendingJob, ...]:
    default = next((queue.name for queue in site.queues if queue.default), None)
    if default is None:
        return jobs
    return tuple(
        job if job.spec.partitions else replace(job, spec=replace(job.spec, partitions=(default,)))
        for job in jobs
    )
