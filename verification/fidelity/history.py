"""What a recording tells of each job: when it was seen waiting and how, when and where it ran."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median_low

from predictor.domain import (
    BY_HAND,
    FinishedJob,
    Hold,
    JobSpec,
    Node,
    PendingJob,
    Reservation,
    RunningJob,
    Snapshot,
)
from predictor.priority.summands import is_set_by_hand
from predictor.simulation.dependencies import single_ids
from verification.fidelity.changes import (
    closures_of_partitions,
    limit_changes,
    node_changes,
    reservation_changes,
)
from verification.fidelity.clearing import LAG_S, Clearings, clearings
from verification.fidelity.runs import Run, begun, runs_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """A waiting record at the snapshot where it was first seen to be so."""

    number: int
    """That of the snapshot, from 0."""
    at: int
    job: PendingJob


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """A recording by jobs. Records of one array, whatever is left of it, are one `base`."""

    snapshots: tuple[Snapshot, ...]
    runs: Mapping[str, tuple[Run, ...]]
    """By single id, ascending."""
    left: Mapping[str, FinishedJob]
    """By single id: who left the queue without a start, by accounting."""
    sightings: Mapping[str, tuple[Sighting, ...]]
    """By base: the first one, and each that differs from the one before."""
    seen: Mapping[str, tuple[int, ...]]
    """By single id: the numbers of the snapshots that show it waiting."""
    turns: Mapping[str, tuple[Sighting, ...]]
    """By single id: the first record, and each with which a hold begins or ends."""
    reservations: tuple[tuple[int, tuple[Reservation, ...]], ...]
    """When there were others than before, and all of them."""
    nodes: tuple[tuple[int, tuple[Node, ...]], ...]
    """When some were otherwise than before, and these."""
    limits: tuple[tuple[int, RunningJob], ...]
    """When running jobs got another limit, and these jobs."""
    clearings: Clearings
    """When nodes were being cleared of ended jobs, ascending."""
    boots_s: int
    """How long nodes mostly took to boot that slept to save power; -1: none was seen to."""
    closed: Mapping[str, tuple[tuple[int, int | None], ...]]
    """By partition that ever was: when it started nobody; None: to the end."""
    ran: tuple[Mapping[str, int], ...]
    """By snapshot: who is shown running, by single id, and since when.

    For who waits there for its nodes to boot, that is when it will run.
    """
    starts: tuple[tuple[int, str, Run], ...]
    """All runs with their single ids, by start."""

    @property
    def instants(self) -> tuple[int, ...]:
        """When the snapshots were taken."""
        return tuple(snapshot.taken_at for snapshot in self.snapshots)

    def run_after(self, id_: str, number: int) -> Run | None:
        """Return a job's first run that the snapshot does not show; None: it never ran since.

        The questions of one snapshot are asked one after the other: who is shown waiting may have
        started a moment before, who is shown running a moment after its instant.
        """
        before = self.snapshots[number - 1].taken_at if number else 0
        before = max(before, self.ran[number].get(id_, 0))
        return next((run for run in self.runs.get(id_, ()) if run.started_at > before), None)

    def seen_after(self, id_: str, number: int) -> int | None:
        """Return the number of the first snapshot after one that shows a job waiting, if any."""
        numbers = self.seen.get(id_, ())
        place = bisect_right(numbers, number)
        return numbers[place] if place < len(numbers) else None

    def started(self, after: int, until: int) -> Iterator[tuple[str, Run]]:
        """Yield who started after an instant and not after another, with single ids."""
        first = bisect_right(self.starts, after, key=lambda start: start[0])
        for at, id_, run in self.starts[first:]:
            if at > until:
                return
            yield id_, run

    def record_at(self, id_: str, number: int) -> PendingJob | None:
        """Return the last record, by that snapshot, that shows a job waiting; None: there is none.

        If it was first seen later, that record.
        """
        numbers = self.seen.get(id_, ())
        if not numbers:
            return None
        shown = numbers[max(0, bisect_right(numbers, number) - 1)]
        return record_of(self.snapshots[shown], id_)

    def gone_at(self, id_: str) -> int | None:
        """Return when a job left the queue unstarted; None if it did not, as far as known.

        Without accounting, that is when a snapshot first misses it.
        """
        if id_ in self.left:
            return self.left[id_].ended_at
        last = self.seen[id_][-1] if id_ in self.seen else len(self.snapshots)
        if last + 1 >= len(self.snapshots) or self.run_after(id_, last) is not None:
            return None
        return self.snapshots[last + 1].taken_at


def record_of(snapshot: Snapshot, id_: str) -> PendingJob:
    """Return the snapshot's waiting record of a single id. Raises StopIteration without one."""
    return next(job for job in snapshot.pending if id_ in single_ids(job.spec))


