"""A synthetic workload for Eurora, CINECA's hybrid machine of 2013 to 2015, from what is published.

Published:

- 64 nodes, accelerators of one kind on each half, and the queues debug, par and longpar; 372,320
  jobs recorded; limits off by 310 minutes on average, and the chain of matching rules by 40. A.
  Netti, master's thesis, University of Bologna; of the same machine and method: C. Galleguillos,
  A. Sirbu, Z. Kiziltan, O. Babaoglu, A. Borghesi and T. Bridi, Data-driven job dispatching in HPC
  systems, LNCS 10710, 2018.
- A kind of job returns with nearly the same run time, and then that shifts (the same).
- Two processors of eight cores and 16 GB a node, a torus of three dimensions. heise online,
  Supercomputer mit temperierten GPUs will die Green500 stuermen, 2013.

Everything else is assumed, and named so; what was free was set so that both published errors come
out. The real log is not public: nothing here says what happened on Eurora, only what is like it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final, TypeVar

from predictor.domain.durations import HOUR_S
from verification.workloads.cycle import Cycle
from verification.workloads.habits import Habit, User
from verification.workloads.model import Model
from verification.workloads.picking import Picker
from verification.workloads.spread import Spread

T = TypeVar("T")

JOBS: Final = 372_320
DAYS: Final = 365
CORES: Final = 1024
DEBUG, PAR, LONGPAR = 1, 2, 3
"""The queues, as the trace counts them."""
SERIAL, GPU, MIC = 1, 2, 3
"""Partitions: what a unit of the job takes beside its cores, as `systems/eurora.toml` has it."""
GIB: Final = 1 << 20
"""In KiB."""

# Assumed from here on.
USERS: Final = 150
BEGINS_AT: Final = 1_396_216_800
"""Monday, 31 March 2014, midnight in Bologna; summer time is not heeded."""
TIME_ZONE_S: Final = 7200
REPEAT: Final = 0.8
STAY: Final = 0.7
WIDTH: Final = 2.0
"""Run times of a kind of job lie within this factor of its usual one, to both sides, mostly."""
POWERS: Final = (-3, -1, -0.5, -0.25, 0, 0.25, 0.5, 1, 2)
DRAWN: Final = 1
"""The seed of what is drawn here: who the users are does not change from year to year."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sort:
    """Jobs of one queue, in what they have in common; pairs are a value and its weight."""

    queue: int
    weight: float
    """Of the kinds of jobs that users have."""
    limits_s: Sequence[tuple[int, float]]
    usual_s: tuple[float, float]
    """The least and the longest usual run time; in between all orders of magnitude are alike."""
    procs: Sequence[tuple[int, float]]
    """Of jobs without accelerators; others come in the units of their partition."""
    kinds: Sequence[tuple[int, float]]
    """Partitions."""
    jobs: tuple[float, ...]
    """Quantiles of how many jobs come in a session."""


