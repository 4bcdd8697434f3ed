"""Move time forward until everybody has started, or nothing can change any more."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from predictor.scheduling.planner import Placement, release, schedule
from predictor.scheduling.policy import Policy
from predictor.scheduling.timeline import Timeline
from predictor.simulation.entrants import Entrant
from predictor.simulation.lives import Lives
from predictor.simulation.turns import looked_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """The end of somebody who had to make room: the first one, should it run again."""

    at: int
    for_id: str
    """For whom."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Future:
    """Who starts where and when, by entrant id. Who is missing does not start in time."""

    from_at: int
    placements: Mapping[str, Placement]
    stuck: frozenset[str]
    """Those who wait for something that never happens."""
    departures: Mapping[str, Departure] = field(default_factory=dict)
    """Who had to make room for another, by single id."""


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
    becomes eligible, or, as long as somebody is without a plan, capacity changes; at once if
    jobs started whose users have others that were not looked at. A policy's own cadence rounds
    each of these instants up, and starts with them. Nobody is started at `until` or later.
    `timeline` and `lives` are used up.
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
            looked = list(looked_at(ready, self.policy, self.lives, at))
            queue = [e for e in looked if e.id not in self.planned]
            plan = schedule((e.ask for e in queue), self.timeline, self.policy, at)
            for placement in plan.placements:
                self._plan(placement)
            left_out = len(looked) < len(ready)
            again = left_out and any(p.start_at == at for p in plan.placements)
            following = self._on_beat(self._next(at, bool(plan.unplaced), left_out, again), now)
            self._settle(at + 1 if again or self.policy.pass_every_s else following)
            at = following
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
        entrant = self.waiting[id_]
        self.lives.begin(id_, placement.start_at, placement.end_at, entrant.lane, entrant.user)

    def _give_way(self, ready: Sequence[Entrant]) -> None:
        """Withdraw the plans that a newcomer could change: those ranked behind the first one.

        Whatever capacity is left to a job by those before it does not depend on those behind it,
        if all of them have reservations; otherwise every plan is made anew, as it is where passes
        have a cadence that plans do not know.
        """
        newcomers = [e.rank for e in ready if e.id not in self.planned]
        if self.policy.reservations is not None or self.policy.pass_every_s is not None:
            first = 0
        elif newcomers:
            first = min(newcomers)
        else:
            return
        for id_ in [i for i in self.planned if self.waiting[i].rank > first]:
            release(self.planned.pop(id_).placed, self.timeline)
            self.lives.withdraw(id_, self.waiting[id_].lane)

    def _next(self, at: int, incomplete: bool, left_out: bool, again: bool) -> int | None:
        """Return the next instant at which something unforeseen happens; None: never again.

        `left_out`: somebody was not looked at; `again`: and may be now that others started.
        """
        if again:
            # A cadence rounds this up; without one the pass is repeated.
            return at if self.policy.pass_every_s is None else at + 1
        unplanned = [e for e in self.waiting.values() if e.id not in self.planned]
        instants = [self.lives.eligible_at(e) for e in unplanned]
        for lane in {e.lane for e in unplanned if e.lane}:
            instants += self.lives.lane_ends(lane)
        if incomplete:
            instants.append(self.timeline.change_after(at))
        if left_out:
            instants.append(self.lives.next_end(at))
        if left_out or self.policy.pass_every_s is not None:
            instants += [placement.start_at for placement in self.planned.values()]
        later = (time for time in instants if time is not None and time > at)
        return min(later, default=None)

    def _on_beat(self, at: int | None, now: int) -> int | None:
        """Return the first pass at `at` or later, where passes have a cadence."""
        every_s = self.policy.pass_every_s
        if at is None or every_s is None:
            return at
        return now + -(-(at - now) // every_s) * every_s

    def _settle(self, before: int | None) -> None:
        """Make the plans that start before an instant final; None: all of them."""
        for id_, placement in list(self.planned.items()):
            if before is None or placement.start_at < before:
                self.final[id_] = self.planned.pop(id_)
                del self.waiting[id_]
