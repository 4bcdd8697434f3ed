"""How far off run times are told on public traces, by every model and for who waits and who runs.

    python tests/bench/run_time_models.py KTH-SP2-1996-2.1-cln.swf.gz
    python tests/bench/run_time_models.py CEA-Curie-2011-2.1-cln.swf.gz --first 114000 --jobs 30000
    python tests/bench/run_time_models.py LLNL-Atlas-2006-2.1-cln.swf.gz --models history,limit

Each job is estimated when it is submitted, and each that runs every so many hours again; only jobs
that have ended by then are known. Jobs start when they really did (where the trace does not say,
on submission). User, executable as job name, queue, requested time and processors are what a model
is told. A model's point is the middle of its law. Beside it stand the loss of the law (the mean
pinball loss at 5, 10, 25, 50, 75, 90 and 95 %) and the share of run times between 10 and 90 %.
"""

import argparse
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median_low

from predictor.domain import JobSpec, Outcome, Request, Untrusted
from predictor.domain.durations import DAY_S as DAY
from predictor.domain.durations import HOUR_S as HOUR
from predictor.runtimes.ended import Ended
from predictor.runtimes.estimate import Estimate
from predictor.runtimes.law import LONGER_S, Law
from predictor.runtimes.models import MODELS
from predictor.swf import FIELDS as ALL_FIELDS
from verification.traces.swf import read

LEVELS = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95)
POINT, LOW, HIGH = LEVELS.index(0.5), LEVELS.index(0.1), LEVELS.index(0.9)
FIELDS = tuple(name for name in ALL_FIELDS if not name.endswith("_kib"))
OUTCOMES = {0: Outcome.FAILED, 1: Outcome.COMPLETED, 5: Outcome.CANCELLED}


@dataclass(frozen=True, slots=True)
class Job:
    """A job of the trace with the instants of its life, in seconds of the trace."""

    start: int
    ended: Ended

    @property
    def submit(self) -> int:
        return self.ended.spec.submitted_at


class BackOff:
    """A yardstick: the median of the last 20 of the most special kind with 3 that ran longer."""

    def __init__(self) -> None:
        self.known: dict[object, deque[int]] = defaultdict(lambda: deque(maxlen=20))

    @staticmethod
    def kinds(spec: JobSpec, limit_s: int) -> Iterator[object]:
        yield spec.user, spec.name, spec.partitions, limit_s, spec.request.nodes
        yield spec.user, spec.name, limit_s
        yield spec.user, limit_s
        yield spec.user
        yield "partition", spec.partitions, limit_s
        yield "all"

    def learn(self, ended: Iterable[Ended]) -> None:
        for job in ended:
            for kind in self.kinds(job.spec, job.limit_s):
                self.known[kind].append(job.run_s)

    def estimate(self, spec: JobSpec, limit_s: int, elapsed_s: int = 0) -> Estimate:
        likes = (self.known.get(kind, ()) for kind in self.kinds(spec, limit_s))
        longer = ([run_s for run_s in last if run_s > elapsed_s] for last in likes)
        found = next((median_low(last) for last in longer if len(last) >= 3), limit_s)
        law = Law.certain(max(min(found, limit_s), elapsed_s + LONGER_S if elapsed_s else 1))
        return Estimate(law=law, because="", likes="")


