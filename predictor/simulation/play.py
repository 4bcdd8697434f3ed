"""A batch system's own scheduler, played on the engine: passes, limits, priorities as they move."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from predictor.domain import (
    JobSpec,
    PassSettings,
    PendingJob,
    SchedulerHealth,
    SchedulerSettings,
    Snapshot,
)
from predictor.engine import codes, unlocked
from predictor.engine.forward import Forward
from predictor.engine.layout import Layout
from predictor.engine.limit_layout import LimitLayout
from predictor.engine.limits import Limits
from predictor.engine.past import Past
from predictor.engine.placer import Placer
from predictor.engine.ranking import Ranking
from predictor.engine.tables import QueueTables, Rules
from predictor.priority.tariff import Tariff
from predictor.scheduling.allocation import shares
from predictor.scheduling.machine import Machine
from predictor.scheduling.planner import Part, Placed, Placement
from predictor.scheduling.timeline import Holding, Need
from predictor.simulation.cast import FAR, Cast, Option, Role, holders
from predictor.simulation.entrants import Entrant
from predictor.simulation.forward import Departure
from predictor.simulation.limit_lowering import LoweredLimits, lowered
from predictor.simulation.occupied import Running
from predictor.simulation.pace import lasts_s, reach
from predictor.simulation.preempting import lower_preemption
from predictor.simulation.ranking_lowering import LoweredRanking
from predictor.simulation.scene import Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class Rhythm:
    """When the pass that looks ahead is made: a pause after the end of the one before."""

    period_s: int
    """From the beginning of one to that of the next."""
    first_at: int
    """Never, if the batch system does not look ahead."""
    reach: int = 0
    """So many jobs it looks at before its time is over; 0: as many as it may."""

    @classmethod
    def of(cls, settings: SchedulerSettings, health: SchedulerHealth | None, now: int) -> "Rhythm":
        """Return the rhythm from `now` on, by the scheduler's own statistics."""
        passes = settings.passes or PassSettings()
        if not settings.backfill:
            return cls(period_s=passes.main_interval_s, first_at=FAR)
        mean_us = (health.backfill_cycle_mean_us if health else None) or 0
        period_s = max(1, passes.interval_s + round(lasts_s(mean_us, passes)))
        last_at = health.backfill_last_at if health else None
        first_at = now if last_at is None else max(now, min(last_at, now) + period_s)
        return cls(period_s=period_s, first_at=first_at, reach=reach(passes, health))


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
    ) -> None:
        """Lay it out. `jobs` are all waiting records, by id."""
        self._snapshot = snapshot
        self._machine = machine
        self._asked: list[tuple[JobSpec, Need]] = []
        self._jobs = jobs
        self._tariff = Tariff.of(snapshot) if ranking else None
        self._first_of_class = scene.class_nodes
        self._cast = Cast(roles, running, ranking.runs if ranking else {}, scene, self._describe)
        self.tables: QueueTables = self._cast.tables()
        self.layout: Layout = scene.layout(holding for job in running for holding in job.held)
        self.ranking = ranking
        self.limits: LoweredLimits | None = None
        if snapshot.settings.limits_enforced:
            people = holders(roles, running)
            self.limits = lowered(snapshot, machine, self._asked, people)
        self.preemption = lower_preemption(snapshot, self._cast)
        self._limit_layout = LimitLayout(self.limits.tables) if self.limits else None

    def forward(self, rules: Rules) -> Forward:
        """Return a simulation that begins at the snapshot."""
        return Forward(
            self.layout,
            self.tables,
            rules,
            Limits(self._limit_layout) if self._limit_layout else None,
            Ranking(self.ranking.tables) if self.ranking else None,
            self._snapshot.taken_at,
            self.preemption,
        )

    def run(self, rules: Rules, until: int, looks_max: int) -> Forward:
        """Return a simulation that was run until an instant, or until it had looked enough."""
        forward = self.forward(rules)
        unlocked.run(forward, until, looks_max)
        return forward

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
        """Return where those wait to start whom the pass that looked ahead told, by entrant id."""
        ahead, queue = forward.ahead, forward.queue
        return {
            role.entrant.id: self._placement(
                forward, job, ahead.announced_in[job], ahead.announced[job], forward.placer
            )
            for job, role in enumerate(self._cast.roles)
            if ahead.announced[job] >= 0 and queue.state[job] < codes.RUNS and not role.asleep
        }

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
                where.length_s[part],
            )
            for part in parts
        ]
        ask = self._cast.roles[job].entrant.ask
        begins_at = max(one.holding.start_at for one in placed)
        return Placement(ask=ask, start_at=begins_at, placed=tuple(placed))

    def _placed(self, option: Option, nodes: int, start_at: int, length_s: int) -> Placed:
        holding = Holding(
            start_at=start_at,
            end_at=start_at + length_s,
            nodes=nodes,
            shape=option.need.shape,
            user=option.need.user,
            beside_own=option.need.beside_own,
            licenses=option.need.licenses,
        )
        return Placed(part=option.part, need=option.need, holding=holding)

    def _describe(self, part: Part, need: Need) -> tuple[int, tuple[float, ...]]:
        spec = self._jobs[part.job_id].spec
        self._asked.append((spec, need))
        if self._tariff is None:
            return len(self._asked) - 1, ()
        rates = tuple(
            self._tariff.run(
                spec, need.partition, shares(self._machine, need.taken, 1 << first), 0
            ).rate
            for first in self._first_of_class
        )
        return len(self._asked) - 1, rates


def rules(settings: PassSettings, rhythm: Rhythm) -> Rules:
    """Return how the engine is to decide."""
    return Rules(
        main_depth=settings.main_depth,
        main_period_s=settings.main_interval_s,
        arrival_delay_s=settings.arrival_delay_s,
        period_s=rhythm.period_s,
        first_at=rhythm.first_at,
        window_s=settings.window_s,
        step_s=1 if settings.exact else settings.step_s,
        rounds_up=settings.rounds_up,
        jobs_max=min(filter(None, (settings.jobs_max, rhythm.reach)), default=0),
        jobs_max_per_user=settings.jobs_max_per_user,
        jobs_max_per_partition=settings.jobs_max_per_partition,
        jobs_max_per_user_and_partition=settings.jobs_max_per_user_and_partition,
        array_tasks_max=settings.array_tasks_max,
        starts_max=settings.starts_max,
        protected_per_partition=settings.protected_per_partition,
        min_age_s=settings.protected_age_s,
        exact_slots=settings.exact,
        group_s=settings.group_s,
        group_grows=settings.group_grows,
        one_slot_per_job=settings.one_per_job,
        licenses_planned=settings.licenses_planned,
        owners_leave=settings.owners_leave,
        limits_stop=settings.limits_stop,
        stretches=settings.stretches,
    )
