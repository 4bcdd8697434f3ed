"""A batch system's own scheduler, played on the engine: passes, limits, priorities as they move."""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cache
from typing import Self

from predictor.domain import (
    JobSpec,
    PendingJob,
    Snapshot,
)
from predictor.engine import codes, unlocked
from predictor.engine.accruals import Accruals
from predictor.engine.forward import Forward
from predictor.engine.layout import Layout
from predictor.engine.limit_layout import LimitLayout
from predictor.engine.limits import Limits
from predictor.engine.past import Past
from predictor.engine.placer import Placer
from predictor.engine.policies import Policies
from predictor.engine.queue import Queue
from predictor.engine.ranking import Ranking
from predictor.engine.ranking_tables import NEVER
from predictor.engine.rule_tables import PolicyRules, Rules
from predictor.engine.tables import QueueTables
from predictor.engine.victim_tables import AT_ONCE, Vacating
from predictor.priority.tariff import Tariff
from predictor.scheduling.allocation import shares
from predictor.scheduling.machine import Machine, numbers
from predictor.scheduling.placing import Holding, Need, Part, Placed, Placement
from predictor.simulation.cast import Cast, Option, Role, holders
from predictor.simulation.courses import Course, fates
from predictor.simulation.entrants import Entrant
from predictor.simulation.future import Departure
from predictor.simulation.limit_lowering import LoweredLimits, lowered
from predictor.simulation.listing import ordinals
from predictor.simulation.occupied import Running
from predictor.simulation.passes import NO_PASSES
from predictor.simulation.preempting import lower_preemption
from predictor.simulation.protection import Protection
from predictor.simulation.ranking_lowering import LoweredRanking
from predictor.simulation.scene import Scene

FORESEEN = PolicyRules(reservations=-1, skips=True, foresees=True, looks_max=500_000)
"""Everybody who waits has a reservation, and is ready at a known time.

Making room for many who only become ready once others have ended is bounded: some seconds' work.
"""
MOST_LOOKS = 200_000
"""How many jobs are looked at pass by pass, about a second's work for a compiled engine.

What then still waits is planned at once, as if every job had a reservation: so far ahead the
single decisions of a pass say little. For 5,000 jobs on 2,000 nodes that is from the fourth hour
on; starts later than a day ahead come out a tenth too early on average, before that unbiased.
"""


