"""The whole path of a prediction on one page: a snapshot comes in, a forecast goes out."""

from collections.abc import Mapping
from dataclasses import replace

from predictor.domain import Explanation, Forecast, Snapshot, Unpredictable
from predictor.explain.explaining import explain
from predictor.opening import opening, staged, unforeseeable
from predictor.scheduling.rules import Refusal
from predictor.simulation.causes import with_turns
from predictor.simulation.courses import Course, in_course
from predictor.simulation.staging import future
from predictor.simulation.summary import abstentions, summarise
from predictor.site import Site, overlay


def forecast(
    snapshot: Snapshot, site: Site, course: Course | None = None, *, explained: bool = False
) -> Forecast:
    """Predict when each waiting job of `snapshot` starts. Equal arguments, equal forecast.

    That is how things go in the one `course`; without it all jobs run into their limits. Limits
    decide in any course what the batch system plans. Every waiting job is in the result once: with
    a start, or with the reason why none can be told. `explained`: each prediction also tells why
    the job does not start earlier; nothing else changes.
    """
    seen = overlay(site, snapshot)
    if why := unforeseeable(seen):
        return _all_refused(seen, site, why)
    policy, scene = site.policy_for(seen.settings), opening(seen, site)
    found = future(staged(seen, site, scene).rehearsed(), course)
    points = with_turns(scene.points, found.left_out)
    until = seen.taken_at + site.forecast.horizon_s
    made = summarise(seen, policy.name, scene.machine, points, found, scene.refusals, until)
    if not explained:
        return made
    running = in_course(scene.running, course, seen.taken_at) if course else scene.running
    told = explain(seen, scene.machine, points, running, found, limits=policy.two_passes)
    return _with_explanations(made, told)


def _with_explanations(made: Forecast, told: Mapping[str, Explanation]) -> Forecast:
    explained = (replace(p, explanation=told[p.job_id]) for p in made.predictions)
    return replace(made, predictions=tuple(explained))


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
