"""When a job would start that nobody has submitted, or one that waits if it asked for less."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from predictor.beliefs import Beliefs
from predictor.clock import Clock
from predictor.domain import Abstention, Forecast, PendingJob, Snapshot, Unpredictable
from predictor.experience import Experience
from predictor.opening import opening, unforeseeable
from predictor.outlooks import LEAST_SHARE, coming, like
from predictor.sampling import starts_of
from predictor.simulation.courses import Course
from predictor.simulation.dependencies import Roll, single_ids
from predictor.simulation.summary import without_room
from predictor.site import Site, overlay
from predictor.suppositions import MOST, Supposed, Supposition
from predictor.windows.raw import Corrected, Raw


def suppose(
    suppositions: Sequence[Supposition],
    made: Forecast,
    snapshot: Snapshot,
    site: Site,
    experience: Experience,
    *,
    clock: Clock,
    budget_s: float,
    draws: int | None = None,
) -> Mapping[str, Supposed]:
    """Return by id what would become of each job if it alone waited too, from the snapshot on.

    `made` is the forecast of the snapshot. All are tried against the same luck, so that their
    differences are their own. `draws`: None for as many as the site's windows rest on; fewer are
    made if the time does not suffice. With the same number of draws, equal arguments give equal
    answers. Raises ValueError for more than `MOST` suppositions, and for an id that is taken.
    """
    _refuse_strange(suppositions, snapshot)
    seen = overlay(site, snapshot)
    refused = _refusals(suppositions, seen, site)
    tried = [one for one in suppositions if one.job.spec.id not in refused]
    newcomers = coming(made, seen, site, experience)
    courses = _courses(tried, Beliefs(seen, site, experience), newcomers, seen, site)
    sampled = starts_of(
        snapshot,
        site,
        # A site may do without windows, but whoever asks is answered.
        islice(courses, len(tried) * (max(1, site.forecast.draws) if draws is None else draws)),
        [(one.job, *come) for one in tried for come in newcomers],
        awaited={one.job.spec.id for one in tried},
        clock=clock,
        budget_s=budget_s,
    )
    found = {
        one.job.spec.id: _supposed(
            one.job, sampled.starts[one.job.spec.id][at :: len(tried)], seen, site, experience
        )
        for at, one in enumerate(tried)
        if sampled.draws > at
    }
    nothing = {one.job.spec.id: Supposed() for one in suppositions}
    return nothing | {id_: Supposed(refusal=why) for id_, why in refused.items()} | found


def _refuse_strange(suppositions: Sequence[Supposition], snapshot: Snapshot) -> None:
    if len(suppositions) > MOST:
        raise ValueError(f"at most {MOST} suppositions at once, not {len(suppositions)}")
    specs = [job.spec for job in snapshot.pending] + [job.spec for job in snapshot.running]
    taken = Roll.of(specs)
    supposed: set[str] = set()
    for one in suppositions:
        ids = {one.job.spec.id, *single_ids(one.job.spec)}
        if not supposed.isdisjoint(ids) or any(id_ in taken for id_ in ids):
            raise ValueError(f"the id {one.job.spec.id} is taken")
        supposed |= ids


def _refusals(
    suppositions: Sequence[Supposition], seen: Snapshot, site: Site
) -> Mapping[str, Abstention]:
    """Return why some could never start, or nothing can be told of them, by id."""
    if why := unforeseeable(seen):
        return {
            one.job.spec.id: _abstention(one.job, Unpredictable.UNSUPPORTED, why)
            for one in suppositions
        }
    jobs = {one.job.spec.id: one.job for one in suppositions}
    opened = opening(replace(seen, pending=(*seen.pending, *jobs.values())), site)
    refusals = {**opened.refusals, **without_room(opened.points, opened.machine, seen)}
    return {
        id_: _abstention(job, refusals[id_].cause, refusals[id_].detail)
        for id_, job in jobs.items()
        if id_ in refusals
    }


def _abstention(job: PendingJob, cause: Unpredictable, why: str) -> Abstention:
    return Abstention(job_id=job.spec.id, cause=cause, detail=why)


def _courses(
    tried: Sequence[Supposition],
    beliefs: Beliefs,
    newcomers: Sequence[Sequence[PendingJob]],
    seen: Snapshot,
    site: Site,
) -> Iterator[Course]:
    """Yield each course once for every supposition, then the next course."""
    most = site.forecast.array_tasks_max
    members = {job.spec.id: single_ids(job.spec, most) for job in seen.pending}
    for course in beliefs.courses(newcomers):
        for at, one in enumerate(tried):
            gone = dict.fromkeys(members.get(one.instead_of, ()), seen.taken_at)
            yield replace(
                course,
                leaves_at={**course.leaves_at, **gone},
                scenario=at * len(newcomers) + course.scenario,
            )


def _supposed(
    job: PendingJob,
    starts: Sequence[int | None],
    seen: Snapshot,
    site: Site,
    experience: Experience,
) -> Supposed:
    now, told = seen.taken_at, [at for at in starts if at is not None]
    if not told or len(told) < LEAST_SHARE * len(starts):
        why = "it would start beyond the horizon of the forecast"
        return Supposed(refusal=_abstention(job, Unpredictable.HORIZON, why))
    waited_s = max(0, now - job.spec.waits_since)
    raw = Raw.of((at - now for at in told), horizon_s=site.forecast.horizon_s, waited_s=waited_s)
    if not site.forecast.corrected:
        return Supposed(
            outlook=Corrected(quantiles_s=tuple(map(round, raw.quantiles_s))).outlook(now)
        )
    classes = like(job.spec.first_partition)
    corrected = experience.calibration.corrected(raw, classes)
    return Supposed(
        outlook=corrected.outlook(now, "", experience.calibration.lately(corrected, classes))
    )
