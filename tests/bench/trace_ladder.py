"""How far off starts are said on a public trace, with one truth less in each row.

    python tests/bench/trace_ladder.py KTH-SP2-1996-2.1-cln.swf.gz
    python tests/bench/trace_ladder.py CEA-Curie-2011-2.1-cln.swf.gz --jobs 30000

The trace is replayed under EASY: that replay is the truth, so the policy is known exactly. From a
look every so many hours each waiting job's start is said again, by the same EASY:

    A  run times and arrivals as they were           (must be off by nothing)
    B  run times as they were, nobody arrives
    L  everybody runs into the limit, nobody arrives (what a batch system announces)
    H  everybody runs as jobs like it did before, nobody arrives
    C  no simulation: as long as its class waited in the middle
"""

import argparse
import time
from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from verification.judging.classes import duration_class, size_class
from verification.ladder.medians import Medians
from verification.traces.jobs import NEEDED, Jobs, normalise
from verification.traces.replay import Policy, replay_jobs
from verification.traces.swf import read

HOUR = 3600
ROWS = ("A actual run times, arrivals", "B minus arrivals", "L limits", "H history medians")
CLASS = "C class median wait"


@dataclass
class World:
    """The trace with the starts that EASY gave it."""

    jobs: Jobs
    starts: Sequence[int]
    ends: Sequence[int]
    users: Sequence[int]


@dataclass
class Look:
    """Who runs and waits at an instant, by number; and who comes later and may matter."""

    at: int
    running: list[int]
    waiting: list[int]
    coming: list[int]


def world_of(path: Path, count: int | None, squeeze: float) -> World:
    trace = read(path, (*NEEDED, "user"))
    jobs = normalise(trace, trace.header.max_procs)
    jobs = jobs.first(count) if count else jobs
    users = dict(zip(trace.columns["number"], trace.columns["user"], strict=True))
    if squeeze != 1:
        jobs = with_columns(jobs, submits=[round(at * squeeze) for at in jobs.submits])
    starts = list(replay_jobs(jobs, Policy.EASY).starts)
    ends = [at + run for at, run in zip(starts, jobs.runs, strict=True)]
    return World(jobs=jobs, starts=starts, ends=ends, users=[users[n] for n in jobs.numbers])


def with_columns(jobs: Jobs, **columns: Sequence[int]) -> Jobs:
    packed = {name: memoryview(array("q", values)) for name, values in columns.items()}
    return replace(jobs, **packed)


def looks(world: World, every_s: int) -> Iterator[Look]:
    submits = list(world.jobs.submits)
    for at in range(every_s, submits[-1], every_s):
        there = range(bisect_right(submits, at))
        running = [n for n in there if world.starts[n] <= at < world.ends[n]]
        waiting = [n for n in there if world.starts[n] > at]
        if waiting:
            last = max(world.starts[n] for n in waiting)
            coming = list(range(len(there), bisect_right(submits, last)))
            running.sort(key=world.starts.__getitem__)
            yield Look(at=at, running=running, waiting=waiting, coming=coming)


def said(world: World, look: Look, run_s: Sequence[int], coming: Sequence[int]) -> list[int]:
    """Return the starts of those waiting, if all run so long; `run_s` in the order of the look."""
    jobs = world.jobs
    numbers = [*look.running, *look.waiting, *coming]
    elapsed = [look.at - world.starts[n] for n in look.running]
    limits = [jobs.limits[n] for n in numbers]
    for place, gone in enumerate(elapsed):
        limits[place] -= gone
    limits = [max(limit, run) for limit, run in zip(limits, run_s, strict=True)]
    told = with_columns(
        jobs,
        numbers=numbers,
        submits=[max(0, jobs.submits[n] - look.at) for n in numbers],
        runs=run_s,
        procs=[jobs.procs[n] for n in numbers],
        limits=limits,
    )
    starts = replay_jobs(told, Policy.EASY).starts
    first = len(look.running)
    return [look.at + at for at in starts[first : first + len(look.waiting)]]


def kinds(world: World, n: int) -> tuple[tuple[object, ...], ...]:
    user, limit, procs = world.users[n], world.jobs.limits[n], world.jobs.procs[n]
    return ((user, limit, procs), (user, limit), (user,), ("all", limit))


