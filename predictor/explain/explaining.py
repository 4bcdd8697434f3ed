"""From a simulated future to explanations: one for each waiting record that starts in it.

All are worked out at once, with the forecast: what was simulated stays where that was done, and
nobody who asks has to wait. What is told of one job is bounded, whatever the length of the queue.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nsmallest
from typing import Any

from predictor.domain import Awaited, Cause, Explanation, NodeFlag, Snapshot
from predictor.explain.calendar import in_the_way
from predictor.explain.limits import HeldBack, Members, held_back
from predictor.explain.occupants import Naming, Occupant, held, occupants
from predictor.explain.openers import Stay, Tenants
from predictor.explain.pools import Opener, lanes, licenses
from predictor.explain.standing import Standing, standings
from predictor.scheduling.closures import Closure, closures
from predictor.scheduling.machine import Machine, numbers
from predictor.scheduling.placing import Placed, Placement
from predictor.simulation.causes import StartingPoints
from predictor.simulation.entrants import Entrant
from predictor.simulation.future import Future
from predictor.simulation.occupied import Running
from predictor.simulation.passes import Rhythm
from predictor.simulation.preempting import PreemptionRules

MOST_NAMED = 5


def explain(
    snapshot: Snapshot,
    machine: Machine,
    points: StartingPoints,
    running: Sequence[Running],
    future: Future,
    *,
    limits: bool,
) -> Mapping[str, Explanation]:
    """Return why each waiting record starts when it does, by its id; for those that start.

    An array's is that of the task to start first, as in its prediction. `limits`: whether the
    simulation obeyed them. Costs 0.07 ms a job of a dozen whole nodes; 0.15 ms with limits, shared.
    """
    firsts = _firsts(points.possible, future)
    scene = _Scene.of(snapshot, machine, points, running, future, firsts.values(), limits)
    told = {entrant.id: scene.explanation(entrant) for entrant in firsts.values()}
    return {job_id: told[entrant.id] for job_id, entrant in firsts.items()}


def _firsts(entrants: Iterable[Entrant], future: Future) -> dict[str, Entrant]:
    """Return, for each record, the first of its entrants to start."""
    starting = [entrant for entrant in entrants if entrant.id in future.placements]
    starting.sort(key=lambda e: (future.placements[e.id].start_at, e.rank))
    firsts: dict[str, Entrant] = {}
    for entrant in starting:
        for job_id in entrant.job_ids:
            firsts.setdefault(job_id, entrant)
    return firsts


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scene:
    """All that explanations are made from."""

    now: int
    machine: Machine
    future: Future
    causes: Mapping[str, Cause]
    naming: Naming
    by_id: Mapping[str, Occupant]
    uncounted: Mapping[str, Sequence[str]]
    """What is asked for that no plan counts, by waiting record; of those that ask for such."""
    tenants: Tenants
    licenses: Mapping[str, Opener]
    lanes: Mapping[str, Opener]
    closed: Sequence[Closure]
    held_back: Mapping[str, HeldBack]
    members: Members
    standings: Mapping[str, Standing]
    preempting: PreemptionRules | None
    """Who may end whom; None: nobody anybody."""
    departing: Mapping[str, Sequence[str]]
    """Who must make room, by for whom."""
    notice_s: int
    """So long it may take until the scheduler sees that somebody ended."""

    @classmethod
    def of(
        cls,
        snapshot: Snapshot,
        machine: Machine,
        points: StartingPoints,
        running: Sequence[Running],
        future: Future,
        asked: Iterable[Entrant],
        limits: bool,
    ) -> "_Scene":
        """Return the scene; `asked` are those to be explained."""
        asked = list({entrant.id: entrant for entrant in asked}.values())
        everybody = occupants(snapshot, machine, running, points.possible, future)
        notice_s = _notice_s(snapshot)
        late = held_back(snapshot, machine, asked if limits else (), everybody, future, notice_s)
        until = max((future.placements[e.id].start_at for e in asked), default=future.from_at)
        return cls(
            now=future.from_at,
            machine=machine,
            future=future,
            causes=points.causes,
            naming=Naming.of(snapshot),
            by_id={one.id: one for one in everybody},
            uncounted={
                job.spec.id: job.spec.request.uncounted
                for job in snapshot.pending
                if job.spec.request.uncounted
            },
            tenants=Tenants(machine, everybody),
            licenses=licenses(snapshot, everybody),
            lanes=lanes(points.possible, everybody),
            closed=closures(
                snapshot.reservations,
                machine,
                future.from_at,
                until - future.from_at,
                snapshot.utc_offset_s,
            ),
            held_back=late,
            members=Members.among(everybody, snapshot, {each.by.scope for each in late.values()}),
            standings=standings(asked, points.possible, future),
            preempting=PreemptionRules.of(snapshot),
            departing=_departing(future),
            notice_s=notice_s,
        )

    def explanation(self, entrant: Entrant) -> Explanation:
        """Return why the entrant starts when it does."""
        placement, standing = self.future.placements[entrant.id], self.standings[entrant.id]
        waits_for, more = self._openers(entrant, placement)
        told = Explanation(
            nodes=sum(map(_width, placement.placed)),
            waits_for=waits_for,
            waits_for_more=more,
            ahead_jobs=standing.ahead_jobs,
            ahead_node_s=standing.ahead_node_s,
            let_past_jobs=standing.let_past_jobs,
            let_past_node_s=standing.let_past_node_s,
            passes_jobs=standing.passes_jobs,
            planned_start=placement.start_at,
            not_before=entrant.not_before if entrant.not_before > self.now else None,
            uncounted=self._uncounted(entrant),
            **self._nodes(placement),
            **self._preemption(entrant, placement),
            **self._dependencies(entrant),
            **self._lifted(entrant, placement),
            **self._reservation(entrant, placement, waits_for),
        )
        since = _last_told(told, placement.start_at)
        late = self.now < since < placement.start_at - self.notice_s
        return replace(told, turn_from=since) if late else told

    def _openers(self, entrant: Entrant, placement: Placement) -> tuple[tuple[Awaited, ...], int]:
        """Return whose ends open the nodes, and how many are not among them."""
        at = placement.start_at
        found: dict[Occupant, list[Stay]] = {}
        for placed in placement.placed if at > self.now else ():
            for holding in held(placed, self.machine):
                for node in numbers(holding.nodes):
                    stay = self.tenants.opener(node, holding.shape, at, self.now)
                    if stay is not None:
                        found.setdefault(stay.occupant, []).append(stay)
        ends = {one: max(stay.end_at for stay in stays) for one, stays in found.items()}
        order = sorted(found, key=lambda one: (-ends[one], -len(found[one]), one.id))
        allowed = [one for one in order if self.naming.allows(one, entrant.user)]
        named = allowed[:MOST_NAMED]
        return tuple(
            self.naming.awaited(one, entrant.user, at=ends[one], nodes=len(found[one]))
            for one in named
        ), len(order) - len(named)

    def _nodes(self, placement: Placement) -> dict[str, Any]:
        """Return how the nodes stand that the job could use now."""
        if len(placement.placed) != 1:
            return {}
        ways = placement.placed[0].part.ways
        free = down = 0
        # Rebooting and blocked nodes can be planned on, but hold nobody now.
        nodes = self.machine.nodes
        away = self.machine.bitmap(node.name for node in nodes if node.returning)
        reboot = self.machine.bitmap(n.name for n in nodes if NodeFlag.RETURNING in n.flags)
        for need in ways:
            least = need.shape if need.spread is None else need.spread.share
            free |= self.tenants.room(least, self.now) & need.candidates & ~away
            down |= need.members & self.machine.fits_empty(least) & (reboot | ~self.machine.usable)
        return {"nodes_free": free.bit_count(), "nodes_down": down.bit_count()}

    def _uncounted(self, entrant: Entrant) -> tuple[str, ...]:
        """Return what any of the entrant's components asks for that no plan counts."""
        words = (word for id_ in entrant.job_ids for word in self.uncounted.get(id_, ()))
        return tuple(dict.fromkeys(words))[:MOST_NAMED]

    def _preemption(self, entrant: Entrant, placement: Placement) -> dict[str, Any]:
        """Return who must make room for the entrant, and whether it must for others."""
        if self.preempting is None:
            return {}
        found = [self.by_id[id_] for id_ in self.departing.get(entrant.id, ()) if id_ in self.by_id]
        found.sort(key=lambda one: (one.end_at, one.id))
        allowed = [one for one in found if self.naming.allows(one, entrant.user)]
        named = tuple(self.naming.awaited(one, entrant.user) for one in allowed[:MOST_NAMED])
        qos = self.by_id[entrant.id].qos
        return {
            "makes_leave": named,
            "makes_leave_more": len(found) - len(named),
            "gives_way": any(
                self.preempting.gives_way((placed.need.partition, qos))
                for placed in placement.placed
            ),
        }

    def _dependencies(self, entrant: Entrant) -> dict[str, Any]:
        """Return whom the entrant depends on that has not done its part by now."""
        found: dict[str, tuple[int, Occupant, bool]] = {}
        own = self.by_id[entrant.id]
        for after in entrant.after:
            rivals = set(after.rivals)
            for id_ in (*after.job_ids, *after.rivals):
                other = self.by_id.get(id_)
                if other is None or (id_ in rivals and other.start_at >= own.start_at):
                    continue
                at = other.start_at if after.started else other.end_at
                if at >= self.now and (other.waits or not after.started):
                    found[id_] = at, other, after.started
        named = nsmallest(MOST_NAMED, found, key=lambda id_: (-found[id_][0], id_))
        return {
            "dependencies": tuple(self._awaited(entrant, id_, *found[id_]) for id_ in named),
            "dependencies_more": len(found) - len(named),
            "any_dependency": entrant.any_of and len(found) > 1,
        }

    def _awaited(
        self, entrant: Entrant, id_: str, at: int, other: Occupant, starts: bool
    ) -> Awaited:
        user = other.user if self.naming.allows(other, entrant.user) else ""
        # Its own user named it, so that its id is no secret.
        return Awaited(job_id=id_, at=at, user=user, waits=other.waits, starts=starts)

    def _lifted(self, entrant: Entrant, placement: Placement) -> dict[str, Any]:
        """Return the limit, the licenses or the array's own limit, and whose end lifts it."""
        at, now = placement.start_at, self.now
        if entrant.lane and (stay := self.lanes[entrant.lane](1, at, now)):
            return {"array_limit": entrant.lane_width} | self._by(entrant, stay.occupant)
        if (late := self.held_back.get(entrant.id)) is not None:
            last = self.members.last_before(late.by.scope, at, now)
            told = {"limit": late.by.limit, "limit_later": late.later}
            return told | self._by(entrant, last)
        return self._unlicensed(entrant, placement)

    def _unlicensed(self, entrant: Entrant, placement: Placement) -> dict[str, Any]:
        wanted: dict[str, int] = {}
        for placed in placement.placed:
            for name, amount in placed.need.licenses:
                wanted[name] = wanted.get(name, 0) + amount
        openers = {
            name: stay
            for name, amount in sorted(wanted.items())
            if name in self.licenses
            and (stay := self.licenses[name](amount, placement.start_at, self.now))
        }
        if not openers:
            return {}
        last = max(openers.values(), key=lambda stay: stay.end_at)
        return {"licenses": tuple(openers)} | self._by(entrant, last.occupant)

    def _by(self, entrant: Entrant, occupant: Occupant | None) -> dict[str, Any]:
        if occupant is None:
            return {}
        return {"lifted_by": self.naming.awaited(occupant, entrant.user)}

    def _reservation(
        self, entrant: Entrant, placement: Placement, waits_for: Sequence[Awaited]
    ) -> dict[str, Any]:
        """Return the reservation in the way, unless jobs hold the nodes for longer."""
        cause = self.causes[entrant.id]
        closure = in_the_way(placement, self.closed, cause, self.now)
        if closure is None or placement.start_at <= self.now:
            return {}
        own = any(placed.need.reservation == closure.reservation for placed in placement.placed)
        last = max((one.at for one in waits_for), default=0)
        if not own and cause is not Cause.RESERVATION and closure.end_at < last:
            return {}
        return {
            "reservation": "" if self.naming.reservations_private else closure.reservation,
            "reservation_from": closure.start_at,
            "reservation_until": closure.end_at,
            "own_reservation": own,
        }


def _width(placed: Placed) -> int:
    """Return how many nodes it needs; where that is open, how many it gets."""
    return placed.need.nodes if placed.need.spread is None else placed.holding.nodes.bit_count()


def _departing(future: Future) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for id_, departure in future.departures.items():
        found.setdefault(departure.for_id, []).append(id_)
    return found


def _last_told(told: Explanation, until: int) -> int:
    """Return the last instant by `until` at which something told ends to be in the way."""
    awaited = (*told.waits_for, *told.dependencies, *filter(None, (told.lifted_by,)))
    begins_at = told.reservation_from if told.own_reservation else told.reservation_until
    instants = [one.at for one in awaited]
    instants += [at for at in (begins_at, told.not_before) if at is not None]
    return max((at for at in instants if at <= until), default=0)


def _notice_s(snapshot: Snapshot) -> int:
    return Rhythm.of(snapshot.settings, snapshot.health, snapshot.taken_at).period_s + 1
