"""The resources that limits count, by number, and what jobs take of them on each kind of node."""

from collections.abc import Iterable, Mapping

from predictor.domain import amounts_by_name
from predictor.engine import bound
from predictor.limits.groups import NODE, WALL
from predictor.scheduling.allocation import shares
from predictor.scheduling.machine import Machine

Vector = list[int]
"""Amounts of all resources, by number."""


def numbered(names: Iterable[str]) -> dict[str, int]:
    """Return the number of each resource. Jobs (no name) and run time are bound.ONE."""
    known = {"": bound.ONE, WALL: bound.ONE, NODE: bound.NODES}
    others = sorted(set(names) - known.keys())
    return known | {name: number for number, name in enumerate(others, start=bound.NODES + 1)}


def vector(amounts: Mapping[str, int], numbers: Mapping[str, int]) -> Vector:
    """Return what one job takes, by number."""
    found = [0] * (1 + max(numbers.values()))
    for name, number in numbers.items():
        found[number] = amounts.get(name, 0)
    found[bound.ONE] = 1
    return found


class NodeClasses:
    """Nodes that are alike: jobs of any of these shapes take the same of each node of a class."""

    def __init__(self, machine: Machine, shapes: Iterable[int], numbers: Mapping[str, int]) -> None:
        self.form_of = {shape: form for form, shape in enumerate(sorted(shapes))}
        """By the shape's number."""
        taken: dict[tuple[tuple[int, ...], ...], int] = {}
        for node, members in _alike(machine):
            column = tuple(tuple(_of_node(machine, shape, node, numbers)) for shape in self.form_of)
            taken[column] = taken.get(column, 0) | members
        largest_first = sorted(taken.items(), key=lambda item: -item[1].bit_count())
        self.members = [members for _, members in largest_first]
        """By class: its nodes, as a bitmap."""
        self.forms = list(zip(*(column for column, _ in largest_first), strict=True))
        """By form and class: what a job takes of one node."""

    def of_first(self, nodes: int) -> int:
        """Return the class of the set's first node; 0 if the set is empty."""
        first = nodes & -nodes
        return next((c for c, members in enumerate(self.members) if members & first), 0)


def _alike(machine: Machine) -> Iterable[tuple[int, int]]:
    """Return one node of every kind of hardware, and the bitmap of all its like."""
    kinds: dict[object, tuple[int, int]] = {}
    for i, node in enumerate(machine.nodes):
        key = node.cpus, node.memory_mb, node.gres, node.cpus_per_core, node.sockets
        first, members = kinds.get(key, (i, 0))
        kinds[key] = first, members | 1 << i
    return kinds.values()


def _of_node(machine: Machine, shape: int, node: int, numbers: Mapping[str, int]) -> Vector:
    (share,) = shares(machine, shape, 1 << node)
    amounts = amounts_by_name(nodes=1, cpus=share.cpus, memory_mb=share.memory_mb, gres=share.gres)
    return vector(amounts, numbers)
