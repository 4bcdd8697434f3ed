"""Nodes that the batch system still cleared of ended jobs, by the snapshots that show them so."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from predictor.domain import Snapshot
from predictor.domain.node import NodeFlag
from predictor.simulation.telling import Clearing
from verification.fidelity.runs import Run

Seen = tuple[str, int, int]
"""A node, and the numbers of the first and the last snapshot in a row that show it so."""


def clearings(
    snapshots: Sequence[Snapshot], runs: Mapping[str, Sequence[Run]]
) -> tuple[Clearing, ...]:
    """Return when nodes were being cleared, ascending.

    From the last end of a run there on. Until when lies between two snapshots: till half of the
    time between them, or the first start there if that comes before.
    """
    starts, ends = _by_node(runs)
    instants = [snapshot.taken_at for snapshot in snapshots]
    found = []
    for node, first, last in _seen(snapshots):
        before = instants[first - 1] if first else 0
        since = max(_between(ends[node], before, instants[first]), default=instants[first])
        after = instants[min(last + 1, len(instants) - 1)]
        latest = (instants[last] + after + 1) // 2
        until = min(_between(starts[node], instants[last], latest), default=latest)
        if until > since:
            found.append(Clearing(since=since, until=until, node_name=node))
    return tuple(sorted(found))


def _seen(snapshots: Iterable[Snapshot]) -> Iterator[Seen]:
    """Yield which nodes are shown so, and by which snapshots in a row."""
    since: dict[str, int] = {}
    number = -1
    for number, snapshot in enumerate(snapshots):
        shown = {node.name for node in snapshot.nodes if NodeFlag.COMPLETING in node.flags}
        for name in since.keys() - shown:
            yield name, since.pop(name), number - 1
        for name in shown - since.keys():
            since[name] = number
    for name, first in since.items():
        yield name, first, number


def _by_node(
    runs: Mapping[str, Sequence[Run]],
) -> tuple[Mapping[str, list[int]], Mapping[str, list[int]]]:
    """Return all starts and all ends on each node, ascending."""
    starts: dict[str, list[int]] = defaultdict(list)
    ends: dict[str, list[int]] = defaultdict(list)
    for run in (run for of_job in runs.values() for run in of_job):
        for name in run.node_names:
            starts[name].append(run.started_at)
            if run.ended_at is not None:
                ends[name].append(run.ended_at)
    for instants in (*starts.values(), *ends.values()):
        instants.sort()
    return starts, ends


def _between(instants: Sequence[int], after: int, until: int) -> Sequence[int]:
    """Return those of the ascending instants after one and not after the other."""
    return instants[bisect_right(instants, after) : bisect_right(instants, until)]
