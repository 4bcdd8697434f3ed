"""What administrators and hardware changed between the snapshots of a recording."""

from collections.abc import Iterable, Iterator

from predictor.domain import Node, Reservation, Snapshot


def reservation_changes(
    snapshots: Iterable[Snapshot],
) -> Iterator[tuple[int, tuple[Reservation, ...]]]:
    """Yield the instants from which there are other reservations than before, and all of them."""
    known: tuple[Reservation, ...] | None = None
    for snapshot in snapshots:
        if known is not None and snapshot.reservations != known:
            yield snapshot.taken_at, snapshot.reservations
        known = snapshot.reservations


def node_changes(snapshots: Iterable[Snapshot]) -> Iterator[tuple[int, tuple[Node, ...]]]:
    """Yield the instants from which nodes are otherwise than before, and these nodes."""
    known: dict[str, tuple[object, ...]] = {}
    for snapshot in snapshots:
        states = {node.name: _state(node) for node in snapshot.nodes}
        changed = [n for n in snapshot.nodes if known.get(n.name, states[n.name]) != states[n.name]]
        known = states
        if changed:
            yield snapshot.taken_at, tuple(changed)


def _state(node: Node) -> tuple[object, ...]:
    """Return what of a node decides whether and what can be planned on it."""
    return node.usable, node.cpus, node.memory_mb, node.gres
