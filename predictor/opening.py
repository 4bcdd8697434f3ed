"""How everybody stands before anything happens, and the scheduler that is about to decide."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from predictor.domain import Fact, JobSpec, PendingJob, Snapshot, Unpredictable
from predictor.domain.durations import DAY_S
from predictor.domain.instants import LAST_INSTANT
from predictor.limits.widest import Widest
from predictor.priority.order import QueueEntry, queue_order
from predictor.scheduling.closures import Closure, closures, reboots
from predictor.scheduling.machine import Machine
from predictor.scheduling.machines import machine_of
from predictor.scheduling.rules import Refusal, Rules
from predictor.simulation.causes import StartingPoints, starting_points
from predictor.simulation.dependencies import Roll, single_ids
from predictor.simulation.entrants import Entrant, Queued, entry, ranked
from predictor.simulation.occupied import Running, running_jobs
from predictor.simulation.policies import UnderPolicy
from predictor.simulation.preempting import without_pushers
from predictor.simulation.replica import TwoPasses, simulated, with_limits
from predictor.simulation.staging import Setting, Stage
from predictor.site import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """How everybody stands before anything happens."""

    machine: Machine
    rules: Rules
    running: tuple[Running, ...]
    closed: tuple[Closure, ...]
    """When which nodes are set apart."""
    points: StartingPoints
    refusals: Mapping[str, Refusal]
    """Waiting records that can never start, or of which nothing can be told, by id."""


def unforeseeable(seen: Snapshot) -> str:
    """Return why nothing can be told of any job, as a clause for a person; empty: something can."""
    if any(hidden.fact is Fact.JOBS for hidden in seen.provenance.hidden):
        return "other users' jobs are hidden from the account that looks"
    if not 0 <= seen.taken_at <= LAST_INSTANT:
        return "the snapshot's date is none"
    if abs(seen.utc_offset_s) > DAY_S:
        return "the site's offset from UTC is none"
    return ""


def opening(seen: Snapshot, site: Site) -> Opening:
    """Return how everybody stands. `seen` is a snapshot that the site's own words overlay."""
    machine = machine_of(seen, seen.nodes)
    rules = Rules.of(seen, machine, Widest(seen))
    now, horizon_s = seen.taken_at, site.forecast.horizon_s
    scene = Opening(
        machine=machine,
        rules=rules,
        running=running_jobs(seen, rules),
        closed=(
            *closures(seen.reservations, machine, now, horizon_s, seen.utc_offset_s),
            *reboots(machine, now),
        ),
        points=StartingPoints(possible=(), impossible=(), causes={}),
        refusals={},
    )
    queue, unranked = _queue(queue_order(seen, site.priority(), as_submitted=site.as_submitted))
    points, refusals = _admitted(queue, seen, site, scene)
    return replace(scene, points=points, refusals={**unranked, **refusals})


def staged(
    seen: Snapshot,
    site: Site,
    scene: Opening,
    scenarios: Sequence[Sequence[PendingJob]] = (),
    awaited: Collection[str] | None = None,
) -> Stage:
    """Return the site's scheduler about to decide. `scene` is the opening of what is `seen`.

    Who comes in a scenario does when it is submitted, with the priority that it then has; those
    whose ids are taken do not, nor do those that could never start. `awaited`: None for those who
    wait at the snapshot.
    """
    policy = site.policy_for(seen.settings)
    setting = Setting(
        snapshot=seen,
        machine=scene.machine,
        entrants=_queued(scene.points),
        barred=_ids(scene.points.barred),
        running=scene.running,
        closed=scene.closed,
        until=seen.taken_at + site.forecast.horizon_s,
        scenarios=_new(seen, scenarios),
        awaited=awaited,
    )
    if setting.arrivals:
        setting = _with_newcomers(setting, seen, site, scene)
    if policy.two_passes:
        return TwoPasses.of(setting, own_order=site.priority() is None)
    return UnderPolicy.of(setting, policy)


