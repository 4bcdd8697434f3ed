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
    job = submission.kind
    kept = tuple(each for each in job.dependencies if _is_meant(each, company))
    free = job.hold is Hold.NONE and bool(kept) == bool(job.dependencies)
    if not free and submission.released_s is None:
        return None
    follows = free and bool(kept)
    waits_s = submission.begins_s if free else max(submission.begins_s, submission.released_s or 0)
    comes_at = submission.at + later_s
    return replace(
        job,
        spec=_spec(submission, comes_at, mark, None if follows else comes_at + waits_s),
        hold=Hold.NONE,
        begin_at=comes_at + waits_s if waits_s else None,
        dependencies=tuple(_marked(each, mark) for each in kept) if follows else (),
    )


def _spec(submission: Submission, comes_at: int, mark: str, eligible_at: int | None) -> JobSpec:
    spec, id_ = submission.kind.spec, mark + submission.key
    array, het = spec.array, spec.het
    if array is not None:
        array = replace(array, job_id=id_, tasks=tuple(range(submission.tasks)))
    return replace(
        spec,
        id=id_,
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
