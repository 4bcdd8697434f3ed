"""From a recording's history and what was said: the cases, snapshot by snapshot."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from predictor.domain import Hold, Obstacle, Partition, PendingJob
from predictor.domain.defaults import planned_s
from predictor.simulation.dependencies import single_ids
from verification.fidelity.clearing import LAG_S
from verification.fidelity.history import History
from verification.fidelity.runs import Run
from verification.judging.case import Case, Job, Said

NO_ANSWER = Said(why_not="no_answer")
"""What somebody said who left a job out."""

Told = Mapping[str, Mapping[str, Said]]
"""By predictor: its answers about one snapshot, by waiting record and by single id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """What became of a job that waited."""

    id: str
    """Its single id."""
    run: Run | None
    removed_at: int | None


def cases_of(history: History, number: int, told: Told) -> Iterator[Case]:
    """Yield a case for each job that waits in the snapshot of that number, array tasks one by one.

    Left out are those that had started, or left, by its instant: its questions are asked one after
    the other. Of a heterogeneous job the leading component stands for all.
    """
    snapshot = history.snapshots[number]
    partitions = {partition.name: partition for partition in snapshot.partitions}
    for record in snapshot.pending:
        fates = fates_of(history, number, record)
        leader = _leader(fates)
        cause = cause_of(record, snapshot.taken_at)
        for fate in fates:
            yield Case(
                job=_job(record, fate, partitions),
                seen_at=snapshot.taken_at,
                submitted_at=record.spec.submitted_at,
                cause=cause,
                leads=fate is leader,
                started_at=fate.run.started_at if fate.run else None,
                removed_at=fate.removed_at,
                known_until=history.snapshots[-1].taken_at,
                said=_said(told, record.spec.id if fate is leader else fate.id, fate.id),
            )


def fates_of(history: History, number: int, record: PendingJob) -> tuple[Fate, ...]:
    """Return what became of the jobs of a waiting record, those left out that wait no more."""
    if record.spec.het is not None and record.spec.het.offset:
        return ()
    seen_at = history.snapshots[number].taken_at
    fates = (_fate(history, number, id_) for id_ in single_ids(record.spec))
    return tuple(
        fate
        for fate in fates
        if (fate.run is None or fate.run.started_at >= seen_at)
        and (fate.removed_at is None or fate.removed_at >= seen_at)
    )


def cause_of(record: PendingJob, at: int) -> str:
    """Return why a record waits, by the batch system, as one word in small letters.

    `held`, `dependency`, `begin_time`, `limit`, `usage`, `admin` or `never`, whichever comes first;
    else the batch system's own word (`priority`, `resources`), or `none`.
    """
    if record.hold is not Hold.NONE:
        return "held"
    if record.dependencies:
        return "dependency"
    if record.begin_at is not None and record.begin_at > at:
        return "begin_time"
    if record.obstacle is not Obstacle.NONE:
        return str(record.obstacle.value)
    return record.reason.lower() or "none"


def _fate(history: History, number: int, id_: str) -> Fate:
    run = history.run_after(id_, number)
    seen_at = history.snapshots[number].taken_at
    if run is not None and run.started_at < seen_at - LAG_S:
        # It ran while nobody looked, and was put back into the queue: its next start counts.
        later = (one for one in history.runs[id_] if one.started_at >= seen_at)
        run = next(later, None)
    return Fate(id=id_, run=run, removed_at=None if run else history.gone_at(id_))


def _leader(fates: tuple[Fate, ...]) -> Fate | None:
    """Return whose turn is next: who starts first, if anybody does; of several the first task."""
    started = [fate for fate in fates if fate.run]
    if started:
        return min(started, key=lambda fate: fate.run.started_at if fate.run else 0)
    return fates[0] if fates else None


def _job(record: PendingJob, fate: Fate, partitions: Mapping[str, Partition]) -> Job:
    spec = record.spec
    named = fate.run.spec.partitions if fate.run and fate.run.spec.partitions else spec.partitions
    partition = named[0] if named else ""
    return Job(
        id=fate.id,
        user=spec.user,
        account=spec.account,
        partition=partition,
        qos=spec.qos,
        nodes=spec.request.nodes,
        limit_s=planned_s(spec.request, partitions.get(partition)),
        of_array=spec.array is not None,
    )


def _said(told: Told, key: str, id_: str) -> Mapping[str, Said]:
    return {name: answers.get(key) or answers.get(id_, NO_ANSWER) for name, answers in told.items()}
