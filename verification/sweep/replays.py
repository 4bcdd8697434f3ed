"""The kind of run `replay`: a workload trace under FCFS, EASY or conservative backfilling."""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Annotated, Literal

from pydantic import Field

from predictor.domain.durations import WEEK_S
from predictor.site.table import Table
from verification.measures import Ran, Watch
from verification.sweep.digests import digest_of_file
from verification.sweep.kinds import Course, Outcome, Settings
from verification.sweep.settings import PlainKind, faults_by
from verification.traces.jobs import NEEDED, Jobs
from verification.traces.replay import MOST_PROCS, Policy, Replay, Semantics, jobs_of, replay_jobs
from verification.traces.swf import Trace, read


class ReplaySettings(Table):
    """What may be set; but for `shake_s` as in `queuecast bench swf`."""

    policy: Literal["fcfs", "easy", "conservative"] = "easy"
    semantics: Literal["per-instant", "per-event", "perfect"] = "per-instant"
    procs: Annotated[int, Field(ge=1, le=MOST_PROCS)] | None = None
    shake_s: Annotated[int, Field(ge=0, le=WEEK_S)] = 0
    """Each draw submits every job up to so many seconds later, by chance."""


class Replays(PlainKind):
    """Replays of traces in the Standard Workload Format on a pool of processors.

    Draws show how far a result hangs on details of the trace: Tsafrir, Ouaknine & Feitelson,
    Reducing performance evaluation sensitivity and variability by input shaking, MASCOTS 2007.
    """

    name = "replay"
    figures = (
        "mean_wait_s",
        "mean_slowdown",
        "most_wait_s",
        "utilisation",
        "makespan_s",
        "jobs",
    )

    def faults(self, settings: Settings) -> Iterator[tuple[str, str]]:
        """Yield each setting that cannot be, and what would have been right."""
        yield from faults_by(ReplaySettings, settings)

    def chance(self, settings: Settings) -> bool:
        """Return whether another seed may bring another outcome."""
        return ReplaySettings.model_validate(settings).shake_s > 0

    def digest(self, path: Path) -> str:
        """Return a hash over the bytes of the trace. Raises OSError."""
        return digest_of_file(path)

    def read(self, path: Path) -> Trace:
        """Return the columns of a trace that decide a replay. Raises DocumentError."""
        return read(path, NEEDED)

    def run(self, read: Trace, settings: Settings, seed: int) -> Outcome:
        """Replay once. Raises DocumentError if the trace does not say how large the machine is."""
        made = _replayed(read, settings, seed)[1]
        return Outcome(
            figures={
                "mean_wait_s": made.mean_wait_s,
                "mean_slowdown": made.mean_bounded_slowdown,
                "most_wait_s": made.max_wait_s,
                "utilisation": made.utilisation,
                "makespan_s": made.makespan_s,
                "jobs": made.jobs,
            },
            sha256=made.starts_sha256,
        )

    def course(self, read: Trace, settings: Settings, seed: int) -> Course:
        """Replay once, and return when everybody ran; places are not told. Raises DocumentError."""
        jobs, made = _replayed(read, settings, seed)
        rows = zip(jobs.numbers, jobs.submits, jobs.runs, jobs.procs, made.starts, strict=True)
        return Course(
            jobs=[
                Ran(id=str(number), submit_at=submit, start_at=at, end_at=at + run_s, cpus=procs)
                for number, submit, run_s, procs, at in rows
            ],
            watch=Watch(since=0, until=made.makespan_s, cpus=made.procs),
        )


def _replayed(trace: Trace, settings: Settings, seed: int) -> tuple[Jobs, Replay]:
    chosen = ReplaySettings.model_validate(settings)
    jobs = shaken(jobs_of(trace, chosen.procs), chosen.shake_s, seed)
    return jobs, replay_jobs(jobs, Policy(chosen.policy), Semantics(chosen.semantics))


def shaken(jobs: Jobs, shake_s: int, seed: int) -> Jobs:
    """Return the jobs, each submitted by chance 0 to `shake_s` seconds later, in their new order.

    Chance depends on the seed and the job's place only. The first submission is second 0 again.
    """
    if shake_s == 0:
        return jobs
    source = Random(seed)  # noqa: S311 - no secret
    later = [at + source.randint(0, shake_s) for at in jobs.submits]
    order = sorted(range(len(later)), key=later.__getitem__)
    return replace(
        jobs,
        numbers=_packed(jobs.numbers, order),
        submits=_packed([at - later[order[0]] for at in later], order),
        runs=_packed(jobs.runs, order),
        procs=_packed(jobs.procs, order),
        limits=_packed(jobs.limits, order),
    )


def _packed(column: Sequence[int], order: Sequence[int]) -> memoryview:
    return memoryview(array("q", map(column.__getitem__, order))).toreadonly()