KINDS: Final = ((SERIAL, 0.7), (GPU, 0.2), (MIC, 0.1))
SORTS: Final = (
    Sort(
        queue=DEBUG,
        weight=0.3,
        limits_s=((1800, 1.0),),
        usual_s=(5, 1200),
        procs=((1, 0.4), (2, 0.1), (4, 0.1), (8, 0.1), (16, 0.2), (32, 0.1)),
        kinds=KINDS,
        jobs=(1, 1, 2, 3, 5, 9, 20),
    ),
    Sort(
        queue=PAR,
        weight=0.54,
        limits_s=((4 * HOUR_S, 0.1), (6 * HOUR_S, 0.9)),
        usual_s=(60, 5 * HOUR_S),
        procs=((1, 0.45), (4, 0.1), (8, 0.15), (16, 0.15), (32, 0.06), (64, 0.06), (128, 0.03)),
        kinds=KINDS,
        jobs=(1, 2, 4, 8, 16, 40, 150),
    ),
    Sort(
        queue=LONGPAR,
        weight=0.16,
        limits_s=((12 * HOUR_S, 0.2), (24 * HOUR_S, 0.8)),
        usual_s=(HOUR_S, 18 * HOUR_S),
        procs=((1, 0.2), (8, 0.2), (16, 0.3), (32, 0.2), (64, 0.1)),
        kinds=KINDS,
        jobs=(1, 1, 2, 3, 5, 9, 15),
    ),
)
UNIT_CORES: Final = {SERIAL: 1, GPU: 8, MIC: 8}
ACCELERATED: Final = ((1, 0.6), (2, 0.25), (4, 0.1), (8, 0.05))
"""How many units of eight cores and one accelerator such a job takes."""
MEMORY_KIB: Final = ((GIB // 2, 0.5), (7 * GIB // 8, 0.45), (2 * GIB, 0.05))
"""Per core; jobs on a few cores only may ask for the most."""
MOST_MEMORY_PROCS: Final = 4
CYCLE: Final = Cycle(
    slots=tuple(1 + 0.75 * math.sin(math.pi * (slot - 18) / 24) for slot in range(48)),
    weekdays=(1.2, 1.25, 1.25, 1.2, 1.1, 0.5, 0.5),
    months=(0.8, 1.0, 1.3, 1.0, 1.3, 1.1, 1.2, 0.4, 0.8, 1.1, 1.2, 0.8),
)


def eurora() -> Model:
    """Return the workload; a year of it has about `JOBS` jobs."""
    source = Random(DRAWN)  # noqa: S311 - no secret
    drawn = [_user(number, source) for number in range(1, USERS + 1)]
    weekly = sum(_weekly(user) for user in drawn)
    factor = JOBS / DAYS * 7 / weekly
    return Model(
        source="like Eurora: published figures, and assumptions",
        procs=CORES,
        begins_at=BEGINS_AT,
        time_zone_s=TIME_ZONE_S,
        cycle=CYCLE,
        users=tuple(_busier(user, factor) for user in drawn),
    )


def _user(number: int, source: Random) -> User:
    """Return a user whose sessions are few or many; how many in all is settled later."""
    main = _picked([(sort, sort.weight) for sort in SORTS], source)
    count = 1 + min(int(source.expovariate(0.4)), 9)
    sorts = [
        main if source.random() < 0.7 else _picked([(s, s.weight) for s in SORTS], source)
        for _ in range(count)
    ]
    weights = [1 / rank for rank in range(1, count + 1)]
    busy = 1 / number**0.7
    return User(
        number=number,
        active=source.uniform(0.1, 0.9),
        weeks=source.uniform(2, 6),
        sessions=Spread((1.0, 1 + 5 * busy, 1 + 20 * busy, 1 + 40 * busy, 1 + 120 * busy)),
        jobs=Spread(tuple(map(float, main.jobs))),
        gaps_s=Spread((0.0, 1.0, 1.0, 2.0, 5.0, 15.0, 60.0, 300.0, 1200.0)),
        stay=STAY,
        repeat=REPEAT,
        habits=tuple(
            _habit(sort, weight / sum(weights), source)
            for sort, weight in zip(sorts, weights, strict=True)
        ),
    )


def _habit(sort: Sort, share: float, source: Random) -> Habit:
    kind = _picked(sort.kinds, source)
    units = _picked(sort.procs if kind == SERIAL else ACCELERATED, source)
    procs = units * UNIT_CORES[kind]
    limit_s = _picked(sort.limits_s, source)
    usual_s = _between(*sort.usual_s, source)
    memory_kib = _picked(MEMORY_KIB, source)
    return Habit(
        share=share,
        procs=procs,
        limit_s=limit_s,
        queue=sort.queue,
        partition=kind,
        memory_kib=memory_kib if procs <= MOST_MEMORY_PROCS else min(memory_kib, 7 * GIB // 8),
        runs_s=Spread(tuple(min(max(1.0, usual_s * WIDTH**power), limit_s) for power in POWERS)),
    )


def _busier(user: User, factor: float) -> User:
    sessions = Spread(tuple(value * factor for value in user.sessions.values))
    return replace(user, sessions=sessions)


def _weekly(user: User) -> float:
    """Return how many jobs a user brings in a week, on average."""
    return user.active * user.sessions.mean * user.jobs.mean


def _picked(pairs: Sequence[tuple[T, float]], source: Random) -> T:
    """Return one of several values by weight."""
    picker = Picker([weight for _, weight in pairs])
    return pairs[picker.pick(source.random())][0]


def _between(low: float, high: float, source: Random) -> float:
    """Return a value between both, all orders of magnitude alike."""
    return low * math.pow(high / low, source.random())
