"""Recordings of what a replica itself decided, as a collector would have seen it."""

from dataclasses import replace

from clusters import HOUR, MINUTE, NOW, cluster, waiting

from predictor.domain import (
    FinishedJob,
    NodeShare,
    Outcome,
    PassSettings,
    RunningJob,
    SchedulerSettings,
)
from predictor.simulation.dependencies import single_ids
from predictor.simulation.story import retell
from verification.fidelity.history import history_of

EAGER = SchedulerSettings(multifactor=False, passes=PassSettings(interval_s=1, step_s=1))
"""Looks ahead at every event, so that it does not matter when it begins."""


def busy_cluster():
    """Eight nodes, thirty jobs of all widths, and ten that come later; with how long they run."""
    jobs = [
        waiting(str(n), 1 + n * 5 % 7, 25 + n * 7 % 50, of_job={"submitted_at": NOW - HOUR + n})
        for n in range(1, 31)
    ]
    later = [
        waiting(str(n), 1 + n % 3, 25, of_job={"submitted_at": NOW + (n - 40) * 11 * MINUTE + 7})
        for n in range(41, 51)
    ]
    run_s = {str(n): 200 + n * 97 % 1100 for n in range(1, 51)}
    return cluster(8, *jobs, settings=EAGER), tuple(later), run_s


def performed(snapshot, story, until):
    """Return the history of what becomes of a snapshot if the replica decides."""
    return history_of(*recorded(snapshot, story, until))


def recorded(snapshot, story, until):
    """Return the snapshots of each minute until then, and how all jobs ended."""
    starts = retell(snapshot, story, until + 24 * HOUR)
    jobs = {i: j for j in (*snapshot.pending, *story.arrivals) for i in single_ids(j.spec)}
    runs = {i: (s.at, s.at + story.run_s[i], s.node_names) for i, s in starts.items()}
    snapshots = [
        _seen(snapshot, jobs, runs, at) for at in range(snapshot.taken_at, until + 1, MINUTE)
    ]
    return snapshots, [_over(jobs[i], run) for i, run in sorted(runs.items())]


def _seen(snapshot, jobs, runs, at):
    unborn = [i for i, job in jobs.items() if job.spec.submitted_at > at]
    begun = [i for i, (start, _, _) in runs.items() if start < at]
    return replace(
        snapshot,
        taken_at=at,
        pending=tuple(job for i, job in jobs.items() if i not in begun and i not in unborn),
        running=tuple(_running(jobs[i], runs[i]) for i in begun if runs[i][1] > at),
    )


def _running(job, run):
    start, _, names = run
    shares = tuple(NodeShare(node=name, cpus=4, memory_mb=8000) for name in names)
    return RunningJob(spec=job.spec, started_at=start, allocation=shares)


def _over(job, run):
    start, end, names = run
    return FinishedJob(
        spec=job.spec,
        ended_at=end,
        outcome=Outcome.COMPLETED,
        started_at=start,
        node_names=names,
    )