def _new(
    seen: Snapshot, scenarios: Iterable[Sequence[PendingJob]]
) -> tuple[tuple[PendingJob, ...], ...]:
    """Return the scenarios without those who go by an id of somebody in the snapshot."""
    specs = [job.spec for job in seen.running] + [job.spec for job in seen.pending]
    taken = Roll.of(specs)
    return tuple(
        tuple(job for job in come if not any(id_ in taken for id_ in _own_ids(job.spec)))
        for come in scenarios
    )


def _own_ids(spec: JobSpec) -> Iterator[str]:
    yield spec.id
    yield from single_ids(spec)


def _with_newcomers(setting: Setting, seen: Snapshot, site: Site, scene: Opening) -> Setting:
    """Return the setting with those who come among the entrants, at their places in the queue."""
    arrivals = setting.arrivals
    everybody = replace(seen, pending=(*seen.pending, *arrivals))
    order = queue_order(everybody, site.priority(), as_submitted=site.as_submitted)
    coming = {job.spec.id for job in arrivals}
    queue, _ = _queue(one for one in order if one.job.spec.id in coming)
    points, _ = _admitted(queue, everybody, site, scene)
    places: dict[str, int] = {}
    for place, one in enumerate(order):
        places.setdefault(one.job.spec.id, place)
    entrants = ranked(
        sorted(
            (*setting.entrants, *_queued(points)),
            key=lambda e: (min(places[id_] for id_ in e.job_ids), e.rank),
        )
    )
    barred = _ids(scene.points.barred) | _ids(points.barred)
    return replace(setting, entrants=entrants, barred=barred)


def _queued(points: StartingPoints) -> tuple[Entrant, ...]:
    """Return all at whom the scheduler looks, in queue order."""
    if not points.barred:
        return points.possible
    return tuple(sorted((*points.possible, *points.barred), key=lambda entrant: entrant.rank))


def _ids(entrants: Iterable[Entrant]) -> frozenset[str]:
    return frozenset(entrant.id for entrant in entrants)


def _admitted(
    queue: Sequence[Queued], seen: Snapshot, site: Site, scene: Opening
) -> tuple[StartingPoints, Mapping[str, Refusal]]:
    """Return how those of a queue stand who enter, and why others do not, by id."""
    two_passes = site.policy_for(seen.settings).two_passes
    obstacles = simulated(seen) if two_passes else frozenset()
    tasks_max = site.forecast.array_tasks_max
    entered = entry(queue, seen, scene.rules, tasks_max, obstacles, looks_at_all=two_passes)
    points = starting_points(seen, scene.machine, entered.entrants, scene.running, scene.closed)
    if not two_passes:
        return points, entered.refusals
    points, pushing = without_pushers(points, seen)
    until = seen.taken_at + site.forecast.horizon_s
    points, limited = with_limits(points, seen, scene.machine, until)
    points = replace(points, barred=(*points.barred, *entered.out_of_order))
    return points, {**entered.refusals, **pushing, **limited}


def _queue(entries: Iterable[QueueEntry]) -> tuple[list[Queued], dict[str, Refusal]]:
    """Return the jobs at their best places, and those that the site's formula cannot rank."""
    partitions: dict[str, list[str]] = {}
    jobs = {}
    errors: dict[str, Refusal] = {}
    for entry_ in entries:
        id_ = entry_.job.spec.id
        if entry_.error:
            errors[id_] = Refusal(
                cause=Unpredictable.UNSUPPORTED,
                detail=f"the site's formula gives it no priority: {entry_.error}",
            )
            continue
        jobs[id_] = entry_.job
        partitions.setdefault(id_, []).append(entry_.partition)
    queue = [
        Queued(job=job, partitions=tuple(name for name in partitions[id_] if name))
        for id_, job in jobs.items()
    ]
    return queue, {id_: refusal for id_, refusal in errors.items() if id_ not in jobs}
