"""A submission as it is remembered: what was asked for, without what became of it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from predictor.domain import (
    BY_HAND,
    FinishedJob,
    Hold,
    JobSpec,
    Obstacle,
    PendingJob,
    PriorityFactors,
    RunningJob,
    Snapshot,
    Untrusted,
)

MOST_TASKS = 10_000
"""So many tasks of an array are remembered at most."""
LONGEST_NAME = 256
STANDING_STILL = BY_HAND | {Obstacle.OWN_LIMIT}
Record = PendingJob | RunningJob | FinishedJob


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """What was submitted at one instant under one id: a job, or an array with all its tasks."""

    key: str
    """The id that all its records share."""
    at: int
    """When it was submitted, UTC epoch seconds."""
    kind: PendingJob
    """What was asked for, as first seen: without id, instants, an array's tasks, and what the
    scheduler told of it. Many submissions may share one."""
    tasks: int = 1
    """How many jobs come of it."""
    begins_s: int = 0
    """So long after its submission it was to start at the soonest."""
    released_s: int | None = None
    """So long after its submission it was neither held nor waited for another job; None: it is
    not known to have come so far."""


def key_of(spec: JobSpec) -> str:
    """Return the id that all records of a submission share: of an array's tasks the common one.

    Each component of a heterogeneous job has its own.
    """
    return spec.array.job_id if spec.array else spec.id


def is_tied(record: Record) -> bool:
    """Return whether somebody holds the job, or it waits for others."""
    if not isinstance(record, PendingJob):
        return False
    return record.hold is not Hold.NONE or bool(record.dependencies)


def records_of(snapshot: Snapshot) -> Iterator[Record]:
    """Yield who waits, then who runs and who ran: the first ones tell most of their submission."""
    yield from snapshot.pending
    yield from snapshot.running
    yield from (job for job in snapshot.finished if job.started_at is not None)


def submission_of(records: Iterable[Record], *, keep_points: bool) -> Submission | None:
    """Return what all the records of one submission tell of it; the first one tells most.

    None: it will not be met again, as it was sent back into the queue or cannot start as it
    stands. `keep_points`: what its priority is made of is remembered with it.
    """
    first, *others = records
    if first.spec.restarts:
        return None
    if isinstance(first, PendingJob) and first.obstacle in STANDING_STILL:
        return None
    specs = [first.spec, *(other.spec for other in others)]
    tasks = {task for spec in specs if spec.array for task in spec.array.tasks[:MOST_TASKS]}
    released = None if is_tied(first) else released_s(first)
    begin_at = first.begin_at if isinstance(first, PendingJob) else first.spec.eligible_at
    return Submission(
        key=key_of(first.spec),
        at=first.spec.submitted_at,
        kind=_kind(first, keep_points=keep_points),
        tasks=min(max(1, len(tasks)), MOST_TASKS),
        begins_s=max(0, (begin_at or 0) - first.spec.submitted_at),
        released_s=released,
    )


def released_s(record: Record) -> int:
    """Return how long after its submission the job was eligible, be it only later."""
    eligible_at = record.spec.eligible_at
    return 0 if eligible_at is None else max(0, eligible_at - record.spec.submitted_at)


def _kind(record: Record, *, keep_points: bool) -> PendingJob:
    spec = record.spec
    spec = replace(
        spec,
        id="",
        submitted_at=0,
        eligible_at=None,
        accrues_age_since=None,
        name=Untrusted(spec.name.raw[:LONGEST_NAME]),
        comment=Untrusted(""),
        priority=None,
        array=replace(spec.array, job_id="", tasks=()) if spec.array else None,
    )
    if not isinstance(record, PendingJob):
        return PendingJob(spec=spec)
    return PendingJob(
        spec=spec,
        hold=record.hold,
        dependencies=record.dependencies,
        priorities=_points(record) if keep_points else (),
    )


def _points(job: PendingJob) -> tuple[PriorityFactors, ...]:
    """Return what its priority is made of at age zero."""
    return tuple(
        replace(one, priority=max(1, one.priority - (one.age or 0)), age=0)
        for one in job.priorities
    )
