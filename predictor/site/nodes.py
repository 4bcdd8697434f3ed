"""The nodes of a site file, laid over those of a snapshot."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from predictor.domain import Node, NodeState, Snapshot
from predictor.hostlists import expanded
from predictor.site.machine import NodeGroup


def with_node_groups(groups: Iterable[NodeGroup], snapshot: Snapshot) -> tuple[Node, ...]:
    """Return the snapshot's nodes, described anew by `groups`, then those only the groups name.

    Where the batch system shows no nodes at all, those of the groups are up and as busy as the
    running jobs make them. Where it shows some, one that it does not show is down.
    """
    given = {host: group for group in groups for host in expanded(group.hosts)}
    if not given:
        return snapshot.nodes
    told = tuple(
        replace(node, **_described(given.pop(node.name))) if node.name in given else node
        for node in snapshot.nodes
    )
    held = _cpus_held(snapshot)
    added = (_added(host, group, held[host]) for host, group in given.items())
    if told:
        why = "in the site file, but not shown by the batch system"
        added = (replace(node, state=NodeState.DOWN, reason=why) for node in added)
    return (*told, *added)


def _described(group: NodeGroup) -> dict[str, Any]:
    given = {
        "cpus": group.cpus,
        "memory_mb": group.memory_mb,
        "gres": None if group.gres is None else tuple(sorted(group.gres.items())),
        "features": group.features,
        "weight": group.weight,
        "switches": group.switches,
    }
    return {name: value for name, value in given.items() if value is not None}


def _added(host: str, group: NodeGroup, held: int) -> Node:
    state = NodeState.IDLE
    if held:
        state = NodeState.MIXED if held < group.cpus else NodeState.ALLOCATED
    bare = Node(name=host, cpus=group.cpus, memory_mb=0, state=state, cpus_allocated=held)
    return replace(bare, **_described(group))


def _cpus_held(snapshot: Snapshot) -> Counter[str]:
    held: Counter[str] = Counter()
    for job in snapshot.running:
        for share in job.allocation:
            held[share.node] += share.cpus
    return held
