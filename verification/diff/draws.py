"""Pairs of trials: both configurations by the same luck, and what is kept of each pair."""

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean

from verification.changes.change import Change
from verification.measures import MEASURES, waited_s
from verification.parallel import Pool
from verification.trials.trial import Recounted, Trial, tried

KINDS = ("user", "account", "partition", "qos", "size")
"""What classes of jobs go by."""

Pair = tuple[float | None, float | None]
"""A figure under the base and under the new configuration; None: not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waits:
    """How long one job waits in each, and whether it starts. Seconds."""

    base_s: int
    new_s: int
    base_starts: bool
    new_starts: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """What one pair of trials of one recording gives."""

    recording: str
    seed: int
    figures: Mapping[str, Pair]
    """By the name of the measure."""
    classes: Mapping[tuple[str, str], tuple[int, float, float]]
    """By kind and name of a class: how many jobs, and the sums of their waits in both."""
    jobs: Mapping[str, Waits]
    """By single id."""
    hashes: tuple[str, str]
    took_s: float
    """CPU time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A recording, and what is compared on it."""

    recorded: Recounted
    base: Change
    new: Change


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A pair to be tried."""

    case: int
    seed: int


def draws(cases: Sequence[Case], seeds: Iterable[int], pool: Pool) -> Iterator[Draw]:
    """Yield a pair of trials of each recording for each seed, as they are done, in order."""
    tasks = [Task(case=n, seed=seed) for seed in seeds for n in range(len(cases))]
    return pool.each(partial(_draw, tuple(cases)), tasks)


def _draw(cases: Sequence[Case], task: Task) -> Draw:
    case, begun = cases[task.case], time.process_time()
    one, other = (tried(case.recorded, change, task.seed) for change in (case.base, case.new))
    return compared(case.recorded.name, one, other, begun)


def compared(name: str, one: Trial, other: Trial, begun: float) -> Draw:
    """Return what a pair gives; `begun` is when its making began, by the process's clock.

    Who starts and leaves under neither configuration is held for ever, or fits nowhere: that is
    none of the scheduler's doing, and does not count.
    """
    one, other = _of_interest(one, other)
    waits = dict(_waits(one, other))
    sums: dict[tuple[str, str], list[Waits]] = defaultdict(list)
    for job in one.jobs:
        for kind in KINDS:
            if job.id in waits and job.classes.get(kind):
                sums[kind, job.classes[kind]].append(waits[job.id])
    return Draw(
        recording=name,
        seed=one.seed,
        figures={name: (one.figure(name), other.figure(name)) for name in MEASURES},
        classes={
            key: (len(some), sum(w.base_s for w in some), sum(w.new_s for w in some))
            for key, some in sums.items()
        },
        jobs=waits,
        hashes=(one.hash, other.hash),
        took_s=time.process_time() - begun,
    )


def _of_interest(one: Trial, other: Trial) -> tuple[Trial, Trial]:
    moved = {
        job.id
        for trial in (one, other)
        for job in trial.jobs
        if job.start_at is not None or job.left_at is not None
    }
    first, second = (
        replace(trial, jobs=tuple(job for job in trial.jobs if job.id in moved))
        for trial in (one, other)
    )
    return first, second


def _waits(one: Trial, other: Trial) -> Iterator[tuple[str, Waits]]:
    news = {job.id: job for job in other.jobs}
    for job in one.jobs:
        new = news.get(job.id)
        base_s = waited_s(job, one.watch.known_until)
        new_s = None if new is None else waited_s(new, other.watch.known_until)
        if new is not None and base_s is not None and new_s is not None:
            yield (
                job.id,
                Waits(
                    base_s=base_s,
                    new_s=new_s,
                    base_starts=job.start_at is not None or job.left_at is not None,
                    new_starts=new.start_at is not None or new.left_at is not None,
                ),
            )


def mean_of(values: Iterable[float | None]) -> float | None:
    """Return the mean of those known; None if none is."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
