"""Do we compute the priorities that the batch system shows?

    python tests/bench/priority_check.py RECORDING

Every summand of every waiting job is computed from the recorded inputs (requests, settings, nodes,
shares, usage) and compared with the one shown, as of the last recomputation. What depends on when
it was computed is read: whether planned CPUs count for a job's size yet, and what usage was charged
since.
"""

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from predictor.domain import (
    PendingJob,
    PriorityFactors,
    Snapshot,
)
from predictor.priority.multifactor import total
from predictor.priority.priorities import Priorities
from predictor.priority.sharetree import who_is
from predictor.priority.summands import Reading
from predictor.storage import open_for_reading

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
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recording", type=Path)
    options = parser.parse_args()
    snapshots = list(open_for_reading(options.recording).snapshots())
    report = {
        "recording": options.recording.name,
        "snapshots": len(snapshots),
        **Reproduced(snapshots).report(),
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
            fairshare=None if state.shares is None else fairshare,
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


def share(count: int, of: int) -> float:
    return round(count / of, 5) if of else 0.0


if __name__ == "__main__":
    main()
