"""What administrators and hardware changed between the snapshots of a recording."""

from collections.abc import Iterable, Iterator, Mapping

from predictor.domain import (
    Limit,
    Node,
    PartitionState,
    Reservation,
    RunningJob,
    RunState,
    Snapshot,
)

STARTS_NOBODY = frozenset({PartitionState.DOWN, PartitionState.INACTIVE})


def reservation_changes(
    snapshots: Iterable[Snapshot],
) -> Iterator[tuple[int, tuple[Reservation, ...]]]:
    """Yield the instants from which there are other reservations than before, and all of them.

    That one is not shown any more once it is over is no change.
    """
    known: tuple[Reservation, ...] | None = None
    for snapshot in snapshots:
        now = snapshot.taken_at
        if known is not None and _to_come(snapshot.reservations, now) != _to_come(known, now):
            yield now, snapshot.reservations
        known = snapshot.reservations


def _to_come(reservations: Iterable[Reservation], now: int) -> tuple[Reservation, ...]:
    """Return those that are not over."""
    return tuple(one for one in reservations if one.end_at > now)


def node_changes(snapshots: Iterable[Snapshot]) -> Iterator[tuple[int, tuple[Node, ...]]]:
    """Yield the instants from which nodes are otherwise than before, and these nodes."""
    known: dict[str, tuple[object, ...]] = {}
    for snapshot in snapshots:
        states = {node.name: _state(node) for node in snapshot.nodes}
        changed = [n for n in snapshot.nodes if known.get(n.name, states[n.name]) != states[n.name]]
        known = states
        if changed:
            yield snapshot.taken_at, tuple(changed)


def limit_changes(snapshots: Iterable[Snapshot]) -> Iterator[tuple[int, RunningJob]]:
    """Yield the instants from which running jobs have another limit, and these jobs."""
    known: dict[tuple[str, int], Limit] = {}
    for snapshot in snapshots:
        limits: dict[tuple[str, int], Limit] = {}
        for job in snapshot.running:
            run, limit_s = (job.spec.id, job.started_at), job.spec.request.limit_s
            if job.state is RunState.RUNNING and known.get(run, limit_s) != limit_s:
                yield snapshot.taken_at, job
            limits[run] = limit_s
        known = limits


def closures_of_partitions(
    snapshots: Iterable[Snapshot],
) -> Mapping[str, tuple[tuple[int, int | None], ...]]:
    """Return when partitions started nobody, by name; None: to the end. Others are left out."""
    found: dict[str, list[tuple[int, int | None]]] = {}
    for snapshot in snapshots:
        for partition in snapshot.partitions:
            spans = found.setdefault(partition.name, [])
            is_open = bool(not spans or spans[-1][1] is not None)
            if partition.state in STARTS_NOBODY and is_open:
                spans.append((snapshot.taken_at, None))
            elif partition.state not in STARTS_NOBODY and not is_open:
                spans[-1] = spans[-1][0], snapshot.taken_at
    return {name: tuple(spans) for name, spans in found.items() if spans}


def _state(node: Node) -> tuple[object, ...]:
    """Return what of a node decides whether and what can be planned on it."""
    return node.usable, node.cpus, node.memory_mb, node.gres
