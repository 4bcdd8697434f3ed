"""Drop what a site does not want kept or shown."""

from dataclasses import replace
from functools import partial
from typing import TypeVar

from predictor.domain import (
    Dependency,
    DependencyKind,
    FinishedJob,
    PendingJob,
    RunningJob,
    Snapshot,
    Untrusted,
)
from predictor.site.model import PrivacyTable

Job = TypeVar("Job", PendingJob, RunningJob, FinishedJob)

NOTHING = Untrusted("")


def without_private_texts(snapshot: Snapshot, privacy: PrivacyTable) -> Snapshot:
    """Return `snapshot` less the job names and comments that `privacy` drops. Linear in its jobs.

    Without names nobody can tell whom a singleton job waits for, so that becomes a dependency
    of an unknown kind.
    """
    names, comments = privacy.job_names == "drop", privacy.comments == "drop"
    if not names and not comments:
        return snapshot
    less = partial(without_private_text, privacy=privacy)
    waiting = map(_without_singletons, snapshot.pending) if names else snapshot.pending
    return replace(
        snapshot,
        pending=tuple(map(less, waiting)),
        running=tuple(map(less, snapshot.running)),
        finished=tuple(map(less, snapshot.finished)),
    )


def without_private_text(job: Job, privacy: PrivacyTable) -> Job:
    """Return the job less the name and comment that `privacy` drops."""
    name = NOTHING if privacy.job_names == "drop" else job.spec.name
    comment = NOTHING if privacy.comments == "drop" else job.spec.comment
    if name == job.spec.name and comment == job.spec.comment:
        return job
    return replace(job, spec=replace(job.spec, name=name, comment=comment))


def _without_singletons(job: PendingJob) -> PendingJob:
    if all(each.kind is not DependencyKind.SINGLETON for each in job.dependencies):
        return job
    return replace(job, dependencies=tuple(map(_unnamed, job.dependencies)))


def _unnamed(dependency: Dependency) -> Dependency:
    if dependency.kind is not DependencyKind.SINGLETON:
        return dependency
    return replace(dependency, kind=DependencyKind.OTHER)
