"""Do we compute the priorities that the batch system shows, now and hours ahead?

    python tests/bench/priority_check.py RECORDING [--every 10] [--minutes 30 120]

First, every snapshot: all summands computed from the recorded inputs (requests, settings, nodes,
shares, usage) against those shown, as of the last recomputation. What else depends on when it was
computed is read: whether planned CPUs count for a job's size yet, and what usage was charged since.
Then, from each n-th snapshot: all priorities some minutes later, given the jobs that ran meanwhile,
when others came of age and who was found a place, against those recorded then; beside them the
error of leaving the numbers as they were.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from predictor.domain import (
    NodeShare,
    NodeSharing,
    PendingJob,
    PriorityFactors,
    RunState,
    Snapshot,
)
from predictor.priority.forward import Priorities
from predictor.priority.multifactor import total
from predictor.priority.sharetree import who_is
from predictor.priority.summands import Reading, Slot, held
from predictor.priority.tariff import Run, Tariff
from predictor.storage import open_for_reading
from predictor.storage.reader import RecordingReader

EXAMPLES = 3
SUMMANDS = (
    "age",
    "association",
    "fairshare",
    "job_size",
    "partition_points",
    "qos",
    "tres",
    "nice",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("recording", type=Path)
    parser.add_argument("--every", type=int, default=10, help="look ahead from each n-th snapshot")
    parser.add_argument("--minutes", type=int, nargs="*", default=[30, 120])
    options = parser.parse_args()
    recording = open_for_reading(options.recording)
    snapshots = list(recording.snapshots())
    truth = Truth.of(snapshots, recording)
    report = {
        "recording": options.recording.name,
        "snapshots": len(snapshots),
        "now": Reproduced(snapshots).report(),
        **{
            f"{minutes} minutes ahead": foretold(snapshots[:: options.every], truth, minutes)
            for minutes in options.minutes
        },
    }
    print(json.dumps(report, indent=2))


class Reproduced:
    """The sums of today, computed from the recorded inputs alone."""

    def __init__(self, snapshots: Sequence[Snapshot]) -> None:
        self.pairs = 0
        self.exact: Counter[str] = Counter()
        self.close: Counter[str] = Counter()
        self.causes: Counter[str] = Counter()
        self.examples: dict[str, list[str]] = {}
        for snapshot in snapshots:
            self._look(snapshot)

    def report(self) -> dict[str, object]:
        names = (*SUMMANDS, "priority")
        return {
            "pairs": self.pairs,
            "exact": {name: share(self.exact[name], self.pairs) for name in names},
            "within_1": {name: share(self.close[name], self.pairs) for name in names},
            "causes": dict(self.causes.most_common()),
            "examples": self.examples,
        }

    def _look(self, snapshot: Snapshot) -> None:
        state = Priorities.of(snapshot)
        fairshare = state.fairshare_points()
        reading = Reading(
            rules=state.rules,
            recomputed_at=state.recomputed_at,
            shares_visible=state.shares is not None,
        )
        for job in snapshot.pending:
            for shown in job.priorities:
                computed = computed_points(job, shown.partition, state, reading, fairshare)
                self._compare(job, shown, computed, snapshot, state.recomputed_at)

    def _compare(
        self,
        job: PendingJob,
        shown: PriorityFactors,
        computed: Mapping[str, float],
        snapshot: Snapshot,
        recomputed_at: int,
    ) -> None:
        self.pairs += 1
        told = {name: getattr(shown, name) for name in SUMMANDS if name != "tres"}
        told |= {"tres": sum(points for _, points in shown.tres), "priority": shown.priority}
        off = {name: abs(round(computed[name]) - (told[name] or 0)) for name in told}
        self.exact.update(name for name, points in off.items() if points == 0)
        self.close.update(name for name, points in off.items() if points <= 1)
        if off["priority"]:
            cause = cause_of(off, job, recomputed_at)
            self.causes[cause] += 1
            examples = self.examples.setdefault(cause, [])
            if len(examples) < EXAMPLES:
                wrong = {name: [round(computed[name], 2), told[name]] for name in off if off[name]}
                examples.append(f"{snapshot.taken_at}: {job.spec.id}: {wrong}")


def computed_points(
    job: PendingJob,
    partition: str,
    state: Priorities,
    reading: Reading,
    fairshare: Mapping[tuple[str, str, str], float],
) -> dict[str, float]:
    """Return every summand and the sum, from the inputs alone."""
    rules = state.rules
    planned = rules.planned_cpus(job, partition)
    cpus = planned if reading.tried(job, partition) else job.spec.request.cpus
    parts = tuple(part or 0.0 for part in rules.parts(job, partition, cpus))
    association = rules.census.association(job.spec, partition)
    age = rules.age_points(job.spec.accrues_age_since, state.recomputed_at)
    owed = fairshare.get(who_is(association), 0.0) if association else 0.0
    points = (age, parts[0], owed, *parts[1:5], parts[6])
    return {**dict(zip(SUMMANDS, points, strict=True)), "priority": total(age, owed, parts)}


def cause_of(off: Mapping[str, int], job: PendingJob, recomputed_at: int) -> str:
    """Return in words why the sum differs."""
    wrong = sorted(name for name, points in off.items() if points and name != "priority")
    if off["priority"] <= 1 and set(wrong) <= {"age"}:
        return "the recomputation's instant is known to a second or two only"
    if "job_size" in wrong:
        return "job size: neither of the CPUs asked for nor of those planned"
    return f"{' and '.join(wrong) or 'rounding'}: otherwise"


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """What really happened: who ran, and what was shown later."""

    runs: tuple[Run, ...]
    snapshots: Sequence[Snapshot]

    @classmethod
    def of(cls, snapshots: Sequence[Snapshot], recording: RecordingReader) -> "Truth":
        held_by = {
            (job.spec.id, job.started_at): job.allocation
            for snapshot in snapshots
            for job in snapshot.running
            if job.state is not RunState.COMPLETING  # by then it gives back node after node
        }
        return cls(runs=tuple(runs(snapshots[0], recording, held_by)), snapshots=snapshots)

    def after(self, instant: int) -> Snapshot | None:
        """Return the snapshot of that minute; None if it was missed."""
        near = (one for one in self.snapshots if instant - 30 <= one.taken_at < instant + 30)
        return next(near, None)

    def between(self, since: int, until: int) -> list[Run]:
        """Return what ran after `since`, having started before `until`."""
        return [
            run
            for run in self.runs
            if run.started_at < until and (run.ended_at is None or run.ended_at > since)
        ]


def runs(
    first: Snapshot,
    recording: RecordingReader,
    held_by: Mapping[tuple[str, int], tuple[NodeShare, ...]],
) -> Iterator[Run]:
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
        yield tariff.run(job.spec, partition, allocation, job.started_at, job.ended_at)


def foretold(starts: Sequence[Snapshot], truth: Truth, minutes: int) -> dict[str, object]:
    """Return how far what we say is from what was shown so many minutes later."""
    moved, left = Errors(), Errors()
    for snapshot in starts:
        later = truth.after(snapshot.taken_at + 60 * minutes)
        if later is None:
            continue
        begun = Priorities.of(snapshot)
        # Priorities are asked for some seconds after the jobs, maybe in the next period.
        asked_at = Priorities.of(later).recomputed_at + later.settings.priority_period_s // 2
        came_of_age = {
            job.spec.id: job.spec.accrues_age_since
            for job in later.pending
            if job.spec.accrues_age_since is not None
        }
        ran = truth.between(snapshot.taken_at, asked_at)
        expected = begun.at(asked_at, ran, came_of_age, tried(later)).numbers
        shown = {
            (job.spec.id, one.partition): one.priority
            for job in later.pending
            if not held(job)
            for one in job.priorities
            if begun.numbers.get((job.spec.id, one.partition))
        }
        moved.add(expected, shown)
        left.add(begun.numbers, shown)
    return {"moved forward": moved.report(), "left as they were": left.report()}


def tried(snapshot: Snapshot) -> set[str]:
    """Return those that the scheduler had found a place, by the points shown for their size."""
    state = Priorities.of(snapshot)
    reading = Reading(rules=state.rules, recomputed_at=state.recomputed_at, shares_visible=True)
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
