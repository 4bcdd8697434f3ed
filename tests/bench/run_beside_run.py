"""How far a real scheduler agrees with itself: the same workload, played and recorded twice.

    python tests/bench/run_beside_run.py RECORDING RECORDING [HOURS]

No replica can be nearer to a real scheduler, window for window, than that is to itself. Jobs are
matched by who submitted what as the how-manieth; instants count from the first snapshot.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from predictor.domain import FinishedJob, RunningJob
from predictor.domain.durations import HOUR_S
from predictor.storage import open_for_reading
from verification.fidelity.scores import CLOSE_S, Window

Key = tuple[object, ...]


def starts(path: Path) -> dict[str, int]:
    """Return when each job started, in seconds, by a name that both recordings share."""
    reader = open_for_reading(path)
    begin_at = reader.instants[0]
    found: dict[str, tuple[Key, int, int]] = {}
    for job in chain(ran(path), reader.outcomes()):
        if job.started_at is not None and job.started_at >= begin_at:
            spec = job.spec
            index = spec.array.tasks if spec.array else ()
            key = (spec.user, spec.name.raw, spec.partitions, spec.qos, spec.request.nodes, index)
            found.setdefault(spec.id, (key, spec.submitted_at, job.started_at - begin_at))
    before: Counter[Key] = Counter()
    named = {}
    for key, _, at in sorted(found.values(), key=lambda one: (one[1], repr(one[0]))):
        before[key] += 1
        named[f"{key} {before[key]}"] = at
    return named


def ran(path: Path) -> Iterator[RunningJob | FinishedJob]:
    for snapshot in open_for_reading(path).snapshots():
        yield from snapshot.running


def beside(one: dict[str, int], other: dict[str, int], begin_s: int, end_s: int) -> str:
    within = [
        {name: at for name, at in run.items() if begin_s <= at < end_s} for run in (one, other)
    ]
    window = Window.of(within[0], within[1], begin_s, end_s)
    return (
        f"{begin_s / HOUR_S:5.1f} to {end_s / HOUR_S:4.1f} h: {window.jobs:5} jobs, "
        f"{window.close_share or 0:.3f} within {CLOSE_S} s, median off by {window.off_s(0.5)} s"
    )


def main(one: str, other: str, hours: str = "6") -> None:
    first, second = starts(Path(one)), starts(Path(other))
    print("whole ", beside(first, second, 0, int(float(hours) * HOUR_S)))
    for hour in range(int(float(hours))):
        print("hourly", beside(first, second, hour * HOUR_S, hour * HOUR_S + HOUR_S))


if __name__ == "__main__":
    main(*sys.argv[1:])
