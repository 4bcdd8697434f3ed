"""Move time forward until everybody has started, or nothing can change any more."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from predictor.scheduling.planner import Placement, release, schedule
from predictor.scheduling.policy import Policy
from predictor.scheduling.timeline import Timeline
from predictor.simulation.dependencies import After
from predictor.simulation.entrants import Entrant
from predictor.simulation.occupied import Running


@dataclass(frozen=True, slots=True, kw_only=True)
class Future:
    """Who starts where and when, by entrant id. Who is missing does not start in time."""

    from_at: int
    placements: Mapping[str, Placement]
    stuck: frozenset[str]
    """Those who wait for something that never happens."""


def simulate(
    entrants: Sequence[Entrant],
    running: Iterable[Running],
    timeline: Timeline,
    policy: Policy,
    now: int,
    until: int,
) -> Future:
    """Start everyone under the policy, every job running as long as it is planned.

    A pass is repeated whenever something happens that the last plan did not foresee: a job
    becomes eligible, or, as long as somebody is without a plan, capacity changes. Nobody is
    started at `until` or later. `timeline` is used up.
    """
    return _Run(entrants, running, timeline, policy).forward(now, until)


class _Run:
    """The state of one simulation."""

    def __init__(
        self,
        entrants: Sequence[Entrant],
        running: Iterable[Running],
        timeline: Timeline,
        policy: Policy,
    ) -> None:
        self.timeline = timeline
        self.policy = policy
        self.waiting = {e.id: e for e in entrants}
        self.planned: dict[str, Placement] = {}
        self.final: dict[str, Placement] = {}
        self.ends: dict[str, int] = {}
        self.lanes: dict[str, list[int]] = {}
        for job in running:
            self.ends[job.id] = max(job.end_at, self.ends.get(job.id, 0))
            if job.lane:
                self.lanes.setdefault(job.lane, []).append(job.end_at)

    def forward(self, now: int, until: int) -> Future:
        at: int | None = now
        while at is not None and at < until:
            ready = self._ready(at)
            self._give_way(ready, at)
            queue = [e for e in ready if e.id not in self.planned]
            plan = schedule((e.ask for e in queue), self.timeline, self.policy, at)
            self.planned |= {p.ask.id: p for p in plan.placements}
            at = self._next(at, incomplete=bool(plan.unplaced))
            self._settle(at)
            if at is not None:
                self.timeline.forget_before(at)
        return Future(
            from_at=now,
            placements={i: p for i, p in self.final.items() if p.start_at < until},
            stuck=frozenset(e.id for e in self.waiting.values() if self._eligible_at(e) is None),
        )

    def _ready(self, at: int) -> list[Entrant]:
        """Return those who may be considered at `at`, in queue order."""
        ready = []
        free = {lane: -sum(end > at for end in ends) for lane, ends in self.lanes.items()}
        for entrant in self.waiting.values():
            eligible_at = self._eligible_at(entrant)
            if eligible_at is None or eligible_at > at:
                continue
            if entrant.lane:
                taken = free.get(entrant.lane, 0)
                if taken + entrant.lane_width <= 0:
                    continue
                free[entrant.lane] = taken - 1
            ready.append(entrant)
        return ready

    def _eligible_at(self, entrant: Entrant) -> int | None:
        """Return when an entrant may be considered; None as long as that is not known."""
        if not entrant.after:
            return entrant.not_before
        times = [self._fulfilled_at(after) for after in entrant.after]
        known = [time for time in times if time is not None]
        if entrant.any_of and known:
            return max(entrant.not_before, min(known))
        if len(known) < len(times):
            return None
        return max([entrant.not_before, *known])

    def _fulfilled_at(self, after: After) -> int | None:
        times = [self._start_or_end(id_, after.started) for id_ in after.job_ids]
        known = [time for time in times if time is not None]
        return max(known, default=0) + after.delay_s if len(known) == len(times) else None

    def _start_or_end(self, id_: str, started: bool) -> int | None:
        """Return when a job starts (with a second's notice) or ends; None if it is not known."""
        placement = self.final.get(id_) or self.planned.get(id_)
        if placement is not None:
            return placement.start_at + 1 if started else placement.end_at
        end = self.ends.get(id_)
        return 0 if started and end is not None else end

    def _give_way(self, ready: Sequence[Entrant], at: int) -> None:
        """Withdraw the plans that a newcomer could change: those ranked behind the first one.

        Whatever capacity is left to a job by those before it does not depend on those behind it,
        if all of them have reservations; otherwise every plan is made anew.
        """
        newcomers = [e.rank for e in ready if e.id not in self.planned]
        if self.policy.reservations is not None:
            first = 0
        elif newcomers:
            first = min(newcomers)
        else:
            return
        for id_ in [i for i in self.planned if self.waiting[i].rank > first]:
            release(self.planned.pop(id_).placed, self.timeline)

    def _next(self, at: int, incomplete: bool) -> int | None:
        """Return the next instant at which something unforeseen happens; None: never again."""
        instants = [
            time
            for e in self.waiting.values()
            if e.id not in self.planned and (time := self._eligible_at(e)) is not None
        ]
        lanes = {e.lane for e in self.waiting.values() if e.lane and e.id not in self.planned}
        for lane in lanes:
            instants += self.lanes.get(lane, [])
        instants += [
            placement.end_at
            for id_, placement in self.planned.items()
            if self.waiting[id_].lane in lanes
        ]
        if incomplete:
            change = self.timeline.change_after(at)
            instants += [change] if change is not None else []
        return min((time for time in instants if time > at), default=None)

    def _settle(self, before: int | None) -> None:
        """Make the plans that start before an instant final; None: all of them."""
        for id_, placement in list(self.planned.items()):
            if before is None or placement.start_at < before:
                entrant = self.waiting.pop(id_)
                self.final[id_] = self.planned.pop(id_)
                if entrant.lane:
                    self.lanes.setdefault(entrant.lane, []).append(placement.end_at)
