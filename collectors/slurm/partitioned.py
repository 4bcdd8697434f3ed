"""Partitions as they lie on a cluster's nodes, and what they make their jobs look like."""

from collections.abc import Iterable, Set
from dataclasses import replace

from collectors.slurm.text.config import Configuration
from collectors.slurm.words.hostlists import in_order
from predictor.domain import Node, Partition, PendingJob, Sharing


def partitioned(
    partitions: Iterable[Partition], config: Configuration, nodes: Iterable[Node]
) -> tuple[Partition, ...]:
    """Return the partitions, their nodes in the cluster's order, and as its settings wish."""
    order = {node.name: at for at, node in enumerate(nodes)}
    return tuple(
        replace(
            partition,
            node_names=in_order(partition.node_names, order),
            spread=partition.spread or config.takes_emptiest,
        )
        for partition in partitions
    )


def as_asked(jobs: Iterable[PendingJob], partitions: Iterable[Partition]) -> tuple[PendingJob, ...]:
    """Return the jobs without what only a partition makes them say of whom they tolerate.

    Who waits in several is shown as the one tried last would have it. That its nodes are its
    user's alone binds in no other; that they are its own alone does once it was tried to start it
    there. Of who asks for the same itself nothing tells.
    Source: Slurm 22.05, _pack_default_job_details, _resolve_shared_status; as measured.
    """
    owned = {one.name for one in partitions if one.exclusive_user}
    return tuple(_as_asked(job) if _is_made_to_own(job, owned) else job for job in jobs)


def _is_made_to_own(job: PendingJob, owned: Set[str]) -> bool:
    names = job.spec.partitions
    return (
        len(names) > 1 and job.spec.request.sharing is Sharing.USER and not owned.isdisjoint(names)
    )


def _as_asked(job: PendingJob) -> PendingJob:
    return replace(
        job, spec=replace(job.spec, request=replace(job.spec.request, sharing=Sharing.SHARED))
    )
