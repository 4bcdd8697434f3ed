"""Replay a trace under a policy and sum up what became of its jobs."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, cast

from predictor.errors import DocumentError
from predictor.hashing import sha256
from predictor.swf import Header
from verification.traces.conservative import Conservative
from verification.traces.easy import Easy
from verification.traces.jobs import NEEDED, Jobs, normalise
from verification.traces.swf import Trace, read
from verification.traces.tally import Tally

MOST_PROCS: Final = 10**15


class Policy(StrEnum):
    """Who may start before whom."""

    FCFS = "fcfs"
    """Nobody passes a blocked job."""
    EASY = "easy"
    """A later job may pass, as long as the first blocked one is not expected to start later."""
    CONSERVATIVE = "conservative"
    """Every job gets a reservation when it is submitted; ends before the limit bring it forward."""


class Semantics(StrEnum):
    """When the scheduler runs and what it knows."""

    PER_INSTANT = "per-instant"
    """It runs once for all that happens in a second, and expects jobs to use up their limits."""
    PER_EVENT = "per-event"
    """It runs after each single event, submissions before ends, as PYSS does."""
    PERFECT = "perfect"
    """It runs once a second and knows run times; EASY is without its extra-nodes rule.

    With EASY this is what sim-runner of HPC-workload-optimizer does.
    """


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Replay:
    """What became of the jobs of a trace. Names ending in `_s` are seconds."""

    procs: int
    """Of the machine."""
    jobs: int
    """So many started."""
    incomplete: int
    """Left out, because submit time, run time or size are unknown or not positive."""
    too_wide: int
    """Refused, because they ask for more processors than the machine has."""
    mean_wait_s: float
    max_wait_s: int
    mean_bounded_slowdown: float
    """Runs below 10 s count as 10 s; at least 1."""
    makespan_s: int
    """From the first submission to the last end."""
    utilisation: float
    """Share of the processors' time in the makespan that jobs used, in [0, 1]."""
    starts: memoryview
    """Seconds from the first submission, in order of submission; whole numbers (`q`), read-only."""
    starts_sha256: str
    """Over the bytes of `starts`: equal if and only if all starts are."""


def replay(
    path: Path,
    policy: Policy,
    semantics: Semantics = Semantics.PER_INSTANT,
    procs: int | None = None,
) -> Replay:
    """Read the trace in `path`, normalise it, and let all its jobs start on `procs` processors.

    `procs` None takes the header's MaxProcs. Raises DocumentError with the place if the file cannot
    be read, has a bad line, does not say how large the machine is, or holds no job to replay.
    """
    return replay_jobs(jobs_of(read(path, NEEDED), procs), policy, semantics)


def jobs_of(trace: Trace, procs: int | None) -> Jobs:
    """Return the jobs of a trace that can be replayed, at least one.

    `procs` None takes the header's MaxProcs. Raises DocumentError as `replay` does.
    """
    machine = _machine(trace.header, procs, trace.path)
    jobs = normalise(trace, machine)
    if not len(jobs):
        raise DocumentError(
            f"no job to replay: {jobs.incomplete} without submit time, run time or size, "
            f"{jobs.too_wide} wider than {machine} processors",
            place=str(trace.path),
        )
    return jobs


def replay_jobs(jobs: Jobs, policy: Policy, semantics: Semantics = Semantics.PER_INSTANT) -> Replay:
    """Let `jobs`, of which there is at least one, start; see `replay`."""
    starts = _starts(jobs, policy, semantics)
    tally = Tally()
    tally.count(jobs.submits, jobs.runs, jobs.procs, starts)
    packed = _packed(starts)
    return Replay(
        procs=jobs.machine,
        jobs=len(jobs),
        incomplete=jobs.incomplete,
        too_wide=jobs.too_wide,
        mean_wait_s=tally.wait_s / len(jobs),
        max_wait_s=tally.most_wait_s,
        mean_bounded_slowdown=tally.bounded_slowdown / len(jobs),
        makespan_s=tally.end_at,
        utilisation=tally.procs_s / (jobs.machine * tally.end_at),
        starts=memoryview(packed).cast("q"),
        starts_sha256=sha256(packed).hexdigest(),
    )


def _starts(jobs: Jobs, policy: Policy, semantics: Semantics) -> Sequence[int]:
    perfect = semantics is Semantics.PERFECT
    limits = jobs.runs if perfect else jobs.limits
    per_event = semantics is Semantics.PER_EVENT
    given = (jobs.submits, jobs.runs, jobs.procs, limits, jobs.machine)
    if policy is Policy.CONSERVATIVE:
        conservative = Conservative(*given)
        conservative.replay(per_event)
        return conservative.result()
    easy = Easy(*given)
    easy.replay(policy is Policy.EASY, not perfect, per_event)
    return easy.result()


def _packed(starts: Sequence[int]) -> bytes:
    """Return the numbers as 64 bits each."""
    held = array("q", starts) if isinstance(starts, list) else memoryview(cast(Any, starts))
    return held.tobytes()


def _machine(header: Header, procs: int | None, path: Path) -> int:
    machine = header.max_procs if procs is None else procs
    if machine is None:
        raise DocumentError("the header has no MaxProcs: say how many processors", place=str(path))
    if not 1 <= machine <= MOST_PROCS:
        raise DocumentError(f"a machine of {machine} processors?", place=str(path))
    return machine
