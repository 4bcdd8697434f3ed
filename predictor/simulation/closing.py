"""What is closed when, as a story tells: reservations, nodes that are down or being cleared."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from predictor.domain import Node, NodeState, Reservation, Snapshot
from predictor.engine.calendar_tables import Cleared
from predictor.scheduling.closures import Closure, closures
from predictor.scheduling.machine import Machine
from predictor.simulation.calendars import Known
from predictor.simulation.cast import FAR
from predictor.simulation.telling import Clearing


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """What becomes known after the snapshot, and what of it closes nodes."""

    snapshot: Snapshot
    machine: Machine
    """In which every node works."""
    reservations: Sequence[tuple[int, tuple[Reservation, ...]]]
    """From when on there are these, and no others; ascending."""
    nodes: Sequence[tuple[int, tuple[Node, ...]]]
    """From when on these nodes are as told; ascending."""
    clearings: Sequence[Clearing]

    def calendars(self, until: int) -> Sequence[Known]:
        """Return what is closed, by when it becomes known; a node that is down is closed."""
        now = self.snapshot.taken_at
        nodes = {node.name: node for node in self.snapshot.nodes}
        reservations = self.snapshot.reservations
        times = {at for at, _ in (*self.reservations, *self.nodes)}
        times.update(one.since for one in self.clearings)
        news = {at for at in times if at > now}
        found = [self._known(now, nodes, reservations, until)]
        for at in sorted(news):
            for when, changed in self.nodes:
                if when == at:
                    nodes |= {node.name: node for node in changed}
            for when, told in self.reservations:
                if when == at:
                    reservations = told
            found.append(self._known(at, nodes, reservations, until))
        return found if any(known.closures for known in found) else ()

    def _known(
        self,
        at: int,
        nodes: Mapping[str, Node],
        reservations: Sequence[Reservation],
        until: int,
    ) -> Known:
        offset_s = self.snapshot.utc_offset_s
        closed = closures(reservations, self.machine, at, until - at, offset_s)
        down = outages(self.machine, nodes.values(), at)
        return Known(known_at=at, closures=(*closed, *down, *self._uncleared(at)))

    def _uncleared(self, at: int) -> Iterable[Closure]:
        """Yield what keeps nodes closed that are being cleared at that instant."""
        for one in self.clearings:
            if one.since <= at < one.until:
                yield Closure(
                    reservation="\0clearing",
                    start_at=one.since,
                    end_at=one.until,
                    nodes=self.machine.bitmap([one.node_name]),
                    overlaps=False,
                    flexible=False,
                )


def cleared(machine: Machine, clearings: Iterable[Clearing]) -> tuple[Cleared, ...]:
    """Return the same of nodes as the engine has it, each span once."""
    names: dict[tuple[int, int], list[str]] = {}
    for one in clearings:
        names.setdefault((one.since, one.until), []).append(one.node_name)
    return tuple(Cleared(*span, machine.bitmap(there)) for span, there in names.items())


def outages(machine: Machine, nodes: Iterable[Node], at: int) -> tuple[Closure, ...]:
    """Return what keeps nodes closed that are down from `at` on; nothing if none is."""
    down = machine.bitmap(node.name for node in nodes if not node.usable or node.returning)
    outage = Closure(
        reservation="\0down",
        start_at=at,
        end_at=FAR,
        nodes=down,
        overlaps=False,
        flexible=False,
    )
    return (outage,) if down else ()


def as_if_up(node: Node) -> Node:
    """Return the node as it is while nothing is wrong with it."""
    well = node.usable and not node.returning
    return node if well else replace(node, state=NodeState.IDLE, flags=frozenset())
