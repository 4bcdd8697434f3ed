"""A cluster's own scheduler, replayed: two passes, its limits, its priorities as they move."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from predictor.domain import (
    Cause,
    Obstacle,
    PassSettings,
    PendingJob,
    RunState,
    Snapshot,
    Unpredictable,
)
from predictor.engine.calendar_tables import Cleared
from predictor.engine.codes import CLEARS_S
from predictor.engine.rule_tables import Rules
from predictor.limits.widest import Widest
from predictor.priority.census import take_census
from predictor.priority.order import queue_order
from predictor.scheduling.machine import Machine
from predictor.scheduling.rules import Refusal
from predictor.scheduling.rules import Rules as AdmissionRules
from predictor.simulation.cast import Place, Role
from predictor.simulation.causes import StartingPoints
from predictor.simulation.courses import Course
from predictor.simulation.entrants import OBSTACLES, Entrant
from predictor.simulation.limit_watch import LimitWatch
from predictor.simulation.passes import Rhythm, rules
from predictor.simulation.places import Places, apart, as_seen, places
from predictor.simulation.play import MOST_LOOKS, Play
from predictor.simulation.preempting import asleep, sleepers
from predictor.simulation.ranking_lowering import lower_ranking
from predictor.simulation.scene import Scene
from predictor.simulation.staging import Run, Setting

MOST_RESTARTS = 4
"""So many runs of each running job that may be sent back are charged to its account."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoPasses:
    """The batch system's own scheduler about to decide."""

    play: Play
    rules: Rules
    until: int
    """Nobody is started then or later."""

    @classmethod
    def of(cls, setting: Setting, *, own_order: bool) -> Self:
        """Lay it out. `own_order`: priorities move as the batch system's do; else as they are."""
        snapshot = setting.snapshot
        rhythm = Rhythm.of(snapshot.settings, snapshot.health, snapshot.taken_at)
        return cls(
            play=_play(setting, own_order),
            rules=rules(snapshot.settings.passes or PassSettings(), rhythm),
            until=setting.until,
        )

    def rehearsed(self) -> Self:
        """Return the same with sizes as of the places that the last pass found, if they count."""
        return replace(self, play=self.play.rehearsed(self.rules))

    def run(self, course: Course | None = None) -> Run:
        """Start everybody as the batch system would, up to `MOST_LOOKS`."""
        forward = self.play.run(self.rules, self.until, MOST_LOOKS, course)
        if forward.ahead.looks > MOST_LOOKS:
            self.play.plan_rest(forward, self.until)
        return Run(forward=forward)


def _play(setting: Setting, own_order: bool) -> Play:
    """Return everything that a simulation of the batch system's own scheduler needs."""
    snapshot, machine = setting.snapshot, setting.machine
    back = sleepers(snapshot)
    most = sum(len(entrant.ask.parts) for entrant in setting.entrants)
    most += MOST_RESTARTS * len(back)
    come = setting.arrivals
    ranking = lower_ranking(snapshot, come, setting.until, most, back) if own_order else None
    everybody = replace(snapshot, pending=(*snapshot.pending, *come, *back))
    slots = ranking.slots if ranking else {}
    standing = places(queue_order(everybody), take_census(everybody), slots)
    roles = [
        *(
            replace(role, component_places=_apart(role.entrant, standing, own_order))
            for role in setting.roles(lambda entrant: _ranked(entrant, standing, own_order))
        ),
        *_asleep(back, setting, standing, own_order),
    ]
    scene = Scene(snapshot, machine, setting.calendar, clearings=_clearings(snapshot, machine))
    jobs = {job.spec.id: job for job in everybody.pending}
    return Play(snapshot, machine, scene, roles, setting.running, ranking, jobs, apart=True)


def _clearings(snapshot: Snapshot, machine: Machine) -> tuple[Cleared, ...]:
    """Return what is still being cleared of jobs that have ended: for how long nobody tells."""
    over = (job for job in snapshot.running if job.state is RunState.COMPLETING)
    nodes = machine.bitmap({share.node for job in over for share in job.allocation})
    now = snapshot.taken_at
    return (Cleared(now, now + CLEARS_S, nodes),) if nodes else ()


