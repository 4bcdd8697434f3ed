"""The whole path of a prediction on one page: a snapshot comes in, a forecast goes out."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from predictor.domain import Explanation, Fact, Forecast, Snapshot, Unpredictable
from predictor.explain.explaining import explain
from predictor.priority.order import QueueEntry, queue_order
from predictor.scheduling.admission import Refusal, Rules
from predictor.scheduling.closures import Closure, closures
from predictor.scheduling.machine import Machine
from predictor.simulation.causes import StartingPoints, starting_points, with_turns
from predictor.simulation.entrants import Queued, entry
from predictor.simulation.occupied import Running, running_jobs
from predictor.simulation.policies import simulate
from predictor.simulation.preempting import without_suspenders
from predictor.simulation.replica import SIMULATED, replay, with_limits
from predictor.simulation.summary import abstentions, summarise
from predictor.site import Site, overlay

LAST_INSTANT = 253_402_300_799
"""The end of the year 9999, the last that a date of four digits can tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """How everybody stands before anything happens."""

    machine: Machine
    running: tuple[Running, ...]
    closed: tuple[Closure, ...]
    """When which nodes are set apart."""
    points: StartingPoints
    refusals: Mapping[str, Refusal]
    """Waiting records that can never start, or of which nothing can be told, by id."""


def forecast(snapshot: Snapshot, site: Site, *, explained: bool = False) -> Forecast:
    """Predict when each waiting job of `snapshot` starts. Equal arguments, equal forecast.

    Jobs, running and waiting, are taken to run into their limits. Every waiting job is in the
    result once: with a start, or with the reason why none can be told. `explained`: each
    prediction also tells why the job does not start earlier; nothing else changes.
    """
    seen = overlay(site, snapshot)
    if why := unforeseeable(seen):
        return _all_refused(seen, site, why)
    policy, until = site.policy_for(seen.settings), seen.taken_at + site.forecast.horizon_s
    scene = opening(seen, site)
    machine, running, closed, points = scene.machine, scene.running, scene.closed, scene.points
    if policy.two_passes:
        own_order = site.priority() is None
        future = replay(seen, machine, points, running, closed, until, own_order=own_order)
    else:
        future = simulate(seen, machine, points.possible, running, closed, policy, until)
        points = with_turns(points, future.left_out)
    made = summarise(seen, policy.name, machine, points, future, scene.refusals)
    if not explained:
        return made
    told = explain(seen, machine, points, running, future, limits=policy.two_passes)
    return _with_explanations(made, told)


def unforeseeable(seen: Snapshot) -> str:
    """Return why nothing can be told of any job, as a clause for a person; empty: something can."""
    if any(hidden.fact is Fact.JOBS for hidden in seen.provenance.hidden):
        return "other users' jobs are hidden from the account that looks"
    if not 0 <= seen.taken_at <= LAST_INSTANT:
        return "the snapshot's date is none"
    return ""


def opening(seen: Snapshot, site: Site) -> Opening:
    """Return how everybody stands. `seen` is a snapshot that the site's own words overlay."""
    machine = Machine(seen.nodes)
    rules = Rules.of(seen, machine)
    running = running_jobs(seen, rules)
    now, horizon_s = seen.taken_at, site.forecast.horizon_s
    closed = closures(seen.reservations, machine, now, horizon_s, seen.utc_offset_s)
    queue, unranked = _queue(queue_order(seen, site.priority(), as_submitted=site.as_submitted))
    two_passes = site.policy_for(seen.settings).two_passes
    simulated = SIMULATED if two_passes else frozenset()
    entered = entry(queue, seen, rules, site.forecast.array_tasks_max, simulated)
    points = starting_points(seen, machine, entered.entrants, running, closed)
    limited: Mapping[str, Refusal] = {}
    if two_passes:
        points, limited = with_limits(points, seen, machine)
        points, suspending = without_suspenders(points, seen, rules)
        limited = {**limited, **suspending}
    return Opening(
        machine=machine,
        running=running,
        closed=closed,
        points=points,
        refusals={**unranked, **entered.refusals, **limited},
    )


def _with_explanations(made: Forecast, told: Mapping[str, Explanation]) -> Forecast:
    explained = (replace(p, explanation=told[p.job_id]) for p in made.predictions)
    return replace(made, predictions=tuple(explained))


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


def _all_refused(snapshot: Snapshot, site: Site, why: str) -> Forecast:
    refusal = Refusal(cause=Unpredictable.UNSUPPORTED, detail=why)
    return Forecast(
        cluster=snapshot.cluster,
        snapshot_at=snapshot.taken_at,
        policy=site.policy_for(snapshot.settings).name,
        fingerprint=snapshot.fingerprint,
        predictions=(),
        abstentions=abstentions(snapshot, {job.spec.id: refusal for job in snapshot.pending}),
    )
