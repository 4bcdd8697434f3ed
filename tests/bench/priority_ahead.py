"""Do we foretell the priorities that the batch system shows some time later?

    python tests/bench/priority_ahead.py RECORDING [--every 10] [--minutes 30 60 120]

From each n-th snapshot the engine moves all priorities forward, given the jobs that ran meanwhile,
who arrived and came of age when, and who was found a place, as recorded. Compared with what was
shown then; beside it the error of leaving the numbers as they were.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from predictor.domain import JobSpec, NodeShare, NodeSharing, PendingJob, RunState, Snapshot
from predictor.engine.ranking import Ranking
from predictor.engine.ranking_tables import NEVER
from predictor.priority.priorities import Priorities
from predictor.priority.summands import Reading, Slot, held
from predictor.priority.tariff import Run, Tariff
from predictor.simulation.ranking_lowering import LoweredRanking, lower_ranking
from predictor.storage import open_for_reading
from predictor.storage.reader import RecordingReader


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recording", type=Path)
    parser.add_argument("--every", type=int, default=10, help="look ahead from each n-th snapshot")
    parser.add_argument("--minutes", type=int, nargs="*", default=[30, 60, 120])
    options = parser.parse_args()
    recording = open_for_reading(options.recording)
    snapshots = list(recording.snapshots())
    truth = Truth.of(snapshots, recording)
    report = {
        "recording": options.recording.name,
        **{
            f"{minutes} minutes ahead": foretold(snapshots[:: options.every], truth, minutes)
            for minutes in options.minutes
        },
    }
    print(json.dumps(report, indent=2))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """A job that ran, and how it was charged."""

    spec: JobSpec
    run: Run
    ended_at: int
    """NEVER: it goes on."""

    @property
    def slot(self) -> Slot:
        return self.spec.id, self.spec.partitions[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """What really happened: who ran, and what was shown later."""

    ran: tuple[Ran, ...]
    """In the order in which they started."""
    snapshots: Sequence[Snapshot]

    @classmethod
    def of(cls, snapshots: Sequence[Snapshot], recording: RecordingReader) -> "Truth":
        held_by = {
            (job.spec.id, job.started_at): job.allocation
            for snapshot in snapshots
            for job in snapshot.running
            if job.state is not RunState.COMPLETING  # by then it gives back node after node
        }
        ran = sorted(runs(snapshots[0], recording, held_by), key=lambda one: one.run.started_at)
        return cls(ran=tuple(ran), snapshots=snapshots)

    def after(self, instant: int) -> Snapshot | None:
        """Return the snapshot of that minute; None if it was missed."""
        near = (one for one in self.snapshots if instant - 30 <= one.taken_at < instant + 30)
        return next(near, None)

    def between(self, since: int, until: int) -> list[Ran]:
        """Return what ran after `since`, having started before `until`."""
        return [one for one in self.ran if one.run.started_at < until and one.ended_at > since]


def runs(
    first: Snapshot,
    recording: RecordingReader,
    held_by: Mapping[tuple[str, int], tuple[NodeShare, ...]],
) -> Iterator[Ran]:
    """Yield the run of every job that started; who was never seen running holds what it asked."""
    tariff = Tariff.of(first)
    cpus = {node.name: node.cpus for node in first.nodes}
    for job in recording.outcomes():
        if job.started_at is None or not job.spec.partitions:
            continue
        partition = job.spec.partitions[0]
        allocation = held_by.get((job.spec.id, job.started_at), ())
        if not allocation:
            whole = tariff.census.partition(partition).sharing is NodeSharing.EXCLUSIVE
            each = job.spec.request.cpus // max(1, len(job.node_names))
            allocation = tuple(
                NodeShare(node=name, cpus=cpus[name] if whole else each) for name in job.node_names
            )
        run = tariff.run(job.spec, partition, allocation, job.started_at)
        yield Ran(spec=job.spec, run=run, ended_at=NEVER if job.ended_at is None else job.ended_at)


def foretold(starts: Sequence[Snapshot], truth: Truth, minutes: int) -> dict[str, object]:
    """Return how far what we say is from what was shown so many minutes later."""
    moved, left, arrived = Errors(), Errors(), Errors()
    for snapshot in starts:
        later = truth.after(snapshot.taken_at + 60 * minutes)
        if later is None:
            continue
        said, before = moved_forward(snapshot, later, truth)
        shown = {
            (job.spec.id, one.partition): one.priority
            for job in later.pending
            if not held(job)
            for one in job.priorities
        }
        known = {slot: number for slot, number in shown.items() if before.get(slot, 0) > 0}
        moved.add(said, known)
        left.add(before, known)
        arrived.add(said, {slot: shown[slot] for slot in shown.keys() - before.keys()})
    return {
        "moved forward": moved.report(),
        "left as they were": left.report(),
        "arrived since": arrived.report(),
    }


def moved_forward(
    snapshot: Snapshot, later: Snapshot, truth: Truth
) -> tuple[dict[Slot, int], dict[Slot, int]]:
    """Return everybody's number at `later`, and at the snapshot for those who waited there."""
    # Priorities are asked for some seconds after the jobs, maybe in the next period.
    last = Priorities.of(later).recomputed_at + later.settings.priority_period_s // 2
    until = max(last, later.taken_at)
    ran = truth.between(snapshot.taken_at, until)
    arrivals = tuple(arriving(snapshot, later, ran))
    lowered = lower_ranking(snapshot, arrivals, until, len(ran))
    ranking = Ranking(lowered.tables)
    before = {
        slot: ranking.value(number)
        for slot, number in lowered.slots.items()
        if lowered.tables.slots[number].waits
    }
    charge(ranking, lowered, ran)
    waiting = {job.spec.id for job in snapshot.pending}
    coming = sorted(arrivals, key=lambda job: job.spec.submitted_at)
    ages = {job.spec.id: job.spec.accrues_age_since for job in later.pending}
    placed = tried(later)
    while (due_at := ranking.due_at()) <= until:
        waiting |= enter(ranking, lowered, coming, due_at)
        for (id_, _), number in lowered.slots.items():
            since = ages.get(id_)
            if id_ in waiting and since is not None and since <= due_at:
                ranking.accrue(number, since)
            if id_ in waiting and id_ in placed:
                ranking.tried(number, 0)
        ranking.recompute(due_at)
    enter(ranking, lowered, coming, until)
    return {slot: ranking.value(number) for slot, number in lowered.slots.items()}, before


