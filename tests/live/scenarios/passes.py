"""Print how plans agree with the passes that a real controller logged. Needs no Slurm.

    PYTHONPATH=tests python -m live.scenarios.passes FOLDER ... [--all]

Each FOLDER is a scenario recorded with --log. Each pass of the backfill scheduler is compared with
the plan from the last snapshot before it, if nothing has happened between the two, nor in the pass
before the snapshot: of each job that it planned or started, the start, to the second, and the
nodes. A pass lets go of its locks now and then; what it finds once something has happened meanwhile
is left out, as no snapshot from before could tell it, and so is a pass whose snapshot is not of one
moment before it (`Pass.is_told_by`). Of a job in several partitions and of an
array the earliest of either counts. Of each pass that differs the first job is printed that does,
in the order of the pass; with --all all that the pass found. None of them follows from an earlier
one, so each shows a rule that is missing or wrong, or something that happened within the second of
the snapshot.
"""

import argparse
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

import click

from collectors.capture import Capture
from collectors.slurm.words.hostlists import expanded
from predictor.domain import Snapshot
from predictor.plan import plan
from predictor.site import default

LOG = "slurmctld.log"
FRESH_S = 4
"""No snapshot is compared with a pass so much later."""
WITHIN_S = 0.4
"""So long before it was taken something may have happened that the snapshot does not show."""
LINE = re.compile(r"\[(\S+)\] (.*)")
PLANNED = re.compile(
    r"_dump_job_sched: (?:BACKFILL: )?JobId=([\d+]+)\S* to start at (\S+), end at \S+ "
    r"on nodes (\S+) in"
)
TESTED = re.compile(r"BACKFILL: test for JobId=([\d+]+) Prio=(\d+)")
STARTED = re.compile(r"backfill: _start_job: Started JobId=([\d+]+)\S* in \S+ on (\S+)")
HAPPENED = re.compile(
    r"_job_complete: JobId=\S+ done|Allocate JobId|submit_batch_job|_slurm_rpc_(?:update|resv)"
    r"|_slurm_rpc_kill|job_signal|update_node|preempted JobId|Time limit exhausted"
    r"|cleanup_completing"
)
SUBMITTED = "submit_batch_job"
"""A pass that has begun does not see who comes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Where and when a job is to start."""

    start_at: int
    nodes: frozenset[str]

    def differs(self, other: "Found | None") -> bool:
        """Return whether the other start is another one, or none."""
        return other is None or abs(self.start_at - other.start_at) > 1 or self.nodes != other.nodes

    def said(self, now: int) -> str:
        """Return it in words, in seconds after the pass."""
        return f"{self.start_at - now} s on {','.join(sorted(self.nodes))}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """What a pass of the backfill scheduler found, by job, in its order."""

    at: float
    found: dict[str, Found] = field(default_factory=dict)
    priority: dict[str, int] = field(default_factory=dict)
    """By which it went, of each job that it tested, in the partition that it tested last."""

    def is_told_by(self, snapshot: Snapshot) -> bool:
        """Return whether a snapshot is of one moment, before the pass looked at anybody."""
        waiting = {bare(job.spec.id) for job in snapshot.pending}
        if not self.found.keys() <= waiting:
            return False
        if any(job.started_at >= int(self.at) for job in snapshot.running):
            return False
        if any((job.estimate.evaluated_at or 0) > self.at for job in snapshot.pending):
            return False
        # Priorities may have been counted anew in between: they are shown twice, and logged. Those
        # of jobs on hold and of tasks that were sent back differ also otherwise.
        shown = [job for job in snapshot.pending if bare(job.spec.id) == job.spec.id]
        return all(
            job.priorities[0].priority == told == self.priority.get(job.spec.id, told)
            for job in shown
            if len(job.priorities) == 1 and (told := job.spec.priority)
        )

    def note(self, job: str, start_at: int, nodes: str) -> None:
        """Note a slot, or a start, of a job, if it is its earliest."""
        earliest = self.found.get(job)
        if earliest is None or start_at < earliest.start_at:
            self.found[job] = Found(start_at=start_at, nodes=frozenset(expanded(nodes)))


def read(log: Path) -> tuple[list[Pass], list[float]]:
    """Return the passes that a controller logged, and when anything else happened.

    Of each pass as much as it found before anything happened that is not its own work.
    """
    passes: list[Pass] = []
    happened: list[float] = []
    is_apart = False
    for line in log.read_text(errors="replace").splitlines():
        if not (told := LINE.fullmatch(line)):
            continue
        at, said = datetime.fromisoformat(told[1]).timestamp(), told[2]
        if "_attempt_backfill: beginning" in said:
            passes.append(Pass(at=at))
            is_apart = False
        elif passes and (tested := TESTED.search(said)):
            passes[-1].priority[tested[1]] = int(tested[2])
        elif passes and (slot := PLANNED.search(said)):
            if not is_apart:
                passes[-1].note(slot[1], _seconds(slot[2]), slot[3])
        elif passes and (start := STARTED.search(said)):
            if not is_apart:
                passes[-1].note(start[1], int(passes[-1].at), start[2])
            happened.append(at)
        elif HAPPENED.search(said):
            happened.append(at)
            is_apart = is_apart or SUBMITTED not in said
    return passes, happened


def _seconds(said: str) -> int:
    """Return an instant, which may be logged as seconds since the epoch."""
    return int(said) if said.isdecimal() else int(datetime.fromisoformat(said).timestamp())


def bare(id_: str) -> str:
    """Return the id of all tasks of an array, or of a job."""
    return id_.partition("_")[0]


def planned(snapshot: Snapshot, at: int) -> Mapping[str, Found]:
    """Return the plan from a snapshot as if it had been taken then, by job."""
    found: dict[str, Found] = {}
    running = tuple(
        replace(job, started_at=at) if job.is_sent_back(snapshot.taken_at) else job
        for job in snapshot.running
    )
    then = replace(snapshot, taken_at=at, running=running)
    for id_, one in plan(then, default()).items():
        job = bare(id_)
        if job not in found or one.start_at < found[job].start_at:
            found[job] = Found(start_at=one.start_at, nodes=frozenset(one.node_names))
    return found


def compared(folder: Path) -> Iterator[tuple[Pass, Mapping[str, Found]]]:
    """Yield each pass that found anything and can be compared, with the plan beside it."""
    snapshots = [observation.snapshot for observation in Capture(folder).observations()]
    passes, happened = read(folder / LOG)
    for one in passes:
        known = [snapshot for snapshot in snapshots if snapshot.taken_at <= one.at]
        if not known or not one.found or one.at - known[-1].taken_at > FRESH_S:
            continue
        if any(known[-1].taken_at - WITHIN_S <= at < one.at for at in happened):
            continue
        if one.is_told_by(known[-1]):
            yield one, planned(known[-1], int(one.at))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--all", action="store_true", help="all that a pass found that differs")
    options = parser.parse_args()
    for folder in options.folders:
        seen = list(compared(folder))
        agree, same, starts = 0, 0, 0
        for one, beside in seen:
            wrong = [job for job, found in one.found.items() if found.differs(beside.get(job))]
            agree += not wrong
            same += len(one.found) - len(wrong)
            starts += len(one.found)
            shown = list(one.found) if wrong and options.all else wrong[:1]
            for job in shown:
                click.echo(f"  {datetime.fromtimestamp(one.at):%T} " + line(one, beside, job))
        told = f"{agree} of {len(seen)} passes agree, {same} of {starts} starts"
        click.echo(f"{folder.name}: {told}")


def line(one: Pass, beside: Mapping[str, Found], job: str) -> str:
    """Return what the pass found for a job, and what the plan says."""
    now, ours = int(one.at), beside.get(job)
    said = "nothing" if ours is None else ours.said(now)
    return f"{job}: {one.found[job].said(now)}; planned: {said}"


if __name__ == "__main__":
    main()
