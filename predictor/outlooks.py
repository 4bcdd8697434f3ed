"""What users are told: the likely start of each waiting job, and how sure that is."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from predictor.arrivals.submission import key_of
from predictor.beliefs import Beliefs
from predictor.clock import Clock
from predictor.domain import Cause, Forecast, Outlook, PendingJob, Prediction, Snapshot
from predictor.domain.durations import HOUR_S
from predictor.experience import Experience, Saying
from predictor.forecast import forecast
from predictor.sampling import Sampled, starts_of
from predictor.site import Site, overlay
from predictor.windows.raw import Corrected, Raw

KEPT_BACK = frozenset(
    {
        Cause.RESERVATION,
        Cause.DEPENDENCY,
        Cause.BEGIN_TIME,
        Cause.ARRAY_LIMIT,
        Cause.LICENSES,
        Cause.LIMIT,
    }
)
"""The causes for which a job waits for something else than its turn."""
BY_LIMIT = "limit"
"""The model of run times that believes limits."""
COMING_S = (HOUR_S, 24 * HOUR_S)
"""At least, and at most, so far ahead newcomers are thought of."""
LEAST_SHARE = 0.5
"""In so many of the draws a job must start for its window to mean something."""
ALONE: tuple[tuple[PendingJob, ...], ...] = ((),)
"""The scenario in which nobody comes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A forecast with windows, and what was said in it, to be judged later."""

    forecast: Forecast
    sayings: tuple[Saying, ...]
    draws: int
    """How many courses the windows rest on."""


def likely(
    snapshot: Snapshot, site: Site, experience: Experience, *, explained: bool = False
) -> Forecast:
    """Return the single course in which all run in the middle of what is believed of them.

    Where nothing is to be believed but limits, the scheduler's own rules say what becomes of who
    is about to reach them, or has.
    """
    if site.forecast.run_times == BY_LIMIT:
        return forecast(snapshot, site, explained=explained)
    beliefs = Beliefs(overlay(site, snapshot), site, experience)
    return forecast(snapshot, site, beliefs.middle(), explained=explained)


def with_outlooks(
    made: Forecast,
    snapshot: Snapshot,
    site: Site,
    experience: Experience,
    *,
    clock: Clock,
    budget_s: float,
) -> Told:
    """Add windows to the forecast `made` of the snapshot: as many draws as there is time for.

    Who starts in fewer than `LEAST_SHARE` of them keeps the single start alone. With the same
    number of draws, equal arguments give equal windows.
    """
    seen = overlay(site, snapshot)
    beliefs = Beliefs(seen, site, experience)
    scenarios = coming(made, seen, site, experience)
    courses = islice(beliefs.courses(scenarios), site.forecast.draws)
    sampled = starts_of(snapshot, site, courses, scenarios, clock=clock, budget_s=budget_s)
    jobs = {job.spec.id: job for job in seen.pending}
    said = dict(_sayings(made, sampled, jobs, site, experience)) if sampled.draws else {}
    predictions = tuple(
        replace(one, outlook=_outlook(said[one.job_id], jobs[one.job_id], beliefs, experience))
        if one.job_id in said
        else one
        for one in made.predictions
    )
    return Told(
        forecast=replace(made, predictions=predictions),
        sayings=tuple(said.values()),
        draws=sampled.draws,
    )


def coming(
    made: Forecast, seen: Snapshot, site: Site, experience: Experience
) -> Sequence[tuple[PendingJob, ...]]:
    """Return who comes until nearly all have started who wait now; in every other one, nobody.

    That people go on as they did is the most doubtful belief of all: half of the courses do
    without it.
    """
    if not (site.forecast.arrivals and site.forecast.draws and made.predictions):
        return ALONE
    leads = sorted(one.start_at - seen.taken_at for one in made.predictions)
    least_s, most_s = COMING_S
    until = seen.taken_at + min(max(least_s, 2 * leads[len(leads) * 9 // 10]), most_s)
    return tuple(
        experience.arrivals.draw(number, seen.taken_at, until) if number % 2 else ()
        for number in range(min(site.forecast.scenarios, site.forecast.draws))
    )


def _sayings(
    made: Forecast,
    sampled: Sampled,
    jobs: Mapping[str, PendingJob],
    site: Site,
    experience: Experience,
) -> Iterator[tuple[str, Saying]]:
    """Yield by record what is said of those who start in enough draws.

    Where somebody never starts, it has left, or whom it waits for has: that says nothing of when.
    """
    now = made.snapshot_at
    for one in made.predictions:
        starts = [at for at in sampled.starts.get(one.job_id, ()) if at is not None]
        if len(starts) < LEAST_SHARE * sampled.draws:
            continue
        spec = jobs[one.job_id].spec
        raw = Raw.of(
            (at - now for at in starts),
            horizon_s=site.forecast.horizon_s,
            waited_s=now - spec.waits_since,
        )
        classes = classes_of(one)
        corrected = (
            experience.calibration.corrected(raw, classes, job_id=key_of(spec))
            if site.forecast.corrected
            else Corrected(quantiles_s=tuple(map(round, raw.quantiles_s)))
        )
        yield (
            one.job_id,
            Saying(
                key=key_of(spec),
                user=spec.user,
                seen_at=now,
                fingerprint=made.fingerprint,
                start_at=one.start_at,
                raw=raw,
                classes=classes,
                corrected=corrected,
            ),
        )


def classes_of(one: Prediction) -> tuple[str, ...]:
    """Return what starts like this one have in common, from special to general."""
    return like(one.partition, kept_back=one.cause in KEPT_BACK)


def like(partition: str, *, kept_back: bool = False) -> tuple[str, ...]:
    """Return what such starts have in common, from special to general."""
    kind = "kept back" if kept_back else "in the queue"
    return (f"jobs of {partition} {kind}", f"jobs of {partition}")


def _outlook(said: Saying, job: PendingJob, beliefs: Beliefs, experience: Experience) -> Outlook:
    lately = experience.calibration.lately(said.corrected, said.classes)
    return said.corrected.outlook(said.seen_at, beliefs.basis(job.spec), lately)
