"""The queues of a site file, laid over the partitions of a snapshot."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from predictor.domain import Fact, Node, NodeSharing, Partition, Quarantined
from predictor.hostlists import expanded
from predictor.site.machine import Queue
from predictor.site.model import Site
from predictor.site.preemption import eviction_of

Groups = Mapping[str, tuple[str, ...]]
"""The hosts of each named node group."""


def with_queues(
    site: Site, told: tuple[Partition, ...], nodes: tuple[Node, ...]
) -> tuple[Partition, ...]:
    """Return the partitions as told, changed by the file's queues, then its new ones.

    Queues hold those of their nodes that are among `nodes`, in that order.
    """
    groups = {group.name: expanded(group.hosts) for group in site.nodes if group.name}
    given = {queue.name: queue for queue in site.queues}
    if any(queue.default for queue in site.queues):
        told = tuple(replace(partition, is_default=False) for partition in told)
    order = tuple(node.name for node in nodes)
    changed = (
        _laid_over(partition, given.pop(partition.name, None), order, groups) for partition in told
    )
    return (
        *changed,
        *(
            _laid_over(Partition(name=name, node_names=order), queue, order, groups)
            for name, queue in given.items()
        ),
    )


def _laid_over(
    partition: Partition, queue: Queue | None, order: tuple[str, ...], groups: Groups
) -> Partition:
    if queue is None:
        return partition
    given: dict[str, Any] = {
        "node_names": _hosts(queue.nodes, order, groups),
        "is_default": queue.default,
        "tier": queue.tier,
        "job_factor": queue.job_factor,
        "max_time_s": queue.max_time_s,
        "default_time_s": queue.default_time_s,
        "min_nodes": queue.min_nodes,
        "max_nodes": queue.max_nodes,
        "sharing": _sharing(queue),
        "jobs_per_cpu": queue.jobs_per_cpu,
        "allow_accounts": queue.accounts,
        "qos": queue.qos,
        "eviction": eviction_of(queue.eviction),
        "grace_s": queue.grace_s,
    }
    return replace(partition, **{name: v for name, v in given.items() if v is not None})


def _hosts(
    names: tuple[str, ...] | None, order: tuple[str, ...], groups: Groups
) -> tuple[str, ...] | None:
    if names is None:
        return None
    wanted = {host for name in names for host in groups.get(name) or expanded(name)}
    return tuple(host for host in order if host in wanted)


def strangers(site: Site, nodes: tuple[Node, ...]) -> Quarantined | None:
    """Return how many hosts the file's queues name that are no nodes; None if all are."""
    groups = {group.name for group in site.nodes if group.name}
    known = {node.name for node in nodes}
    unknown = {
        host: queue.name
        for queue in site.queues
        for name in queue.nodes or ()
        if name not in groups
        for host in expanded(name)
        if host not in known
    }
    if not unknown:
        return None
    host, queue_name = next(iter(unknown.items()))
    example = f"queue {queue_name} of the site file has a node {host} that nobody knows"
    return Quarantined(fact=Fact.PARTITIONS, count=len(unknown), example=example)


def _sharing(queue: Queue) -> NodeSharing | None:
    if queue.sharing == "exclusive":
        return NodeSharing.EXCLUSIVE
    if (queue.jobs_per_cpu or 1) > 1:
        return NodeSharing.FORCE
    return None if queue.sharing is None else NodeSharing.NO
