"""What is it worth to foresee who comes?

    python tests/bench/arrivals_worth.py RECORDING [--every 100] [--scenarios 5]

From every so many snapshots on, the recorded future is told to the replica: true run times, holds
and changes of all who wait or run then. The error of starts, in minutes, is printed for three
futures: nobody comes; those come who came; those come who are drawn from what was known then, with
run times drawn from what was learned (the middle start of all scenarios counts). Who has not
started 24 h later, or at the end of the recording, is taken to start then.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean, median

from predictor.arrivals.arrivals import Arrivals
from predictor.domain import PendingJob, Snapshot
from predictor.domain.defaults import planned_s
from predictor.domain.durations import DAY_S
from predictor.runtimes.ended import Ended
from predictor.runtimes.models import DEFAULT, MODELS, RunTimes
from predictor.simulation.dependencies import single_ids
from predictor.simulation.story import Story
from predictor.site import default, overlay
from predictor.storage import open_for_reading
from verification.fidelity.history import History, history_of
from verification.fidelity.telling import told
from verification.fidelity.truth import story_of

LONGEST_S = DAY_S
FUTURES = ("nobody", "true", "drawn")
Starts = Mapping[str, float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recording", type=Path)
    parser.add_argument("--every", type=int, default=100, help="snapshots between two looks")
    parser.add_argument("--scenarios", type=int, default=5)
    options = parser.parse_args()
    reader = open_for_reading(options.recording)
    history = history_of(list(reader.snapshots()), list(reader.outcomes()))
    print("snapshot  jobs", *(f"{name:>8}" for name in FUTURES))
    errors = []
    for number, off in looked(history, options.every, options.scenarios):
        print(f"{number:8} {len(off[0]):5}", *(f"{fmean(each):8.1f}" for each in off))
        errors.append(off)
    means = (fmean(fmean(off[place]) for off in errors) for place in range(len(FUTURES)))
    print("mean          ", *(f"{mean:8.1f}" for mean in means))


def looked(
    history: History, every: int, scenarios: int
) -> Iterator[tuple[int, Sequence[Sequence[float]]]]:
    """Yield how far off starts are in each future, by the number of the snapshot."""
    arrivals, run_times, over = Arrivals(), MODELS[DEFAULT](), set[tuple[str, int]]()
    for number, snapshot in enumerate(history.snapshots):
        arrivals.learn(snapshot)
        run_times.learn(newly_over(snapshot, over))
        if number and number % every == 0:
            off = errors_min(history, number, arrivals, run_times, scenarios)
            if off[0]:
                yield number, off


def newly_over(snapshot: Snapshot, over: set[tuple[str, int]]) -> Iterator[Ended]:
    for job in snapshot.finished:
        if job.started_at is None or (job.spec.id, job.started_at) in over:
            continue
        over.add((job.spec.id, job.started_at))
        yield Ended(
            spec=job.spec,
            run_s=job.ended_at - job.started_at,
            limit_s=limit_s(job, snapshot),
            ended_at=job.ended_at,
            outcome=job.outcome,
        )


def limit_s(job: object, snapshot: Snapshot) -> int:
    partitions = {one.name: one for one in snapshot.partitions}
    return planned_s(job.spec.request, partitions.get(job.spec.partitions[0]))


def errors_min(
    history: History, number: int, arrivals: Arrivals, run_times: RunTimes, scenarios: int
) -> Sequence[Sequence[float]]:
    snapshot = overlay(default(), history.snapshots[number])
    now = snapshot.taken_at
    until = min(now + LONGEST_S, history.instants[-1])

    def starts(story: Story) -> Starts:
        said = told(snapshot, story, until, default())
        return {id_: start.at for id_, start in said.items()}

    true = story_of(history, number, until)
    nobody = without_newcomers(true)
    drawn = [
        starts(with_newcomers(nobody, arrivals.draw(each, now, until), snapshot, run_times, each))
        for each in range(scenarios)
    ]
    real = real_starts(history, number, until, true)
    middle = {id_: median(one.get(id_, until) for one in drawn) for id_ in real}
    return [
        [abs(min(one.get(id_, until), until) - at) / 60 for id_, at in real.items()]
        for one in (starts(nobody), starts(true), middle)
    ]


def real_starts(history: History, number: int, until: int, story: Story) -> Starts:
    """Return when those waiting started whom nobody held."""
    found = {}
    for job in history.snapshots[number].pending:
        for id_ in single_ids(job.spec):
            run = None if id_ in story.held else history.run_after(id_, number)
            if run is not None:
                found[id_] = min(run.started_at, until)
    return found


def without_newcomers(story: Story) -> Story:
    new = {id_ for job in story.arrivals for id_ in single_ids(job.spec)}
    told_of = ("run_s", "later_runs", "leaves_at", "held")
    kept = {
        name: {id_: what for id_, what in getattr(story, name).items() if id_ not in new}
        for name in told_of
    }
    changes = tuple(one for one in story.changes if new.isdisjoint(single_ids(one[1].spec)))
    return replace(story, arrivals=(), changes=changes, **kept)


def with_newcomers(
    story: Story,
    jobs: Sequence[PendingJob],
    snapshot: Snapshot,
    run_times: RunTimes,
    number: int,
) -> Story:
    run_s = dict(story.run_s)
    for job in jobs:
        law = run_times.estimate(job.spec, limit_s(job, snapshot)).law
        for id_ in single_ids(job.spec):
            # Levels in steps of the golden section are spread evenly, whoever they go to.
            level = (len(run_s) * 0.618034 + number * 0.1) % 1
            run_s[id_] = law.quantile(min(max(level, 0.001), 0.999))
    return replace(story, arrivals=tuple(jobs), run_s=run_s)


if __name__ == "__main__":
    main()
