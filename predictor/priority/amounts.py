"""Amounts of resources by name: what a job asks for, what it holds, what a partition has."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from predictor.domain import (
    Node,
    NodeShare,
    Partition,
    Request,
    SchedulerSettings,
    Tres,
    amount_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Amounts:
    """So much of each kind of resource."""

    cpus: int
    memory_mb: int
    nodes: int
    gres: Tres = ()
    """A name may occur more than once."""
    licenses: Tres = ()

    def named(self, name: str) -> int:
        """Return the amount of `cpu`, `mem` (MB), `node`, `gres/gpu`, `gres/gpu:a100`, `license/x`.

        A kind of generic resource without a type means all its types; 0 for any other name.
        """
        kind, _, which = name.partition("/")
        match kind:
            case "cpu":
                return self.cpus
            case "mem":
                return self.memory_mb
            case "node":
                return self.nodes
            case "gres":
                return sum(n for one, n in self.gres if which in (one, one.partition(":")[0]))
            case "license":
                return amount_of(self.licenses, which)
            case _:
                return 0


def requested(request: Request, partition: Partition, settings: SchedulerSettings) -> Amounts:
    """Return what a job asks for at least, with the default memory where it says nothing."""
    return Amounts(
        cpus=request.cpus,
        memory_mb=_memory_mb(request, partition, settings),
        nodes=request.nodes,
        gres=_times(request.gres_per_node, request.nodes) + request.gres_total,
        licenses=request.licenses,
    )


def held(shares: Sequence[NodeShare], licenses: Tres = ()) -> Amounts:
    """Return what a job holds of its nodes."""
    return Amounts(
        cpus=sum(one.cpus for one in shares),
        memory_mb=sum(one.memory_mb for one in shares),
        nodes=len(shares),
        gres=tuple(each for one in shares for each in one.gres),
        licenses=licenses,
    )


def offered(nodes: Iterable[Node]) -> Amounts:
    """Return what the nodes have together, whatever their state."""
    found = tuple(nodes)
    return Amounts(
        cpus=sum(node.cpus for node in found),
        memory_mb=sum(node.memory_mb for node in found),
        nodes=len(found),
        gres=tuple(each for node in found for each in node.gres),
    )


def _times(gres: Tres, count: int) -> Tres:
    return tuple((name, amount * count) for name, amount in gres)


def _memory_mb(request: Request, partition: Partition, settings: SchedulerSettings) -> int:
    choices = (
        (request.memory_per_node_mb, request.memory_per_cpu_mb),
        (partition.default_memory_per_node_mb, partition.default_memory_per_cpu_mb),
        (settings.default_memory_per_node_mb, settings.default_memory_per_cpu_mb),
    )
    for per_node, per_cpu in choices:
        if per_node or per_cpu:
            return request.nodes * (per_node or 0) or request.cpus * (per_cpu or 0)
    return 0
