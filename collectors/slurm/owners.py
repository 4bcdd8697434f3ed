"""Who shares nodes with jobs of its own user only, where but the nodes tell it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from predictor.domain import Node, Partition, RunningJob, Sharing


def beside_own(
    running: Sequence[RunningJob], nodes: Sequence[Node], partitions: Sequence[Partition]
) -> tuple[RunningJob, ...]:
    """Return the jobs; those of a node's owner keep others off if none is told to.

    The JSON of Slurm 26.05 tells `--exclusive=user` of no job, but whose a node is.
    """
    told = frozenset(one.name for one in partitions if one.exclusive_user)
    unexplained = {node.name: node.owner for node in nodes if node.owner}
    for job in running:
        if job.spec.request.sharing is Sharing.USER or not told.isdisjoint(job.spec.partitions):
            for name in _owned(job, unexplained):
                del unexplained[name]
    return tuple(_keeping_off(job) if any(_owned(job, unexplained)) else job for job in running)


def _owned(job: RunningJob, owners: dict[str, str]) -> Iterator[str]:
    """Yield the nodes on which the job is that its user owns."""
    here = [share.node for share in job.allocation]
    return (name for name in here if owners.get(name) == job.spec.user)


def _keeping_off(job: RunningJob) -> RunningJob:
    if job.spec.request.sharing is Sharing.EXCLUSIVE:
        return job
    request = replace(job.spec.request, sharing=Sharing.USER)
    return replace(job, spec=replace(job.spec, request=request))
