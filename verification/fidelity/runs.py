"""When and where jobs ran, by accounting and by the snapshots that show them running."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from predictor.domain import (
    FinishedJob,
    JobSpec,
    NodeShare,
    Outcome,
    RunningJob,
    RunState,
    Snapshot,
)
from predictor.runtimes.booting import Beginnings, Begun
from predictor.simulation.dependencies import single_ids


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A job's time on its nodes. Instants are UTC epoch seconds, by accounting where it tells."""

    spec: JobSpec
    """By the first snapshot that shows it running, else by accounting.

    Later ones may show what was only made of it then: who holds a job that runs leaves it running,
    but with a priority of 0.
    """
    started_at: int
    ended_at: int | None
    """None: it ran on when the recording ended."""
    node_names: tuple[str, ...]
    outcome: Outcome | None = None
    """How it ended; None: nobody tells."""
    allocation: tuple[NodeShare, ...] = ()
    """What it held of each node; empty for one that no snapshot shows."""
    suspended_s: int = 0
    """So long it stood still, as far as snapshots show it."""


Later = Mapping[tuple[str, int], int]
"""By a job's id and the start first told: when it really began, where that is later."""


def begun(snapshots: Iterable[Snapshot], ends: Iterable[FinishedJob]) -> tuple[Begun, ...]:
    """Return who began to run only once nodes had booted."""
    beginnings = Beginnings()
    found = [one for snapshot in snapshots for one in beginnings.see(snapshot)]
    for end in ends:
        if end.started_at is not None:
            found += beginnings.settle(end.spec.id, end.started_at)
    return tuple(found)


def runs_of(
    snapshots: Sequence[Snapshot], ends: Iterable[FinishedJob], later: Later
) -> Mapping[str, tuple[Run, ...]]:
    """Return everybody's runs in order, by single id. `later`: who began later than first told.

    Who was sent back is shown as completing with a start to come until its nodes are cleared: what
    only that tells of is no run.
    """
    found: dict[tuple[str, int, str], Run] = {}
    doubtful: set[tuple[str, int, str]] = set()
    for number, snapshot in enumerate(snapshots):
        after = snapshots[number + 1 : number + 2]
        gone_at = after[0].taken_at if after else None
        still = {(job.spec.id, job.started_at) for s in after for job in s.running}
        for job in snapshot.running:
            if (job.spec.id, job.started_at) in later:
                continue
            over = (job.spec.id, job.started_at) not in still
            for id_ in single_ids(job.spec):
                key = (id_, job.started_at, job.spec.id)
                if job.state is RunState.COMPLETING and key not in found:
                    doubtful.add(key)
                found[key] = _seen_run(job, gone_at if over else None, found.get(key))
    for end in ends:
        if end.started_at is not None:
            for id_ in single_ids(end.spec):
                key = (id_, end.started_at, end.spec.id)
                found[key] = _ended_run(end, found.get(key))
                doubtful.discard(key)
    for key in doubtful:
        del found[key]
    by_id: dict[str, list[Run]] = defaultdict(list)
    for (id_, _, _), run in sorted(found.items(), key=lambda item: item[0][1]):
        by_id[id_].append(run)
    return {id_: tuple(runs) for id_, runs in by_id.items()}


def _seen_run(job: RunningJob, ended_at: int | None, known: Run | None) -> Run:
    if known is not None and job.state is RunState.COMPLETING:
        # It gives its nodes back one after the other.
        return replace(known, ended_at=ended_at)
    return Run(
        spec=known.spec if known else job.spec,
        started_at=job.started_at,
        ended_at=ended_at,
        node_names=tuple(share.node for share in job.allocation),
        allocation=job.allocation,
        suspended_s=job.suspended_s,
    )


def _ended_run(end: FinishedJob, known: Run | None) -> Run:
    if known is not None:
        return replace(known, ended_at=end.ended_at, outcome=end.outcome)
    return Run(
        spec=end.spec,
        started_at=end.started_at or 0,
        ended_at=end.ended_at,
        node_names=end.node_names,
        outcome=end.outcome,
    )