def arriving(snapshot: Snapshot, later: Snapshot, ran: Sequence[Ran]) -> Iterator[PendingJob]:
    """Yield those who were not known at the snapshot, waiting later or started meanwhile."""
    known = {job.spec.id for job in snapshot.pending} | {job.spec.id for job in snapshot.running}
    others = [*later.pending, *(PendingJob(spec=one.spec) for one in ran)]
    for job in others:
        if job.spec.id not in known:
            known.add(job.spec.id)
            yield job


def charge(ranking: Ranking, lowered: LoweredRanking, ran: Sequence[Ran]) -> None:
    """Tell the ranking who begins and ends when."""
    begun = len(lowered.runs)
    for one in ran:
        number = lowered.runs.get(one.spec.id)
        if number is not None:
            ranking.finish(number, one.ended_at)
        elif one.slot in lowered.slots:
            slot, run = lowered.slots[one.slot], one.run
            ranking.begin(begun, slot, run.rate, run.started_at, one.ended_at)
            begun += 1


def enter(
    ranking: Ranking, lowered: LoweredRanking, coming: list[PendingJob], until: int
) -> set[str]:
    """Let those in who were submitted before `until`, and return them."""
    found = set()
    while coming and coming[0].spec.submitted_at < until:
        spec = coming.pop(0).spec
        found.add(spec.id)
        for partition in spec.partitions:
            ranking.enter(lowered.slots[spec.id, partition], spec.submitted_at)
    return found


def tried(snapshot: Snapshot) -> set[str]:
    """Return those that the scheduler had found a place, by the points shown for their size."""
    state = Priorities.of(snapshot)
    reading = Reading(
        rules=state.rules,
        recomputed_at=state.recomputed_at,
        fairshare=state.fairshare_points(),
    )
    return {
        job.spec.id
        for job in snapshot.pending
        if all(reading.tried(job, shown.partition) for shown in job.priorities)
    }


class Errors:
    """Differences between priorities said and shown, and whom they put in another order."""

    def __init__(self) -> None:
        self.points: list[int] = []
        self.ordered: Counter[bool] = Counter()

    def add(self, said: Mapping[Slot, int], shown: Mapping[Slot, int]) -> None:
        self.points += [abs(said[slot] - number) for slot, number in shown.items()]
        for one, other in combinations(shown, 2):
            before, now = said[one] - said[other], shown[one] - shown[other]
            if now:
                self.ordered[before * now > 0] += 1

    def report(self) -> dict[str, float | int]:
        points = sorted(self.points)
        if not points:
            return {"pairs": 0}
        return {
            "pairs": len(points),
            "exact": share(points.count(0), len(points)),
            "within_1": share(sum(1 for one in points if one <= 1), len(points)),
            "median": points[len(points) // 2],
            "p95": points[int(0.95 * len(points))],
            "same_order": share(self.ordered[True], self.ordered.total()),
        }


def share(count: int, of: int) -> float:
    return round(count / of, 5) if of else 0.0


if __name__ == "__main__":
    main()
