"""The tree of switches above the nodes of a machine."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from predictor.scheduling.machine import Machine


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """A network switch, its nodes as a bitmap."""

    nodes: int
    above: int
    """The number of the one above it; -1: none is."""
    is_leaf: bool
    """Whether nodes hang on it directly."""


def tree(machine: Machine) -> Sequence[Switch]:
    """Return the switches in the order in which they first occur above the machine's nodes.

    None if nothing is told of any. Who is above itself is above nobody.
    """
    above: dict[str, str] = {}
    nodes: dict[str, int] = {}
    # A switch without a name is none: the name stands for nobody above.
    ways = [tuple(filter(None, node.switches)) for node in machine.nodes]
    for number, way in enumerate(ways):
        for level, switch in enumerate(way, start=1):
            above.setdefault(switch, way[level] if level < len(way) else "")
            nodes[switch] = nodes.get(switch, 0) | 1 << number
    numbers = {switch: place for place, switch in enumerate(nodes)}
    leaves = {way[0] for way in ways if way}
    return [
        Switch(
            nodes=of_switch,
            above=-1 if _circles(switch, above) else numbers.get(above[switch], -1),
            is_leaf=switch in leaves,
        )
        for switch, of_switch in nodes.items()
    ]


def _circles(switch: str, above: Mapping[str, str]) -> bool:
    """Return whether the way up from a switch never ends."""
    seen = {""}
    while switch not in seen:
        seen.add(switch)
        switch = above.get(switch, "")
    return switch != ""
