"""The planner: one loop for every policy."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from predictor.scheduling.allocation import choose
from predictor.scheduling.filling import best_together_first, largest_first
from predictor.scheduling.hints import Hints
from predictor.scheduling.policy import Allocation, Filling, Policy, Scope
from predictor.scheduling.timeline import Holding, Need, Opening, Timeline


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A piece of a job that is placed as one; `ways` are tried, the earliest start wins."""

    job_id: str
    ways: tuple[Need, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A job in the queue. Several parts (a heterogeneous job) must start together."""

    id: str
    parts: tuple[Part, ...]

    @property
    def partition(self) -> str:
        """The partition in which it stands in the queue."""
        return self.parts[0].ways[0].partition


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Where a part goes: which of its ways, and the nodes and hours it holds."""

    part: Part
    need: Need
    holding: Holding


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """When an ask starts, with one `Placed` for each part."""

    ask: Ask
    start_at: int
    placed: tuple[Placed, ...]

    @property
    def end_at(self) -> int:
        """When the last of its parts ends."""
        return max(placed.holding.end_at for placed in self.placed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a pass decided."""

    placements: tuple[Placement, ...]
    """In queue order: the jobs that start now and the reservations of blocked ones."""
    unplaced: tuple[Ask, ...]
    """Those it gave no start: nobody looked, or nothing was free for them."""


def schedule(queue: Iterable[Ask], timeline: Timeline, policy: Policy, now: int) -> Plan:
    """Decide who starts `now` and who gets a reservation; what is placed is taken on `timeline`.

    A job that can start, starts. One that cannot gets a reservation while the policy has one
    left in its scope; it stops the jobs behind it in the scope unless the policy skips. Those
    behind it start in the order of the policy's filling once no reservation is left.
    """
    hints = Hints()
    reserved: Counter[str] = Counter()
    blocked: set[str] = set()
    placements: list[Placement] = []
    unplaced: list[Ask] = []
    filling: list[Ask] = []
    reorders = policy.skip_blocked and policy.filling is not Filling.FIRST
    for ask in queue:
        scope = ask.partition if policy.scope is Scope.PARTITION else ""
        may_wait = policy.reservations is None or reserved[scope] < policy.reservations
        if reorders and scope in blocked and not may_wait:
            filling.append(ask)
            continue
        placement = None
        if scope not in blocked or policy.skip_blocked:
            placement = place(ask, timeline, hints, now, may_wait, policy.allocation)
        if placement is None:
            unplaced.append(ask)
        else:
            placements.append(placement)
        if placement is None or placement.start_at > now:
            reserved[scope] += placement is not None
            blocked.add(scope)
    for ask in _in_turn(filling, timeline, policy, now):
        placement = place(ask, timeline, hints, now, False, policy.allocation)
        if placement is None:
            unplaced.append(ask)
        else:
            placements.append(placement)
    return Plan(placements=tuple(placements), unplaced=tuple(unplaced))


def _in_turn(asks: Sequence[Ask], timeline: Timeline, policy: Policy, now: int) -> Sequence[Ask]:
    """Return in which order the policy's filling tries these asks; `timeline` is as before."""

    def cpus(ask: Ask) -> int:
        needs = [part.ways[0] for part in ask.parts]
        return sum(need.nodes * timeline.machine.shape(need.shape).cpus for need in needs)

    def start(ask: Ask) -> Callable[[], None] | None:
        # No hints: what fails beside others may succeed without them.
        found = place(ask, timeline, Hints(), now, False, policy.allocation)
        return None if found is None else lambda: release(found.placed, timeline)

    if policy.filling is Filling.BEST:
        return largest_first(asks, cpus)
    return best_together_first(asks, cpus, start)


def place(
    ask: Ask, timeline: Timeline, hints: Hints, now: int, may_wait: bool, allocation: Allocation
) -> Placement | None:
    """Take the first start common to all parts; None if there is none (now, unless `may_wait`)."""
    at = now
    while True:
        placed: list[Placed] = []
        for part in ask.parts:
            # What is learned while a sibling is tentatively placed does not hold afterwards.
            known = hints if len(ask.parts) == 1 else Hints()
            found = _soonest(part, timeline, known, at, may_wait, allocation)
            if found is None:
                break
            timeline.take(found.holding)
            placed.append(found)
        latest = max((p.holding.start_at for p in placed), default=at)
        complete = len(placed) == len(ask.parts)
        if complete and all(p.holding.start_at == latest for p in placed):
            return Placement(ask=ask, start_at=latest, placed=tuple(placed))
        release(placed, timeline)
        # From the last breakpoint on nothing changes: who does not fit then, never does.
        if not complete or at >= timeline.starts[-1]:
            return None
        at = latest


def release(placed: Iterable[Placed], timeline: Timeline) -> None:
    """Give back what was taken for a placement."""
    for one in placed:
        timeline.give_back(one.holding)


def _soonest(
    part: Part, timeline: Timeline, hints: Hints, at: int, may_wait: bool, allocation: Allocation
) -> Placed | None:
    """Return the way with the earliest start; ties go to the way named first."""
    best: tuple[Need, Opening] | None = None
    for need in part.ways:
        search = hints.earliest if may_wait else hints.opening_at
        opening = search(timeline, need, at)
        if opening is not None and (best is None or opening.start_at < best[1].start_at):
            best = need, opening
    if best is None:
        return None
    need, opening = best
    holding = Holding(
        start_at=opening.start_at,
        end_at=opening.start_at + need.duration_s,
        nodes=choose(timeline, need, opening, allocation),
        shape=need.shape,
        licenses=need.licenses,
    )
    return Placed(part=part, need=need, holding=holding)
