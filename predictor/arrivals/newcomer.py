"""A remembered submission as a job that may come once more, later."""

from collections.abc import Container
from dataclasses import replace

from predictor.arrivals.submission import Submission
from predictor.domain import Dependency, DependencyKind, Hold, JobSpec, PendingJob


def newcomer(
    submission: Submission, later_s: int, mark: str, company: Container[str]
) -> PendingJob | None:
    """Return the submission as a job that comes `later_s` later than it did.

    Ids get `mark` before them. It waits for those who come in its `company`, as it did; for
    others, or for somebody to release it, it waits as long as it did. None: of one that would
    wait so it is not known to have become free.
    """
    job = submission.job
    kept = tuple(each for each in job.dependencies if _is_meant(each, company))
    free = job.hold is Hold.NONE and bool(kept) == bool(job.dependencies)
    if not free and submission.released_s is None:
        return None
    follows = free and bool(kept)
    waits_s = _waits_s(submission, free=free)
    comes_at = submission.at + later_s
    return replace(
        job,
        spec=_spec(submission, comes_at, mark, None if follows else comes_at + waits_s),
        hold=Hold.NONE,
        begin_at=comes_at + waits_s if waits_s else None,
        dependencies=tuple(_marked(each, mark) for each in kept) if follows else (),
    )


def _waits_s(submission: Submission, *, free: bool) -> int:
    """Return how long after it comes it may begin at the soonest.

    Not `free`: what kept it back is not told anew, but for its duration.
    """
    begin_at = submission.job.begin_at
    asked_s = 0 if begin_at is None else max(0, begin_at - submission.at)
    return asked_s if free else max(asked_s, submission.released_s or 0)


def _spec(submission: Submission, comes_at: int, mark: str, eligible_at: int | None) -> JobSpec:
    spec = submission.job.spec
    array, het = spec.array, spec.het
    if array is not None:
        tasks = tuple(range(submission.tasks))
        array = replace(array, job_id=mark + array.job_id, tasks=tasks)
    return replace(
        spec,
        id=mark + spec.id,
        submitted_at=comes_at,
        eligible_at=eligible_at,
        accrues_age_since=eligible_at,
        array=array,
        het=replace(het, job_id=mark + het.job_id) if het else None,
    )


def _is_meant(dependency: Dependency, company: Container[str]) -> bool:
    return dependency.kind is DependencyKind.SINGLETON or _base(dependency.job_id) in company


def _marked(dependency: Dependency, mark: str) -> Dependency:
    """Return the condition on the newcomer; that on an array's task is one on all of it."""
    if dependency.kind is DependencyKind.SINGLETON:
        return dependency
    return replace(dependency, job_id=mark + _base(dependency.job_id))


def _base(id_: str) -> str:
    return id_.partition("_")[0]
