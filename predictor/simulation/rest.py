"""When nodes that are awake fall asleep to save power, and how long those take that are woken."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from predictor.domain import Node, NodeFlag, NodeState, Snapshot
from predictor.hostlists import expanded
from predictor.scheduling.machine import Machine
from predictor.scheduling.resting import boot_times, sleeping_after, spans

LONGEST_S = 1 << 44
"""Longer times are cut off here."""
MOST_WOKEN = 1 << 20
"""More nodes a minute are as good as any number."""
SLOW_S = 10
"""So long a node that is to sleep stays awake at least: it is only looked for so often.

Source: Slurm 22.05 to 26.05, `power_save_interval`.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """By node, in the machine's order; all empty if none ever sleeps."""

    boot_s: Sequence[int] = ()
    """So long it takes to wake."""
    sleeps_after_s: Sequence[int] = ()
    """So long after it became idle; 0: never."""
    dozes_s: Sequence[int] = ()
    """So long it then takes to fall asleep, and cannot be woken."""
    idle_since: Sequence[int] = ()
    sleepless: Sequence[tuple[int, int]] = ()
    """So many of the idle ones of each of these bitmaps never sleep, the first."""
    wakes_per_minute: int = 0

    @classmethod
    def of(cls, snapshot: Snapshot, machine: Machine) -> Self:
        """Return what is known of it at the snapshot."""
        settings, now, nodes = snapshot.settings, snapshot.taken_at, machine.nodes
        if settings.boot_s <= 0:
            return cls()
        boots, afters = boot_times(snapshot), sleeping_after(snapshot)
        doze_times = spans(snapshot.partitions, "dozes_s")
        after_s = [_bounded(afters.get(node.name, settings.sleeps_after_s)) for node in nodes]
        dozes_s = [_bounded(doze_times.get(node.name, settings.dozes_s)) for node in nodes]
        return cls(
            boot_s=[_bounded(boots.get(node.name, settings.boot_s)) for node in nodes],
            sleeps_after_s=after_s,
            dozes_s=dozes_s,
            idle_since=[
                _idle_since(node, now, after, dozes)
                for node, after, dozes in zip(nodes, after_s, dozes_s, strict=True)
            ],
            sleepless=tuple(
                (_nodes(machine, names), _bounded(most)) for names, most in settings.sleepless_some
            ),
            wakes_per_minute=max(0, min(settings.wakes_per_minute, MOST_WOKEN)),
        )


def _nodes(machine: Machine, names: str) -> int:
    """Return the nodes that a list names, as a bitmap; none if it is no list of nodes."""
    try:
        return machine.bitmap(expanded(names))
    except ValueError:
        return 0


def _bounded(span: int) -> int:
    return max(0, min(span, LONGEST_S))


def _idle_since(node: Node, now: int, after_s: int, dozes_s: int) -> int:
    told = node.idle_since
    if NodeFlag.POWERED_DOWN in node.flags:
        return now - after_s - dozes_s
    if NodeFlag.POWERING_DOWN in node.flags:
        return now - after_s if told is None else min(told, now - after_s)
    if node.state is not NodeState.IDLE or told is None:
        return now
    return min(now, max(told, now - max(0, after_s - SLOW_S)))
