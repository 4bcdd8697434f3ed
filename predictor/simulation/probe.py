"""A machine as it is held at an instant, asked about one request at a time."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from predictor.domain import Snapshot
from predictor.engine import tables
from predictor.engine.forward import Forward
from predictor.scheduling.closures import REBOOT, Closure
from predictor.scheduling.machine import Machine, numbers
from predictor.scheduling.placing import Holding, Need
from predictor.scheduling.policy import Allocation
from predictor.simulation.bounds import bounded_at
from predictor.simulation.calendars import Known
from predictor.simulation.cast import LONGEST_S
from predictor.simulation.passes import NO_PASSES
from predictor.simulation.scene import Scene


class Probe:
    """What is free from the snapshot's instant on, beside what is held; nobody starts."""

    def __init__(
        self,
        snapshot: Snapshot,
        machine: Machine,
        held: Sequence[Holding],
        closed: Sequence[Closure],
        needs: Iterable[Need],
    ) -> None:
        """Prepare for questions about these needs, also about what they were without licenses."""
        self._now = snapshot.taken_at
        self._closed = tuple(closed)
        calendar = [Known(known_at=self._now, closures=self._closed)] if closed else []
        scene = Scene(snapshot, machine, calendar, Allocation.BEST_FIT)
        self._kind = scene.kind
        self._cpus: dict[tuple[int, int], int] = {}
        """By kind and its nodes with room: how many CPUs these could give now."""
        for need in needs:
            self._kind(need)
            self._kind(unlicensed(need))
        holdings = [
            tables.Holding(
                person=0,
                nodes=one.nodes,
                kind=scene.holder(one),
                shape=scene.shape(one),
                planned_end_at=bounded_at(one.end_at),
            )
            for one in held
        ]
        self._forward = Forward(
            scene.layout(held), _nobody_waits(holdings), NO_PASSES, None, None, self._now
        )

    def first_start(self, need: Need) -> int | None:
        """Return from when on the need can be met if nobody else waits; None: never."""
        search = self._forward.placer.search
        start = search.earliest(
            self._kind(need), need.size, min(need.duration_s, LONGEST_S), self._now
        )
        return start if start >= 0 else None

    def opens(self, need: Need) -> bool:
        """Return whether the need can be met at once."""
        return self.first_start(need) == self._now

    def nodes(self, need: Need) -> int:
        """Return the nodes, as a bitmap, that a need would get that can be met at once."""
        forward, kind = self._forward, self._kind(need)
        length_s = min(need.duration_s, LONGEST_S)
        forward.placer.search.first(kind, need.size, length_s, self._now)
        forward.placer.choice.choose(kind, need.size, self._now)
        return forward.layout.bitmap(forward.placer.choice.nodes, 0)

    def room(self, need: Need) -> int:
        """Return the need's nodes with room for it now, as a bitmap, reservations left aside."""
        layout, timeline = self._forward.layout, self._forward.timeline
        shape = layout.shape[self._kind(need)]
        row = (timeline.row[0] * layout.shapes + shape) * layout.words
        return layout.bitmap(timeline.room, row) & need.candidates

    def has_room(self, need: Need) -> bool:
        """Return whether there is room enough for the need now, reservations left aside."""
        room = self.room(need)
        least = need.nodes if need.spread is None else need.spread.nodes_least
        if room.bit_count() < least or need.required & ~room:
            return False
        if need.spread is None:
            return True
        kind = self._kind(need)
        key = kind, room
        if key not in self._cpus:
            portion = self._forward.placer.search.portions.of
            self._cpus[key] = sum(portion(kind, 0, node) for node in numbers(room))
        return self._cpus[key] >= need.spread.cpus

    def would_meet_closure(self, need: Need) -> bool:
        """Return whether a reservation takes nodes that the need could use, if it started now."""
        until = self._now + need.duration_s
        return any(
            one.start_at < until and one.end_at > self._now and one.nodes & need.candidates
            for one in self._closed
            if one.reservation != REBOOT
        )


def unlicensed(need: Need) -> Need:
    """Return the need without its licenses."""
    return replace(need, licenses=()) if need.licenses else need


def _nobody_waits(holdings: Sequence[tables.Holding]) -> tables.QueueTables:
    return tables.QueueTables(
        records=(),
        waiting=(),
        running=(tables.Runner(ends_at=0),),
        holdings=holdings,
        lane_width=(),
        partitions=1,
        users=1,
        arrays=1,
    )