def class_of(world: World, n: int) -> tuple[str, str]:
    return size_class(world.jobs.procs[n]), duration_class(world.jobs.limits[n])


class Past:
    """What is known at a look: run times of those that ended, waits of those that started."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.medians = Medians()
        self.waits: dict[object, deque[int]] = defaultdict(lambda: deque(maxlen=50))
        self.by_end = sorted(range(len(world.ends)), key=world.ends.__getitem__)
        self.by_start = sorted(range(len(world.starts)), key=world.starts.__getitem__)
        self.ended = self.started = 0

    def learn(self, at: int) -> None:
        world = self.world
        while world.ends[self.by_end[self.ended]] <= at:
            n = self.by_end[self.ended]
            self.medians.learn(kinds(world, n), world.jobs.runs[n])
            self.ended += 1
        while world.starts[self.by_start[self.started]] <= at:
            n = self.by_start[self.started]
            self.waits[class_of(world, n)].append(world.starts[n] - world.jobs.submits[n])
            self.started += 1

    def run_s(self, n: int, at: int) -> int:
        elapsed = max(0, at - self.world.starts[n])
        return self.medians.run_s(kinds(self.world, n), self.world.jobs.limits[n], elapsed)


def said_at(world: World, look: Look, past: Past) -> dict[str, list[int]]:
    """Return the starts of those waiting, by row."""
    jobs, at = world.jobs, look.at
    there = [*look.running, *look.waiting]
    elapsed = [max(0, at - world.starts[n]) for n in there]
    true = [jobs.runs[n] - gone for n, gone in zip(there, elapsed, strict=True)]
    limits = [jobs.limits[n] - gone for n, gone in zip(there, elapsed, strict=True)]
    guessed = [max(1, past.run_s(n, at) - gone) for n, gone in zip(there, elapsed, strict=True)]
    later = [jobs.runs[n] for n in look.coming]
    waits = {n: past.waits[class_of(world, n)] for n in look.waiting}
    return {
        ROWS[0]: said(world, look, [*true, *later], look.coming),
        ROWS[1]: said(world, look, true, []),
        ROWS[2]: said(world, look, limits, []),
        ROWS[3]: said(world, look, guessed, []),
        CLASS: [max(at, jobs.submits[n] + round(median(waits[n] or [0]))) for n in look.waiting],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("trace", type=Path)
    parser.add_argument("--jobs", type=int, help="only so many, those submitted first")
    parser.add_argument("--every-h", type=float, default=12.0, help="hours between two looks")
    parser.add_argument("--squeeze", type=float, default=1.0, help="submit times by this factor")
    args = parser.parse_args()
    began = time.process_time()
    world = world_of(args.trace, args.jobs, args.squeeze)
    past, off = Past(world), defaultdict(list)
    signed = defaultdict(list)
    for look in looks(world, round(args.every_h * HOUR)):
        past.learn(look.at)
        for row, starts in said_at(world, look, past).items():
            errors = [at - world.starts[n] for at, n in zip(starts, look.waiting, strict=True)]
            signed[row] += errors
            off[row] += map(abs, errors)
    load = sum(r * p for r, p in zip(world.jobs.runs, world.jobs.procs, strict=True))
    load /= world.jobs.machine * max(world.ends)
    print(f"{args.trace.name}: {len(world.jobs)} jobs, {world.jobs.machine} processors,", end=" ")
    print(
        f"load {load:.2f}, {len(off[CLASS])} starts said, {time.process_time() - began:.0f} s CPU"
    )
    print(f"{'':<30}{'MAE s':>9}{'median s':>10}{'<= 10 min':>11}{'bias s':>10}")
    for row in (*ROWS, CLASS):
        found = sorted(off[row])
        share = bisect_left(found, 601) / len(found)
        mean, bias = sum(found) / len(found), sum(signed[row]) / len(found)
        print(f"{row:<30}{mean:>9.0f}{median(found):>10.0f}{share:>11.2f}{bias:>10.0f}")


if __name__ == "__main__":
    main()
