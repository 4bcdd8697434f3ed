"""Recordings of a cluster whose scheduler shares no code with ours."""

from dataclasses import replace

from clusters import NOW, cluster, spec
from naive_cluster import NaiveCluster, Task, TwoPasses

from predictor.domain import (
    FinishedJob,
    NodeShare,
    Outcome,
    PassSettings,
    PendingJob,
    RunningJob,
    SchedulerSettings,
)
from verification.fidelity.history import history_of

EAGER = PassSettings(interval_s=1, step_s=1, group_s=0)
"""Looks ahead at every event, and counts every second."""


def recorded(rows, size, policy, minutes):
    """Return the history that a look a minute tells of what became of jobs.

    Each of the `rows` is submit time, nodes, run time and limit, in seconds.
    """
    tasks = [
        Task(id=str(number), submit=submit, nodes=nodes, run=run, limit=limit)
        for number, (submit, nodes, run, limit) in enumerate(rows, start=1)
    ]
    kind = TwoPasses if policy == "two-pass" else NaiveCluster
    naive = kind(size=size, policy=policy, tasks=tasks)
    naive.run()
    specs = {task.id: _spec(task) for task in tasks}
    passes = EAGER if policy == "two-pass" else None
    empty = cluster(size, settings=SchedulerSettings(multifactor=False, passes=passes))
    snapshots = [_seen(empty, tasks, specs, 60 * k) for k in range(minutes + 1)]
    return history_of(snapshots, [_over(task, specs[task.id]) for task in tasks])


def _spec(task):
    known = spec(task.id, task.nodes)
    request = replace(known.request, limit_s=task.limit)
    return replace(known, request=request, submitted_at=NOW + task.submit)


def _seen(empty, tasks, specs, at):
    there = [task for task in tasks if task.submit <= at]
    return replace(
        empty,
        taken_at=NOW + at,
        pending=tuple(PendingJob(spec=specs[t.id]) for t in there if t.start >= at),
        running=tuple(_running(t, specs[t.id]) for t in there if t.start < at < t.end),
    )


def _names(task):
    return tuple(f"n{node + 1}" for node in task.on)


def _running(task, known):
    held = tuple(NodeShare(node=name, cpus=4, memory_mb=8000) for name in _names(task))
    return RunningJob(spec=known, started_at=NOW + task.start, allocation=held)


def _over(task, known):
    return FinishedJob(
        spec=known,
        ended_at=NOW + task.end,
        outcome=Outcome.COMPLETED,
        started_at=NOW + task.start,
        node_names=_names(task),
    )
