"""Queues, out of `qstat -Q -f -F json`: partitions, and the limits on what runs in them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from collectors.pbs.answers import Attributes, read
from collectors.pbs.bounds import Bounds, bounds_of
from collectors.pbs.hosts import Hosts, feature
from collectors.pbs.words import count, seconds, truth
from collectors.slurm.words.quarantine import sorted_out
from predictor.domain import (
    Fact,
    Node,
    NodeSharing,
    Partition,
    PartitionState,
    Quarantined,
    whole,
)

QSTAT_Q = "qstat -Q -f -F json"
MOST_ROUTES = 10
"""So many routing queues in a row are followed."""

_STATES = {
    (True, True): PartitionState.UP,
    (True, False): PartitionState.DOWN,
    (False, True): PartitionState.DRAIN,
    (False, False): PartitionState.INACTIVE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """A queue as it stands in the answer."""

    name: str
    destinations: tuple[str, ...]
    """Where a routing queue sends jobs, in this order; empty: it runs them itself."""
    state: PartitionState
    priority: int
    default_chunk: Mapping[str, str] = field(default_factory=dict)
    least: Mapping[str, str] = field(default_factory=dict)
    most: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, str] = field(default_factory=dict)
    part: str = ""
    """The scheduler's own part of the cluster that it belongs to."""
    groups: tuple[str, ...] = ()
    """The only ones that may use it; empty: all."""
    bounds: Bounds = Bounds()


def parse_queues(text: str) -> tuple[tuple[Queue, ...], tuple[Quarantined, ...]]:
    """Return the queues in the order of the answer. Raises SourceError."""
    answer = read(text, "Queue", QSTAT_Q)
    return sorted_out(Fact.PARTITIONS, answer.records.items(), lambda item: _queue(*item))


def _queue(name: str, record: object) -> Queue:
    told = Attributes(record)
    routes = told.text("queue_type").lower().startswith("r")
    enabled, started = truth(told.text("enabled")), truth(told.text("started"))
    members = [word.strip() for word in told.long_text("acl_groups").split(",")]
    try:
        return Queue(
            name=name,
            destinations=_names(told.text("route_destinations")) if routes else (),
            state=_STATES[bool(enabled), bool(started)],
            priority=whole(told.text("Priority", "0")),
            default_chunk=told.part("default_chunk").texts(),
            least=_timed(told, "resources_min"),
            most=_timed(told, "resources_max"),
            defaults=_timed(told, "resources_default"),
            part=told.text("partition"),
            groups=tuple(g for g in members if g) if truth(told.text("acl_group_enable")) else (),
            bounds=bounds_of(told),
        )
    except ValueError as error:
        raise ValueError(f"queue {name!r}: {error}") from error


def _timed(told: Attributes, key: str) -> dict[str, str]:
    texts = told.part(key).texts()
    seconds(texts.get("walltime", ""))
    return texts


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.strip().partition("@")[0] for part in text.split(",") if part.strip())


def partitions_of(
    queues: Iterable[Queue], hosts: Hosts, default: str, defaults: Mapping[str, str], by_queue: bool
) -> tuple[Partition, ...]:
    """Return a partition for each queue that runs jobs.

    `default` is the queue of jobs that name none, `defaults` what the server gives jobs,
    `by_queue` whether jobs of a queue of higher priority come first.
    """
    return tuple(
        _partition(queue, hosts, default, defaults, by_queue)
        for queue in queues
        if not queue.destinations
    )


def _partition(
    queue: Queue, hosts: Hosts, default: str, defaults: Mapping[str, str], by_queue: bool
) -> Partition:
    names = hosts_of(queue, hosts)
    return Partition(
        name=queue.name,
        node_names=names,
        state=queue.state,
        is_default=queue.name == default,
        tier=queue.priority if by_queue else 1,
        job_factor=queue.priority,
        max_time_s=seconds(queue.most.get("walltime", "")),
        default_time_s=seconds(queue.defaults.get("walltime") or defaults.get("walltime", "")),
        min_nodes=_number(queue.least.get("nodect", "")) or 0,
        max_nodes=_number(queue.most.get("nodect", "")),
        sharing=_sharing(names, hosts),
        allow_groups=queue.groups,
        qos=queue.name if queue.bounds.limits is not None else "",
    )


def _number(word: str) -> int | None:
    return count(word) if word else None


def _sharing(names: Sequence[str], hosts: Hosts) -> NodeSharing:
    alone = names and hosts.always_alone.issuperset(names)
    return NodeSharing.EXCLUSIVE if alone else NodeSharing.NO


def hosts_of(queue: Queue, hosts: Hosts) -> tuple[str, ...]:
    """Return the hosts on which its jobs can run, in the batch system's order.

    Those bound to it, or those bound to none; of these the ones that every chunk of its jobs asks
    for, by what it gives chunks that say nothing else.
    """
    others = {host for name, bound in hosts.bound.items() if name != queue.name for host in bound}
    own = set(hosts.bound.get(queue.name, ()))
    part = set(hosts.partitions.get(queue.part, ())) if queue.part else None
    wanted = features_of(queue.default_chunk, hosts)
    return tuple(
        node.name
        for node in hosts.nodes
        if (node.name in own if own else node.name not in others)
        and (part is None or node.name in part)
        and _has_all(node, wanted)
    )


def features_of(wants: Mapping[str, str], hosts: Hosts) -> tuple[str, ...]:
    """Return the words by which a chunk chooses hosts; resources that no host has say nothing."""
    return tuple(sorted(_features(wants, hosts)))


def _features(wants: Mapping[str, str], hosts: Hosts) -> Iterator[str]:
    for name, value in ((name.lower(), value) for name, value in wants.items()):
        if name in hosts.truths:
            yield feature(name, str(bool(truth(value))))
        elif name in hosts.words:
            yield from (feature(name, part) for part in value.split(",") if part)


def _has_all(node: Node, wanted: Iterable[str]) -> bool:
    return set(wanted) <= set(node.features)


def ends_of(queue: str, queues: Mapping[str, Queue]) -> tuple[Queue, ...]:
    """Return the queues in which a job of this one may run: itself, or where it is routed."""
    found: dict[str, Queue] = {}
    names = [queue]
    for _ in range(MOST_ROUTES):
        here = [queues[name] for name in names if name in queues]
        found |= {one.name: one for one in here if not one.destinations}
        names = [name for one in here for name in one.destinations]
    return tuple(found.values())