def base_of(spec: JobSpec) -> str:
    """Return the id under which all records of a job go: an array's own, else the job's."""
    return spec.array.job_id if spec.array is not None else spec.id


def history_of(snapshots: Sequence[Snapshot], outcomes: Iterable[FinishedJob]) -> History:
    """Return the history that snapshots, in order, and accounting tell."""
    sightings: dict[str, list[Sighting]] = defaultdict(list)
    seen: dict[str, list[int]] = defaultdict(list)
    turns: dict[str, list[Sighting]] = defaultdict(list)
    for number, snapshot in enumerate(snapshots):
        for job in snapshot.pending:
            sighting = Sighting(number=number, at=snapshot.taken_at, job=job)
            for id_ in single_ids(job.spec):
                seen[id_].append(number)
                turn = turns[id_]
                if not turn or kept_away(turn[-1].job) != kept_away(job):
                    turn.append(sighting)
            known = sightings[base_of(job.spec)]
            if not known or _changed(known[-1].job, job, snapshot.taken_at):
                known.append(sighting)
    # Accounting, asked afterwards, may lack what a snapshot still showed.
    ends = (*(job for snapshot in snapshots for job in snapshot.finished), *outcomes)
    booted = begun(snapshots, ends)
    later = {(one.job_id, one.told_at): one.began_at for one in booted}
    runs = runs_of(snapshots, ends, later)
    starts = [(run.started_at, id_, run) for id_, of_job in runs.items() for run in of_job]
    return History(
        snapshots=tuple(snapshots),
        runs=runs,
        turns={id_: tuple(found) for id_, found in turns.items()},
        reservations=tuple(reservation_changes(snapshots)),
        nodes=tuple(node_changes(snapshots)),
        limits=tuple(limit_changes(snapshots)),
        clearings=clearings(snapshots, runs),
        boots_s=median_low([one.began_at - one.told_at for one in booted if one.woke] or [-1]),
        closed=closures_of_partitions(snapshots),
        ran=tuple(
            {
                id_: later.get((job.spec.id, job.started_at), job.started_at)
                for job in snapshot.running
                for id_ in single_ids(job.spec)
            }
            for snapshot in snapshots
        ),
        starts=tuple(sorted(starts, key=lambda start: start[:2])),
        left={id_: job for job in ends if job.started_at is None for id_ in single_ids(job.spec)},
        sightings={base: tuple(found) for base, found in sightings.items()},
        seen={id_: tuple(found) for id_, found in seen.items()},
    )


def kept_away(job: PendingJob) -> bool:
    """Return whether somebody outside the scheduler keeps the job from starting."""
    return job.hold is not Hold.NONE or job.obstacle in BY_HAND


def _changed(before: PendingJob, job: PendingJob, at: int) -> bool:
    """Return whether somebody changed the record; that its begin time passes is no change.

    Nor is what the batch system itself writes there when it sends a job back.
    """
    if before.spec.restarts != job.spec.restarts:
        return False
    return _told(before) != _told(job) or _begins(before, at) != _begins(job, at)


def _begins(job: PendingJob, at: int) -> int | None:
    """Return until when its user keeps the job back; None: no more."""
    # The batch system moves the begin time of a throttled array about as it likes.
    throttled = job.spec.array is not None and job.spec.array.max_running is not None
    return None if throttled or (job.begin_at or 0) <= at + LAG_S else job.begin_at


def _told(job: PendingJob) -> tuple[object, ...]:
    """Return what of a waiting record only its user or an administrator changes."""
    spec = job.spec
    return (
        spec.request,
        spec.partitions,
        spec.account,
        spec.qos,
        spec.nice,
        spec.reservation,
        spec.array.max_running if spec.array else None,
        spec.priority if is_set_by_hand(job) else None,
    )


def number_at(instants: Sequence[int], instant: int) -> int:
    """Return the number of the last snapshot that is not after the instant; 0 if all are."""
    return max(0, bisect_right(instants, instant) - 1)
