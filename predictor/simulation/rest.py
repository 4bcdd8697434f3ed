"""When nodes that are awake fall asleep to save power."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from predictor.domain import Node, NodeState, Snapshot
from predictor.scheduling.machine import Machine

LONGEST_S = 1 << 44
"""Longer rests are cut off here."""
SLOW_S = 10
"""So long a node that is to sleep stays awake at least: it is only looked for so often.

Source: Slurm 22.05 to 26.05, `power_save_interval`.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """By node, in the machine's order; both empty if none ever falls asleep."""

    sleeps_after_s: Sequence[int] = ()
    """So long after it became idle; 0: never."""
    idle_since: Sequence[int] = ()

    @classmethod
    def of(cls, snapshot: Snapshot, machine: Machine) -> Self:
        """Return what is known of it at the snapshot."""
        settings, now = snapshot.settings, snapshot.taken_at
        spans = _spans(snapshot)
        after_s = [spans.get(node.name, settings.sleeps_after_s) for node in machine.nodes]
        if not any(after_s):
            return cls()
        after_s = [max(0, min(span, LONGEST_S)) for span in after_s]
        return cls(
            sleeps_after_s=after_s,
            idle_since=[
                _idle_since(node, now, span)
                for node, span in zip(machine.nodes, after_s, strict=True)
            ],
        )


def _spans(snapshot: Snapshot) -> Mapping[str, int]:
    """Return after how long nodes fall asleep of which more is said than of all; 0: never.

    Of a node's partitions the longest time counts.
    """
    found: dict[str, int] = {}
    settings = snapshot.settings
    if not settings.boot_s:
        return found
    for partition in snapshot.partitions:
        span = partition.sleeps_after_s
        if span is not None:
            for name in partition.node_names:
                known = found.get(name, 1)
                found[name] = 0 if known == 0 or not isinstance(span, int) else max(known, span)
    for partition in snapshot.partitions:
        if partition.name in settings.sleepless_partitions:
            found |= dict.fromkeys(partition.node_names, 0)
    return found | dict.fromkeys(settings.sleepless_nodes, 0)


def _idle_since(node: Node, now: int, after_s: int) -> int:
    if node.state is not NodeState.IDLE or node.idle_since is None:
        return now
    return min(now, max(node.idle_since, now - max(0, after_s - SLOW_S)))
