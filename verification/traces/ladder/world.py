"""A trace of the Standard Workload Format as a cluster whose every start is known."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from predictor.domain import JobSpec
from predictor.errors import DocumentError
from verification.traces.described import DESCRIBED, spec_of
from verification.traces.jobs import NEEDED, Jobs, normalise
from verification.traces.replay import Policy, replay_jobs
from verification.traces.swf import Trace, read


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class World:
    """Jobs in order of submission, and what EASY makes of them. Lists run alike."""

    name: str
    machine: int
    """Processors."""
    origin_at: int
    """Of what the trace counts its seconds from, in UTC epoch seconds."""
    specs: Sequence[JobSpec]
    """A processor is a node of one CPU."""
    submits: Sequence[int]
    """UTC epoch seconds; likewise below."""
    starts: Sequence[int]
    ends: Sequence[int]
    runs: Sequence[int]
    """Seconds; likewise the limits, which nobody exceeds."""
    limits: Sequence[int]

    @property
    def load(self) -> float:
        """The share of the processors' time until the last end that is used."""
        used = sum(
            run * spec.request.nodes for run, spec in zip(self.runs, self.specs, strict=True)
        )
        return used / (self.machine * (max(self.ends) - self.submits[0]))


def world_of(path: Path, *, skip: int = 0, first: int | None = None, squeeze: float = 1.0) -> World:
    """Read a trace and replay the `first` jobs after those to skip, or all, under EASY.

    Submissions are `squeeze` times as far apart. Who ran longer than his limit is stopped there:
    a limit that is stretched to the run time would tell it. Raises DocumentError.
    """
    trace = read(path, (*NEEDED, *DESCRIBED))
    machine = trace.header.max_procs
    if machine is None:
        raise DocumentError("the header has no MaxProcs", place=str(path))
    jobs = normalise(trace, machine)
    jobs = _part(jobs, skip, len(jobs) if first is None else first)
    if not len(jobs):
        raise DocumentError("no job to replay", place=str(path))
    rows = {number: row for row, number in enumerate(trace.columns["number"])}
    places = [rows[number] for number in jobs.numbers]
    limits = _limits(trace, places)
    runs = [min(run_s, limit_s) for run_s, limit_s in zip(jobs.runs, limits, strict=True)]
    jobs = replace(
        jobs,
        submits=_packed([round(at * squeeze) for at in jobs.submits]),
        limits=_packed(limits),
        runs=_packed(runs),
    )
    return _replayed(path.name, jobs, trace, places)


def _part(jobs: Jobs, skip: int, count: int) -> Jobs:
    """Return `count` jobs after those to skip; the first submission is second 0 again."""
    part = slice(skip, skip + count)
    submits = list(jobs.submits[part])
    first_at = min(submits, default=0)
    return replace(
        jobs,
        numbers=jobs.numbers[part],
        submits=_packed([at - first_at for at in submits]),
        runs=jobs.runs[part],
        procs=jobs.procs[part],
        limits=jobs.limits[part],
    )


def _limits(trace: Trace, places: Sequence[int]) -> list[int]:
    """Return what each asked for; who did not, gets the longest of the trace."""
    asked = trace.columns["requested_s"]
    longest = max(1, max(asked[place] for place in places))
    return [asked[place] if asked[place] > 0 else longest for place in places]


def _packed(values: Sequence[int]) -> memoryview:
    return memoryview(array("q", values))


def _replayed(name: str, jobs: Jobs, trace: Trace, places: Sequence[int]) -> World:
    origin_at = (trace.header.unix_start_time or 0) + trace.columns["submit_s"][places[0]]
    starts = [origin_at + at for at in replay_jobs(jobs, Policy.EASY).starts]
    submits = [origin_at + at for at in jobs.submits]
    return World(
        name=name,
        machine=jobs.machine,
        origin_at=origin_at,
        specs=[
            _spec(number, place, procs, limit_s, at, trace)
            for number, (place, procs, limit_s, at) in enumerate(
                zip(places, jobs.procs, jobs.limits, submits, strict=True)
            )
        ],
        submits=submits,
        starts=starts,
        ends=[at + run_s for at, run_s in zip(starts, jobs.runs, strict=True)],
        runs=list(jobs.runs),
        limits=list(jobs.limits),
    )


def _spec(number: int, place: int, procs: int, limit_s: int, at: int, trace: Trace) -> JobSpec:
    whose = (trace.columns[one][place] for one in DESCRIBED)
    return spec_of(number, *whose, procs=procs, limit_s=limit_s, at=at)