@dataclass
class Score:
    """Run times against what was told of them."""

    off: list[int] = field(default_factory=list)
    loss: float = 0.0
    within: int = 0

    def add(self, law: Law, job: Ended) -> None:
        told, run_s = [law.quantile(level) for level in LEVELS], job.run_s
        self.off.append(abs(told[POINT] - run_s))
        self.within += told[LOW] <= min(run_s, max(job.limit_s, law.atoms[0])) <= told[HIGH]
        for level, at in zip(LEVELS, told, strict=True):
            self.loss += max(level * (run_s - at), (level - 1) * (run_s - at)) / len(LEVELS)

    def row(self) -> str:
        if not self.off:
            return f"{'nobody':>9}"
        off, jobs = sorted(self.off), len(self.off)
        figures = (sum(off) / jobs, off[jobs // 2], off[jobs * 9 // 10], self.loss / jobs)
        return "".join(f"{one:>9.0f}" for one in figures) + f"{self.within / jobs:>8.2f}"


def jobs_of(path: Path, first: int, jobs: int | None, longest_s: int) -> list[Job]:
    """Return the jobs that ran, in the order of their submission."""
    columns = read(path, FIELDS, skip_bad_lines=True).columns
    rows = [
        dict(zip(FIELDS, row, strict=True))
        for row in zip(*(columns[name] for name in FIELDS), strict=True)
    ]
    rows.sort(key=lambda row: row["submit_s"])
    rows = rows[first : first + jobs if jobs else None]
    return [job_of(row, longest_s) for row in rows if row["run_s"] > 0 and row["submit_s"] >= 0]


def job_of(row: dict[str, int], longest_s: int) -> Job:
    procs = max(1, row["requested_procs"], row["allocated_procs"] * (row["requested_procs"] < 1))
    limit_s = min(row["requested_s"] if row["requested_s"] > 0 else longest_s, longest_s)
    queue = row["queue"] if row["queue"] >= 0 else row["partition"]
    start = row["submit_s"] + max(0, row["wait_s"])
    spec = JobSpec(
        id=str(row["number"]),
        user=str(row["user"]),
        account=str(row["group"]),
        name=Untrusted(str(row["executable"])),
        partitions=(str(queue),),
        request=Request(nodes=procs, cpus=procs, limit_s=limit_s),
        submitted_at=row["submit_s"],
    )
    ended = Ended(
        spec=spec,
        run_s=row["run_s"],
        limit_s=limit_s,
        ended_at=start + row["run_s"],
        outcome=OUTCOMES.get(row["status"], Outcome.OTHER),
    )
    return Job(start=start, ended=ended)


class Past:
    """Jobs in the order of their ends, each told of once."""

    def __init__(self, jobs: Sequence[Job]) -> None:
        self.ended = sorted((job.ended for job in jobs), key=lambda one: one.ended_at)
        self.told = 0

    def until(self, at: int) -> list[Ended]:
        first = self.told
        while self.told < len(self.ended) and self.ended[self.told].ended_at <= at:
            self.told += 1
        return self.ended[first : self.told]


def waiting(make: Callable[[], object], jobs: Sequence[Job], skipped: int) -> Score:
    model, past, score = make(), Past(jobs), Score()
    for number, job in enumerate(jobs):
        model.learn(past.until(job.submit))
        if number >= skipped:
            score.add(model.estimate(job.ended.spec, job.ended.limit_s).law, job.ended)
    return score


def running(make: Callable[[], object], jobs: Sequence[Job], skipped: int, every_s: int) -> Score:
    model, past, score = make(), Past(jobs), Score()
    by_start = deque(sorted(jobs, key=lambda job: job.start))
    there: list[Job] = []
    for at in count(jobs[0].submit, every_s):
        if at > jobs[-1].submit:
            return score
        while by_start and by_start[0].start <= at:
            there.append(by_start.popleft())
        there = [job for job in there if job.ended.ended_at > at]
        model.learn(past.until(at))
        for job in there if at >= jobs[skipped].submit else ():
            law = model.estimate(job.ended.spec, job.ended.limit_s, at - job.start).law
            score.add(law, job.ended)
    raise AssertionError("time ends")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("traces", type=Path, nargs="+")
    parser.add_argument("--first", type=int, default=0, help="so many jobs are left out")
    parser.add_argument("--jobs", type=int, help="only so many after those")
    parser.add_argument("--skip", type=float, default=0.2, help="this share is learned from only")
    parser.add_argument("--until", type=float, default=1.0, help="only this share of the jobs")
    parser.add_argument("--every-h", type=float, default=6, help="hours between looks at who runs")
    parser.add_argument("--longest-d", type=float, default=3, help="no limit is longer, in days")
    parser.add_argument("--models", default="limit,last-two,rules,median-20,history")
    args = parser.parse_args()
    makers: dict[str, Callable[[], object]] = {**MODELS, "median-20": BackOff}
    for path in args.traces:
        jobs = jobs_of(path, args.first, args.jobs, round(args.longest_d * DAY))
        jobs = jobs[: round(len(jobs) * args.until)]
        skipped = round(len(jobs) * args.skip)
        print(f"{path.name}: {len(jobs)} jobs, {skipped} of them skipped")
        print(f"{'':<20}{'MAE s':>9}{'median':>9}{'p90':>9}{'loss':>9}{'within':>8}{'CPU s':>8}")
        for name in args.models.split(","):
            began = time.process_time()
            score = waiting(makers[name], jobs, skipped)
            print(f"{name:<10}{'waiting':<10}{score.row()}{time.process_time() - began:>8.1f}")
            score = running(makers[name], jobs, skipped, round(args.every_h * HOUR))
            print(f"{'':<10}{'running':<10}{score.row()}", flush=True)


if __name__ == "__main__":
    main()
