"""One job's answer, worked out once per forecast and encoded for JSON beforehand."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from predictor import hostlists
from predictor.cli.lately import Judged, together
from predictor.domain import (
    UNLIMITED,
    Abstention,
    Explanation,
    FinishedJob,
    Forecast,
    JobSpec,
    Limit,
    Outlook,
    PendingJob,
    Prediction,
    RunningJob,
    Snapshot,
)
from predictor.domain.durations import HOUR_S
from predictor.service.chances import NO_DEADLINE, instant, outlook_body

PENDING = "pending"

Fold = dict[tuple[str, ...], str]
"""Node lists already folded: many jobs of one forecast share theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A job and what is said about it. Names ending in `_at` are UTC epoch seconds or None."""

    spec: JobSpec
    state: str
    """`pending`, or the value of a RunState or an Outcome."""
    partition: str
    """Where it runs or will start; all its partitions where that is open."""
    nodelist: str = ""
    """The nodes it has or will have, folded: `node[01-04]`."""
    start_at: int | None = None
    """Predicted for a waiting job, a fact for another."""
    last_start_at: int | None = None
    ended_at: int | None = None
    rank: int | None = None
    cause: str = ""
    """Why it does not start at once, or why nothing can be said; empty unless it waits."""
    detail: str = ""
    """Why nothing can be said, as a sentence; empty where something is."""
    explanation: Explanation | None = field(default=None, repr=False)
    """Why it starts no earlier; None: not worked out, or not needed."""
    outlook: Outlook | None = field(default=None, repr=False)
    """How sure its start is; None: not worked out, or not needed."""
    encoded: bytes = field(init=False, repr=False, compare=False)
    """The row as a JSON object, without the explanation; it ends in NO_DEADLINE."""

    def __post_init__(self) -> None:
        # ASCII only: a lone surrogate in a job's name could not be sent otherwise.
        object.__setattr__(
            self, "encoded", json.dumps(_body(self)).encode("ascii")[:-1] + NO_DEADLINE
        )

    @property
    def waits(self) -> bool:
        """Whether the job has not started."""
        return self.state == PENDING

    @property
    def unpredicted(self) -> bool:
        """Whether it waits and no start can be told."""
        return self.waits and self.start_at is None


def rows(snapshot: Snapshot, forecast: Forecast) -> Iterator[Row]:
    """Yield a row per job: those with a start in queue order, abstentions, running, finished."""
    waiting = {job.spec.id: job for job in snapshot.pending}
    folded: Fold = {}
    for prediction in forecast.predictions:
        yield _predicted(waiting[prediction.job_id], prediction, folded)
    for abstention in forecast.abstentions:
        yield _abstained(waiting[abstention.job_id], abstention)
    for running in snapshot.running:
        yield _running(running, folded)
    for finished in snapshot.finished:
        yield _finished(finished, folded)


def judged(table: Iterable[Row]) -> Judged | None:
    """Return how good answers like those in the table were of late; None: nothing is known."""
    known = [row.outlook.lately for row in table if row.outlook and row.outlook.lately]
    return together({one.like: (one.jobs, one.typical_error_s, one.held80) for one in known})


def _predicted(job: PendingJob, prediction: Prediction, folded: Fold) -> Row:
    return Row(
        spec=job.spec,
        state=PENDING,
        partition=prediction.partition,
        nodelist=_fold(prediction.node_names, folded),
        start_at=prediction.likely_at,
        last_start_at=prediction.likely_last_at,
        rank=prediction.rank,
        cause=prediction.cause.value,
        explanation=prediction.explanation,
        outlook=prediction.outlook,
    )


def _abstained(job: PendingJob, abstention: Abstention) -> Row:
    return Row(
        spec=job.spec,
        state=PENDING,
        partition=",".join(job.spec.partitions),
        cause=abstention.cause.value,
        detail=abstention.detail,
    )


def _running(job: RunningJob, folded: Fold) -> Row:
    return Row(
        spec=job.spec,
        state=job.state.value,
        partition=",".join(job.spec.partitions),
        nodelist=_fold(tuple(share.node for share in job.allocation), folded),
        start_at=job.started_at,
    )


def _finished(job: FinishedJob, folded: Fold) -> Row:
    return Row(
        spec=job.spec,
        state=job.outcome.value,
        partition=",".join(job.spec.partitions),
        nodelist=_fold(job.node_names, folded),
        start_at=job.started_at,
        ended_at=job.ended_at,
    )


def _fold(names: tuple[str, ...], folded: Fold) -> str:
    if names not in folded:
        folded[names] = hostlists.folded(names)
    return folded[names]


def _body(row: Row) -> Mapping[str, Any]:
    spec, waits = row.spec, row.waits
    return {
        "job_id": spec.id,
        "partition": row.partition,
        "name": spec.name.raw,
        "user": spec.user,
        "account": spec.account,
        "qos": spec.qos,
        "state": row.state,
        "nodes": spec.request.nodes,
        "limit_s": limit_body(spec.request.limit_s),
        "submitted_at": instant(spec.submitted_at),
        "likely_start": instant(row.start_at) if waits else None,
        "likely_start_epoch": row.start_at if waits else None,
        "last_task_start": instant(row.last_start_at),
        "started_at": None if waits else instant(row.start_at),
        "ended_at": instant(row.ended_at),
        "nodelist": row.nodelist,
        "rank": row.rank,
        "ahead": _ahead(row.explanation),
        "cause": None if row.unpredicted else row.cause or None,
        "not_predicted_reason": row.cause if row.unpredicted else None,
        "detail": row.detail,
        **outlook_body(row.outlook),
    }


def _ahead(told: Explanation | None) -> Mapping[str, Any] | None:
    return None if told is None else share(told.ahead_jobs, told.ahead_node_s)


def share(jobs: int, node_s: int) -> Mapping[str, Any]:
    """Return the body that tells of some jobs how many they are and what they take."""
    return {"jobs": jobs, "node_hours": round(node_s / HOUR_S, 1)}


def limit_body(limit: Limit) -> int | str | None:
    """Return a limit as the API tells it; None: not told."""
    return "UNLIMITED" if limit is UNLIMITED else limit
