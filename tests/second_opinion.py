"""A slow, obvious second opinion on plans: adds up what is held at every single second.

Shares no code with the package: nodes are indices, amounts are plain dicts of what is taken.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from predictor.domain import Node


@dataclass(frozen=True, kw_only=True)
class Piece:
    """What somebody holds of one node during [start, end)."""

    node: str
    start: int
    end: int
    whole: bool
    cpus: int
    memory_mb: int
    gpus: int = 0


def room_at(node: Node, pieces: Iterable[Piece], second: int) -> tuple[bool, int, int, int]:
    """Is the node empty in that second, and how many CPUs, MB and GPUs are left of it?"""
    there = [p for p in pieces if p.node == node.name and p.start <= second < p.end]
    if any(p.whole for p in there):
        return False, 0, 0, 0
    gpus = sum(amount for name, amount in node.gres if name.startswith("gpu"))
    return (
        not there,
        node.cpus - sum(p.cpus for p in there),
        node.memory_mb - sum(p.memory_mb for p in there),
        gpus - sum(p.gpus for p in there),
    )


def fits(node: Node, pieces: list[Piece], wanted: Piece) -> bool:
    """Whether `wanted` can go where and when it says, second by second."""
    if not node.usable:
        return False
    for second in range(wanted.start, wanted.end):
        empty, cpus, memory_mb, gpus = room_at(node, pieces, second)
        if wanted.whole and not empty:
            return False
        if cpus < wanted.cpus or memory_mb < wanted.memory_mb or gpus < wanted.gpus:
            return False
    return True


def overbooked(nodes: Iterable[Node], pieces: list[Piece]) -> list[str]:
    """Name every node on which, at some instant, more is held than there is."""
    found = []
    instants = {p.start for p in pieces}
    for node in nodes:
        for second in instants:
            there = [p for p in pieces if p.node == node.name and p.start <= second < p.end]
            alone = len(there) < 2 or not any(p.whole for p in there)
            _, cpus, memory_mb, gpus = room_at(node, there, second)
            if not alone or min(cpus, memory_mb, gpus) < 0:
                found.append(f"{node.name} at {second}")
    return found
