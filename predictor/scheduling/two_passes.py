"""A scheduler of two passes: one in strict order, one that looks ahead with whole-node slots.

Source: Slurm 22.05 to 26.05, main scheduler and backfill, as measured on real ones.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from predictor.domain import PassSettings
from predictor.scheduling.allocation import choose
from predictor.scheduling.hints import Hints
from predictor.scheduling.planner import Ask, Placed, Placement, place, release
from predictor.scheduling.policy import Allocation
from predictor.scheduling.timeline import Holding, Opening, Timeline, enough

ALLOCATION = Allocation.BEST_FIT


class Gate(Protocol):
    """What limits say about a job, by what runs at this moment."""

    def refuses(self, ask: Ask, at: int) -> str | None:
        """Return the limit that keeps the job wherever it would go; None: none does."""
        ...

    def refuses_on(self, placement: Placement, at: int) -> str | None:
        """Return the limit that keeps it from these nodes; None: none does."""
        ...

    def started(self, placement: Placement, at: int) -> None:
        """Count it from now on."""
        ...

    def ended(self, id_: str, at: int) -> None:
        """Count a job, running before or started since, no more."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What a pass that looks ahead decided."""

    started: tuple[Placement, ...]
    announced: tuple[Placement, ...]
    """When and where blocked jobs would start, within the window; forgotten after the pass."""


def main_pass(
    queue: Iterable[Ask], timeline: Timeline, gate: Gate, now: int
) -> tuple[Placement, ...]:
    """Start jobs in strict order; a job that lacks nodes stops its partition.

    It also keeps everyone behind it off all nodes of its partition, unless it named the nodes it
    wants. Who lacks a license, waits for its reservation, or may not start by a limit, is passed
    over. Heterogeneous jobs
    are never started here. Timeline and gate are changed by what starts.
    """
    started: list[Placement] = []
    failed: set[str] = set()
    closed = 0
    for ask in queue:
        if ask.partition in failed or gate.refuses(ask, now):
            continue
        placement = _now(ask, timeline, closed, now)
        if placement is not None:
            if not gate.refuses_on(placement, now):
                _start(placement, timeline, gate)
                started.append(placement)
        elif not _passed_over(ask, timeline, closed, now):
            closed |= _closes(ask)
            if not _names_its_nodes(ask):
                failed.add(ask.partition)
    return tuple(started)


def backfill_pass(
    queue: Sequence[Ask], timeline: Timeline, gate: Gate, settings: PassSettings, now: int
) -> Looked:
    """Start whoever delays nobody before it; every other job gets a slot of whole nodes.

    A slot keeps its nodes from all jobs behind, also those that a running job shares. Timeline
    and gate are changed by what starts; slots are gone when the pass is over.
    """
    hints = Hints()
    started: list[Placement] = []
    announced: list[Placement] = []
    slots: list[Holding] = []
    reserved: Counter[str] = Counter()
    for ask in queue:
        if gate.refuses(ask, now):
            continue
        placement = place(ask, timeline, hints, now, True, ALLOCATION)
        if placement is None:
            continue
        release(placement.placed, timeline)
        admitted = not gate.refuses_on(placement, now)
        if placement.start_at <= now:
            if admitted and (not settings.starts_max or len(started) < settings.starts_max):
                _start(placement, timeline, gate)
                started.append(placement)
            continue
        if placement.start_at > now + settings.window_s:
            continue
        announced.append(placement)
        protected = settings.protected_per_partition
        if not admitted:
            continue
        if protected and reserved[ask.partition] >= protected:
            continue
        reserved[ask.partition] += 1
        for one in placement.placed:
            slots.append(_slot(one.holding, settings.step_s))
            timeline.block(slots[-1])
    for slot in slots:
        timeline.unblock(slot)
    return Looked(started=tuple(started), announced=tuple(announced))


def _start(placement: Placement, timeline: Timeline, gate: Gate) -> None:
    for one in placement.placed:
        timeline.take(one.holding)
    gate.started(placement, placement.start_at)


def _now(ask: Ask, timeline: Timeline, closed: int, now: int) -> Placement | None:
    """Return where the ask could start now, off the closed nodes; None if nowhere."""
    if len(ask.parts) != 1:
        return None
    [part] = ask.parts
    for need in part.ways:
        opening = timeline.opening_at(need, now)
        if opening is None or not enough(opening.nodes & ~closed, need):
            continue
        free = Opening(start_at=now, nodes=opening.nodes & ~closed)
        holding = Holding(
            start_at=now,
            end_at=now + need.duration_s,
            nodes=choose(timeline, need, free, ALLOCATION),
            shape=need.shape,
            licenses=need.licenses,
        )
        placed = Placed(part=part, need=need, holding=holding)
        return Placement(ask=ask, start_at=now, placed=(placed,))
    return None


def _passed_over(ask: Ask, timeline: Timeline, closed: int, now: int) -> bool:
    """Whether the ask fails for something that concerns nobody else: licenses, a reservation."""
    ways = [need for part in ask.parts for need in part.ways]
    if any(need.reservation for need in ways):
        return True
    if not any(need.licenses for need in ways):
        return False
    bare = (replace(p, ways=tuple(replace(n, licenses=()) for n in p.ways)) for p in ask.parts)
    return _now(replace(ask, parts=tuple(bare)), timeline, closed, now) is not None


def _names_its_nodes(ask: Ask) -> bool:
    return all(need.required.bit_count() >= need.nodes for p in ask.parts for need in p.ways)


def _closes(ask: Ask) -> int:
    """Return the nodes that nobody behind a blocked ask may use."""
    if _names_its_nodes(ask):
        return _union(need.required for part in ask.parts for need in part.ways)
    return _union(need.members for part in ask.parts for need in part.ways)


def _union(sets: Iterable[int]) -> int:
    union = 0
    for one in sets:
        union |= one
    return union


def _slot(holding: Holding, step_s: int) -> Holding:
    """Return the slot for a holding: begin and end rounded down, at least one step long."""
    start_at = holding.start_at // step_s * step_s
    end_at = max(holding.end_at // step_s * step_s, start_at + step_s)
    return replace(holding, start_at=start_at, end_at=end_at)