class Play:
    """Everything that a simulation needs, laid out once; it can be run as often as wanted."""

    def __init__(
        self,
        snapshot: Snapshot,
        machine: Machine,
        scene: Scene,
        roles: Sequence[Role],
        running: Sequence[Running],
        ranking: LoweredRanking | None,
        jobs: Mapping[str, PendingJob],
        *,
        vacating: Vacating = AT_ONCE,
        boots_s: int = -1,
        apart: bool = False,
    ) -> None:
        """Lay it out. `jobs` are all waiting records, by id.

        `boots_s`: how long nodes really take to boot; -1: as long as they may.
        `apart`: the components of a job have places of their own in the queue.
        """
        self.roles = roles
        self.begins_at = snapshot.taken_at
        self.machine = machine
        self._asked: list[tuple[JobSpec, Need]] = []
        self._jobs = jobs
        self._rates: dict[tuple[object, ...], tuple[float, ...]] = {}
        """By all that makes them: what is charged per second for a node of each class."""
        self._tariff = Tariff.of(snapshot) if ranking else None
        self._first_of_class = scene.class_nodes
        charged = ranking.runs if ranking else {}
        protect = cache(Protection.of(snapshot).of_jobs)
        listed = ordinals(snapshot, roles, running)
        self._cast = Cast(
            roles, running, charged, scene, self._describe, protect, listed, apart=apart
        )
        self.tables: QueueTables = replace(self._cast.tables(), boots_s=boots_s)
        self.layout: Layout = scene.layout(holding for job in running for holding in job.held)
        self.ranking = ranking
        self.limits: LoweredLimits | None = None
        if snapshot.settings.limits_enforced:
            people = holders(roles, running)
            self.limits = lowered(snapshot, machine, self._asked, people)
        self.preemption = lower_preemption(snapshot, self._cast, vacating)
        self._spares = self._most_parted()
        self._limit_layout = LimitLayout(self.limits.tables) if self.limits else None

    def _most_parted(self) -> int:
        """Return how many who share a priority may get one of their own: they come back alone."""
        if self.preemption is None and not any(job.later_runs for job in self.tables.waiting):
            return 0
        slots = [record.slot for record in self.tables.records if record.slot >= 0]
        return len(slots) - len(set(slots))

    def forward(self, rules: Rules, course: Course | None = None) -> Forward:
        """Return a simulation that begins at the snapshot; without a course, as roles say."""
        now = self.begins_at
        ranking = Ranking(self.ranking.tables, self._spares) if self.ranking else None
        accruals = None
        if ranking is not None and self.ranking is not None and self.ranking.accruals is not None:
            accruals = Accruals(self.ranking.accruals, ranking)
        return Forward(
            self.layout,
            self.tables,
            rules,
            Limits(self._limit_layout) if self._limit_layout else None,
            ranking,
            now,
            self.preemption,
            fates(course, self.roles, self._cast.running, now) if course else None,
            accruals,
        )

    def rehearsed(self, rules: Rules) -> Self:
        """Return the play with sizes as of the places that the last pass found, if they count.

        Where nodes differ, what a job's size is worth hangs on these, of which only the start is
        told. A pass made now tells which they are wherever it comes to the same start.
        """
        if self.ranking is None or not self.ranking.is_unsettled:
            return self
        forward = self.forward(rules)
        unlocked.rehearse(forward)
        found = copy(self)
        found.ranking = self.ranking.resized(dict(self._sizes(forward)))
        return found

    def _sizes(self, forward: Forward) -> Iterator[tuple[int, int]]:
        """Yield the slots of whom the pass planned as was told, and how many CPUs they get."""
        queue, now = forward.queue, self.begins_at
        for record in range(queue.records):
            job = queue.record_job[record]
            estimate = self._jobs[self.roles[job].entrant.job_ids[0]].estimate
            told_at = estimate.start_at if estimate else None
            starts_now = queue.state[job] == codes.RUNS and queue.started_record[job] == record
            start_at = now if starts_now else forward.ahead.announced.earliest[record]
            if told_at is None or start_at < 0 or queue.record_slot[record] < 0:
                continue
            # Who waits for nobody but those who are overdue is told of another start each time.
            if start_at == told_at or max(start_at, told_at) <= now + 1:
                yield queue.record_slot[record], self._cpus(forward, record)

    def _cpus(self, forward: Forward, record: int) -> int:
        """Return how many CPUs the nodes have that were found for a record last."""
        queue, found = forward.queue, 0
        for part in range(queue.part_start[record], queue.part_start[record + 1]):
            nodes = forward.layout.bitmap(forward.placer.nodes, part * forward.words)
            found += sum(self.machine.nodes[node].cpus for node in numbers(nodes))
        return found

    def run(
        self, rules: Rules, until: int, looks_max: int, course: Course | None = None
    ) -> Forward:
        """Return a simulation that was run until an instant, or until it had looked enough."""
        forward = self.forward(rules, course)
        unlocked.run(forward, until, looks_max)
        return forward

    def follow(
        self,
        rules: PolicyRules,
        until: int,
        course: Course | None = None,
        looks_max: int = NEVER,
    ) -> Policies:
        """Return the same of a simulation where a policy decides."""
        policies = Policies(self.forward(NO_PASSES, course), rules)
        unlocked.follow(policies, until, looks_max)
        return policies

    def plan_rest(self, forward: Forward, until: int) -> None:
        """Plan those who wait still, and those who will come, as if each had a reservation.

        All is known beforehand: how long everybody runs, and who comes and leaves when.
        """
        unlocked.foresee(forward)
        unlocked.follow(Policies(forward, FORESEEN), until)

    @property
    def running_ids(self) -> Iterator[str]:
        """Yield the single ids of those who run already."""
        return (job.id for job in self._cast.running)

    def user(self, name: str) -> int:
        """Return the number of a user; -1: nobody of that name waits."""
        return self._cast.user(name)

    def started(self, forward: Forward) -> Mapping[str, Placement]:
        """Return who has started where, by entrant id, in the order of starting.

        Of somebody who was sent back it is the first start.
        """
        queue = forward.queue
        jobs = dict.fromkeys(queue.log[i] for i in range(queue.logged))
        return {
            self._cast.roles[job].entrant.id: self._first_start(forward, job)
            for job in jobs
            if not self._cast.roles[job].asleep
        }

    def departures(self, forward: Forward) -> Mapping[str, Departure]:
        """Return who had to make room for whom, and when it was gone, by single id."""
        roster = forward.roster
        if roster is None:
            return {}
        roles = self._cast.roles
        names = [*(role.entrant.id for role in roles), *(one.id for one in self._cast.running)]
        return {
            name: Departure(
                at=roster.gone_at[person], for_id=roles[roster.for_whom[person]].entrant.id
            )
            for person, name in reversed(list(enumerate(names)))
            if roster.gone_at[person] >= 0
        }

    def _first_start(self, forward: Forward, job: int) -> Placement:
        queue, past = forward.queue, forward.past
        if len(past.at) and past.at[job] >= 0:
            return self._placement(forward, job, past.record[job], past.at[job], past)
        record, at = queue.started_record[job], queue.started_at[job]
        return self._placement(forward, job, record, at, forward.placer)

    def announced(self, forward: Forward) -> Mapping[str, Placement]:
        """Return where those wait to start whom the pass that looked ahead told, by id.

        That is an entrant's, or a component's where each is told for itself.
        """
        announced, queue = forward.ahead.announced.earliest, forward.queue
        found: dict[str, Placement] = {}
        told = ((announced[record], record) for record in range(queue.records))
        for start_at, record in sorted(one for one in told if one[0] >= 0):
            job = queue.record_job[record]
            role = self._cast.roles[job]
            if queue.state[job] >= codes.RUNS or role.asleep:
                continue
            placement = self._placement(forward, job, record, start_at, forward.placer)
            component = queue.component[record]
            id_ = role.entrant.id if component < 0 else role.entrant.job_ids[component]
            found.setdefault(id_, placement)
        return found

    def waiting(self, forward: Forward) -> Sequence[Entrant]:
        """Return who waits still, in queue order."""
        queue = forward.queue
        jobs = dict.fromkeys(queue.record_job[queue.order[i]] for i in range(queue.length))
        return [self._cast.roles[job].entrant for job in jobs if queue.state[job] < codes.RUNS]

    def _placement(
        self, forward: Forward, job: int, record: int, start_at: int, where: Placer | Past
    ) -> Placement:
        queue = forward.queue
        parts = range(queue.part_start[record], queue.part_start[record + 1])
        placed = [
            self._placed(
                self._cast.options[where.way[part]],
                forward.layout.bitmap(where.nodes, part * forward.words),
                start_at + where.boots_s[part],
                self._lasts_s(queue, job, where.way[part], where.length_s[part]),
                where,
                part,
            )
            for part in parts
        ]
        ask = self._cast.roles[job].entrant.ask
        begins_at = max(one.holding.start_at for one in placed)
        return Placement(ask=ask, start_at=begins_at, placed=tuple(placed))

    def _lasts_s(self, queue: Queue, job: int, way: int, planned_s: int) -> int:
        """Return how long a part runs: as told, but not beyond a limit that was cut."""
        run_s = queue.run_s[job]
        if run_s < 0 or planned_s < min(run_s, queue.length_s[way]):
            return planned_s
        return run_s

    def _placed(
        self,
        option: Option,
        nodes: int,
        start_at: int,
        length_s: int,
        where: Placer | Past,
        part: int,
    ) -> Placed:
        holding = Holding(
            start_at=start_at,
            end_at=start_at + length_s,
            nodes=nodes,
            shape=option.need.shape,
            user=option.need.user,
            beside_own=option.need.beside_own,
            licenses=option.need.licenses,
        )
        given = _given(option.need, holding, where, part)
        return Placed(part=option.part, need=option.need, holding=holding, given=given)

    def _describe(self, part: Part, need: Need) -> tuple[int, tuple[float, ...]]:
        spec = self._jobs[part.job_id].spec
        self._asked.append((spec, need))
        if self._tariff is None:
            return len(self._asked) - 1, ()
        alike = need.partition, need.taken, need.qos, spec.request.licenses
        if alike not in self._rates:
            self._rates[alike] = tuple(
                self._tariff.run(
                    replace(spec, qos=need.qos),
                    need.partition,
                    shares(self.machine, need.taken, 1 << first),
                    0,
                ).rate
                for first in self._first_of_class
            )
        rates = self._rates[alike]
        if need.spread is not None and not need.spread.whole:
            # Per CPU, as if all nodes gave about the same.
            given = self.machine.shape(need.shape).cpus
            rates = tuple(rate / given for rate in rates)
        return len(self._asked) - 1, rates


def _given(
    need: Need, holding: Holding, where: Placer | Past, part: int
) -> tuple[tuple[int, int], ...]:
    """Return how many CPUs which nodes give, as bitmaps, where they may give different numbers.

    Of a start before the last one only the nodes are remembered.
    """
    if need.spread is None or need.spread.whole or isinstance(where, Past):
        return ()
    found: dict[int, int] = {}
    for node in numbers(holding.nodes):
        cpus = where.cpus_of(part, node)
        found[cpus] = found.get(cpus, 0) | 1 << node
    return tuple(sorted(found.items()))
