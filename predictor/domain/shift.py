"""A snapshot moved along the time axis."""

from dataclasses import replace

from predictor.domain.calendar import Reservation
from predictor.domain.job import (
    BatchEstimate,
    FinishedJob,
    JobSpec,
    PendingJob,
    RunningJob,
)
from predictor.domain.node import Node
from predictor.domain.scheduler import SchedulerHealth
from predictor.domain.snapshot import Snapshot


def shifted(snapshot: Snapshot, delta_s: int) -> Snapshot:
    """Return the snapshot with every instant `delta_s` later. Durations and ids stay."""
    health = snapshot.health
    return replace(
        snapshot,
        taken_at=snapshot.taken_at + delta_s,
        nodes=tuple(_node(node, delta_s) for node in snapshot.nodes),
        pending=tuple(_pending(job, delta_s) for job in snapshot.pending),
        running=tuple(_running(job, delta_s) for job in snapshot.running),
        finished=tuple(_finished(job, delta_s) for job in snapshot.finished),
        reservations=tuple(_reservation(each, delta_s) for each in snapshot.reservations),
        health=None if health is None else _health(health, delta_s),
    )


def _pending(job: PendingJob, delta_s: int) -> PendingJob:
    return replace(
        job,
        spec=_spec(job.spec, delta_s),
        begin_at=_moved(job.begin_at, delta_s),
        estimate=_estimate(job.estimate, delta_s),
    )


def _running(job: RunningJob, delta_s: int) -> RunningJob:
    return replace(job, spec=_spec(job.spec, delta_s), started_at=job.started_at + delta_s)


def _finished(job: FinishedJob, delta_s: int) -> FinishedJob:
    return replace(
        job,
        spec=_spec(job.spec, delta_s),
        started_at=_moved(job.started_at, delta_s),
        ended_at=job.ended_at + delta_s,
    )


def _spec(spec: JobSpec, delta_s: int) -> JobSpec:
    return replace(
        spec,
        submitted_at=spec.submitted_at + delta_s,
        eligible_at=_moved(spec.eligible_at, delta_s),
        accrues_age_since=_moved(spec.accrues_age_since, delta_s),
    )


def _estimate(estimate: BatchEstimate, delta_s: int) -> BatchEstimate:
    return replace(
        estimate,
        start_at=_moved(estimate.start_at, delta_s),
        evaluated_at=_moved(estimate.evaluated_at, delta_s),
    )


def _node(node: Node, delta_s: int) -> Node:
    if node.boot_at is None:
        return node
    return replace(node, boot_at=node.boot_at + delta_s)


def _reservation(reservation: Reservation, delta_s: int) -> Reservation:
    return replace(
        reservation,
        start_at=reservation.start_at + delta_s,
        end_at=reservation.end_at + delta_s,
    )


def _health(health: SchedulerHealth, delta_s: int) -> SchedulerHealth:
    return replace(
        health,
        told_at=_moved(health.told_at, delta_s),
        started_at=_moved(health.started_at, delta_s),
        backfill_last_at=_moved(health.backfill_last_at, delta_s),
    )


def _moved(instant: int | None, delta_s: int) -> int | None:
    return None if instant is None else instant + delta_s
