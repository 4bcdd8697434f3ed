"""The impossible-start check: every real start, put to the replica's model of resources.

It needs no prediction. Whatever really started and the model would refuse is a fault of the
model, unless the record is too coarse to tell.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from predictor.domain import PendingJob, RunningJob, RunState, Snapshot
from predictor.simulation.dependencies import single_ids
from predictor.site import Site, overlay
from verification.fidelity.history import History, number_at
from verification.fidelity.runs import Run
from verification.fidelity.world import Verdict, World, placed

LAG_S = 5
"""So long after the nodes were free accounting may say that a job ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One real start: what the model says, and what explains it."""

    job_id: str
    at: int
    verdict: Verdict
    explained: str = ""
    """Why the recording cannot tell, where it refuses; empty: it can."""

    @property
    def kind(self) -> str:
        """`admitted`, `explained: ...` or `refused: ...`."""
        if not self.verdict:
            return "admitted"
        return f"explained: {self.explained}" if self.explained else f"refused: {self.verdict.kind}"


def check(history: History, number: int, site: Site) -> tuple[Checked, ...]:
    """Check all starts after the snapshot of that number up to the next one."""
    instants = history.instants
    until = instants[number + 1] if number + 1 < len(instants) else instants[number]
    return tuple(
        _checked(history, number, id_, run, site)
        for id_, run in history.started(instants[number], until)
    )


def running_at(
    history: History, number: int, at: int, snapshot: Snapshot
) -> Iterator[tuple[str, RunningJob, int | None]]:
    """Yield who really ran at an instant after a snapshot, with single ids and ends.

    A job that ends at the instant runs no more; one that starts then runs already.
    """
    for job in snapshot.running:
        for place, id_ in enumerate(single_ids(job.spec)):
            run = _run_of(history, id_, job)
            ended_at = run.ended_at if run is not None else None
            if place == 0 and job.started_at <= at and (ended_at is None or ended_at > at):
                yield id_, job, ended_at
    known = {(job.spec.id, job.started_at) for job in snapshot.running}
    for id_, run in history.started(snapshot.taken_at, at):
        here = run.ended_at is None or run.ended_at > at
        if here and (run.spec.id, run.started_at) not in known:
            yield id_, as_running(run, snapshot), run.ended_at


def as_running(run: Run, snapshot: Snapshot) -> RunningJob:
    """Return a run as a running job, by what it held or at least asked for."""
    if run.allocation:
        return RunningJob(spec=run.spec, started_at=run.started_at, allocation=run.allocation)
    return placed(run.spec, run.started_at, run.node_names, snapshot)


def _run_of(history: History, id_: str, job: RunningJob) -> Run | None:
    runs = history.runs.get(id_, ())
    return next((run for run in runs if run.started_at == job.started_at), None)


def _checked(history: History, number: int, id_: str, run: Run, site: Site) -> Checked:
    at = run.started_at
    snapshot = overlay(site, history.snapshots[number])
    holders = [
        (job, ended_at)
        for other, job, ended_at in running_at(history, number, at, snapshot)
        if (other, job.started_at) != (id_, at)
    ]
    job = _as_waiting(history, number, id_, run)
    here = replace(snapshot, taken_at=at, running=tuple(job for job, _ in holders))
    verdict = World(here).verdict(job, run.node_names)
    explained = ""
    if verdict:
        explained = _explained(history, number, run, job, here, holders, site)
    return Checked(job_id=id_, at=at, verdict=verdict, explained=explained)


def _as_waiting(history: History, number: int, id_: str, run: Run) -> PendingJob:
    """Return the job as it waited last, for the partition in which it started."""
    shown = history.record_at(id_, number_at(history.instants, run.started_at))
    if shown is None:
        return PendingJob(spec=run.spec)
    return replace(shown, spec=replace(shown.spec, partitions=run.spec.partitions))


def _explained(
    history: History,
    number: int,
    run: Run,
    job: PendingJob,
    here: Snapshot,
    holders: Sequence[tuple[RunningJob, int | None]],
    site: Site,
) -> str:
    """Return what the recording is too coarse to tell; empty if that does not explain it."""

    def is_admitted_beside(running: tuple[RunningJob, ...]) -> bool:
        return not World(replace(here, running=running)).verdict(job, run.node_names)

    staying = tuple(
        job for job, ended_at in holders if ended_at is None or ended_at > here.taken_at + LAG_S
    )
    if len(staying) < len(holders) and is_admitted_beside(staying):
        return f"a job's end is told up to {LAG_S} s late"
    left = tuple(job for job in staying if job.state is not RunState.COMPLETING)
    if len(left) < len(staying) and is_admitted_beside(left):
        return "a job that was completing had given back what it held"
    if number + 1 < len(history.snapshots):
        after = overlay(site, history.snapshots[number + 1])
        later = replace(after, taken_at=here.taken_at, running=here.running)
        if not World(later).verdict(job, run.node_names):
            return "nodes, reservations or limits changed between two snapshots"
    return ""
