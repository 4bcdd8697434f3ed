"""How long which nodes take to save power, and to be back, as their partitions say.

Source: Slurm 22.05 to 26.05: of a node's partitions that say it, the longest time counts.
"""

from collections.abc import Iterable, Mapping
from typing import Literal

from predictor.domain import Partition, Snapshot


def spans(
    partitions: Iterable[Partition], which: Literal["boot_s", "dozes_s"]
) -> Mapping[str, int]:
    """Return such a time by node of which more is said than of all."""
    found: dict[str, int] = {}
    for partition in partitions:
        span = partition.boot_s if which == "boot_s" else partition.dozes_s
        if span is not None:
            for name in partition.node_names:
                found[name] = max(found.get(name, 0), span)
    return found


def boot_times(snapshot: Snapshot) -> Mapping[str, int]:
    """Return how long nodes take to wake of which more is said than of all; none if none sleep."""
    return spans(snapshot.partitions, "boot_s") if snapshot.settings.boot_s > 0 else {}


def sleeping_after(snapshot: Snapshot) -> Mapping[str, int]:
    """Return after how long nodes fall asleep of which more is said than of all; 0: never."""
    found: dict[str, int] = {}
    settings = snapshot.settings
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