def _asleep(
    jobs: Sequence[PendingJob], setting: Setting, standing: Places, own_order: bool
) -> list[Role]:
    """Return the roles in which running jobs wait once they are sent back."""
    if not jobs:
        return []
    behind = max((entrant.rank for entrant in setting.entrants), default=0)
    specs = {job.spec.id: job.spec for job in jobs}
    known = AdmissionRules.of(setting.snapshot, setting.machine, Widest(setting.snapshot))
    return [
        Role(
            entrant=entrant,
            spec=specs[entrant.job_ids[0]],
            places=_ranked(entrant, standing, own_order),
            asleep=True,
            awaited=False,
        )
        for entrant in asleep(jobs, setting.snapshot, known, behind)
    ]


def _ranked(entrant: Entrant, standing: Places, own_order: bool) -> Mapping[str, Place]:
    """Return the entrant's places: as the batch system has them, or all at its own rank."""
    names = [need.partition for part in entrant.ask.parts for need in part.ways]
    if own_order:
        return as_seen(standing[entrant.job_ids[0]], names)
    return {name: Place(order=entrant.rank, band=0, slot=-1) for name in names}


def _apart(entrant: Entrant, standing: Places, own_order: bool) -> tuple[Mapping[str, Place], ...]:
    """Return the places of each component, where it has several."""
    if own_order or len(entrant.ask.parts) == 1:
        return apart(standing, entrant)
    return (_ranked(entrant, standing, own_order),) * len(entrant.ask.parts)


def simulated(snapshot: Snapshot) -> frozenset[Obstacle]:
    """Return the obstacles that this replica itself puts up and removes.

    What is used up is among them where anything tells it, and what one job may have where limits
    are enforced.
    """
    usages = [one.usage for one in snapshot.qos] + [one.usage for one in snapshot.associations]
    found = {Obstacle.LIMIT}
    if any(usage is not None for usage in usages):
        found.add(Obstacle.USAGE)
    if snapshot.settings.limits_enforced:
        found.add(Obstacle.OWN_LIMIT)
    return frozenset(found)


_BEHIND_LIMITS = (Cause.PRIORITY, Cause.RESOURCES, Cause.RESERVATION)
"""Slurm names a limit before these, also where it looks for nodes before (GrpTRES and its like).

Source: Slurm 22.05, as measured: a job for which nodes were lacking, too, was AssocGrpCpuLimit.
"""


def with_limits(
    points: StartingPoints, snapshot: Snapshot, machine: Machine, until: int
) -> tuple[StartingPoints, Mapping[str, Refusal]]:
    """Return the starting points as limits leave them, and whom they keep out until then.

    LIMIT is the cause where a limit holds a job back now. Those kept out are still looked at by the
    scheduler, but for whom the limit that it names is not told.
    """
    if not snapshot.settings.limits_enforced:
        return points, {}
    now = snapshot.taken_at
    watch = LimitWatch(snapshot, machine, (entrant.ask for entrant in points.possible))
    # Its own reservation is waited for before.
    limited = {
        e.id: Cause.LIMIT
        for e in points.possible
        if points.causes[e.id] in _BEHIND_LIMITS and e.opens_at <= now and watch.blocked(e.ask, now)
    }
    watch.let_nothing_run()
    never = {e.id: one.limit for e in points.possible if (one := watch.blocked(e.ask, until))}
    causes = {**points.causes, **limited}
    details = {**never, **_over_their_own(points, snapshot, never)}
    refusals = {
        job_id: Refusal(cause=Unpredictable.LIMIT, detail=details[e.id])
        for e in points.possible
        if e.id in details
        for job_id in e.job_ids
    }
    possible = tuple(e for e in points.possible if e.id not in details)
    barred = tuple(e for e in points.possible if e.id in never)
    return replace(points, possible=possible, barred=barred, causes=causes), refusals


def _over_their_own(
    points: StartingPoints, snapshot: Snapshot, explained: Container[str]
) -> Mapping[str, str]:
    """Return by id what is said of those whom the batch system says to be over a limit of one job.

    Left out are those of whom it is `explained`.
    """
    said = {job.spec.id for job in snapshot.pending if job.obstacle is Obstacle.OWN_LIMIT}
    return {
        entrant.id: OBSTACLES[Obstacle.OWN_LIMIT].detail
        for entrant in points.possible
        if entrant.id not in explained and not said.isdisjoint(entrant.job_ids)
    }
