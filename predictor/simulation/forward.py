"""Move time forward until everybody has started, or nothing can change any more."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from predictor.scheduling.planner import Placement, release, schedule
from predictor.scheduling.policy import Policy
from predictor.scheduling.timeline import Timeline
from predictor.simulation.entrants import Entrant
from predictor.simulation.lives import Lives


@dataclass(frozen=True, slots=True, kw_only=True)
class Future:
    """Who starts where and when, by entrant id. Who is missing does not start in time."""

    from_at: int
    placements: Mapping[str, Placement]
    stuck: frozenset[str]
    """Those who wait for something that never happens."""


def simulate(
    entrants: Sequence[Entrant],
    lives: Lives,
    timeline: Timeline,
    policy: Policy,
    now: int,
    until: int,
) -> Future:
    """Start everyone under the policy, every job running as long as it is planned.

    A pass is repeated whenever something happens that the last plan did not foresee: a job
    becomes eligible, or, as long as somebody is without a plan, capacity changes. Nobody is
    started at `until` or later. `timeline` and `lives` are used up.
    """
    return _Run(entrants, lives, timeline, policy).forward(now, until)


class _Run:
    """The state of one simulation."""

    def __init__(
        self,
        entrants: Sequence[Entrant],
        lives: Lives,
        timeline: Timeline,
        policy: Policy,
    ) -> None:
        self.timeline = timeline
        self.policy = policy
        self.lives = lives
        self.waiting = {e.id: e for e in entrants}
        self.planned: dict[str, Placement] = {}
        self.final: dict[str, Placement] = {}

    def forward(self, now: int, until: int) -> Future:
        at: int | None = now
        while at is not None and at < until:
            ready = list(self.lives.ready(self.waiting.values(), self.waiting, at))
            self._give_way(ready)
            queue = [e for e in ready if e.id not in self.planned]
            plan = schedule((e.ask for e in queue), self.timeline, self.policy, at)
            for placement in plan.placements:
                self._plan(placement)
            at = self._next(at, incomplete=bool(plan.unplaced))
            self._settle(at)
            if at is not None:
                self.timeline.forget_before(at)
        stuck = (e.id for e in self.waiting.values() if self.lives.eligible_at(e) is None)
        return Future(
            from_at=now,
            placements={i: p for i, p in self.final.items() if p.start_at < until},
            stuck=frozenset(stuck),
        )

    def _plan(self, placement: Placement) -> None:
        id_ = placement.ask.id
        self.planned[id_] = placement
        self.lives.begin(id_, placement.start_at, placement.end_at, self.waiting[id_].lane)

    def _give_way(self, ready: Sequence[Entrant]) -> None:
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
            self.lives.withdraw(id_, self.waiting[id_].lane)

    def _next(self, at: int, incomplete: bool) -> int | None:
        """Return the next instant at which something unforeseen happens; None: never again."""
        unplanned = [e for e in self.waiting.values() if e.id not in self.planned]
        instants = [self.lives.eligible_at(e) for e in unplanned]
        for lane in {e.lane for e in unplanned if e.lane}:
            instants += self.lives.lane_ends(lane)
        if incomplete:
            instants.append(self.timeline.change_after(at))
        return min((time for time in instants if time is not None and time > at), default=None)

    def _settle(self, before: int | None) -> None:
        """Make the plans that start before an instant final; None: all of them."""
        for id_, placement in list(self.planned.items()):
            if before is None or placement.start_at < before:
                self.final[id_] = self.planned.pop(id_)
                del self.waiting[id_]
