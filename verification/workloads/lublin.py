"""The workload model of Lublin and Feitelson, with its published parameters.

Source: Uri Lublin and Dror G. Feitelson, The workload on parallel supercomputers: modeling the
characteristics of rigid jobs, J. Parallel and Distributed Computing 63(11), 2003, pp. 1105-1122;
parameters as in the authors' program of the Parallel Workloads Archive.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import merge
from operator import attrgetter
from random import Random
from typing import Final

from verification.workloads.cycle import SLOT_S, SLOTS
from verification.workloads.gammas import gamma_cdf
from verification.workloads.generate import Job
from verification.workloads.picking import Picker

DAY_BEGINS: Final = 11
"""The half hour, counted from 1, at which the authors let the daily cycle begin."""
LONGEST_RUN: Final = 12.0
LONGEST_GAP: Final = 13.0
"""Natural logarithms of seconds: what is longer is drawn again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """Of one type of jobs; names in brackets are those of the authors' program."""

    queue: int
    serial: float
    """Share of jobs on one processor (SerialProb)."""
    powers: float
    """Share of jobs on a power of two (Pow2Prob)."""
    low: float
    """Logarithm to base 2 of the smallest size of a parallel job (ULow)."""
    below_high: float
    """How far the size where the distribution bends lies below the largest (UHi - UMed)."""
    high_below: float
    """How far the largest size lies below that of the machine (log2 of it - UHi)."""
    small: float
    """Share of parallel jobs up to the bend (Uprob)."""
    shorter: tuple[float, float]
    longer: tuple[float, float]
    """Shape and scale of the gammas of the logarithm of run times (a1, b1; a2, b2)."""
    share_slope: float
    share_at_0: float
    """The share of the shorter, linear in the size (pa, pb)."""
    rush: tuple[float, float]
    """Shape and scale of the gamma of the logarithm of gaps in rush hours (aarr, barr)."""
    all_day: float
    """By what that shape is multiplied to hold for all hours (ARAR)."""
    cycle: tuple[float, float]
    """Shape and scale of the gamma over half hours that arrivals follow (anum, bnum)."""


ALL: Final = Parameters(
    queue=0,
    serial=0.244,
    powers=0.576,
    low=0.8,
    below_high=2.5,
    high_below=0.0,
    small=0.86,
    shorter=(4.2, 0.94),
    longer=(312.0, 0.03),
    share_slope=-0.0054,
    share_at_0=0.78,
    rush=(10.2303, 0.4871),
    all_day=1.0225,
    cycle=(8.1737, 3.9631),
)
"""All jobs alike."""
BATCH: Final = Parameters(
    queue=1,
    serial=0.2927,
    powers=0.6686,
    low=1.2,
    below_high=2.0,
    high_below=0.0,
    small=0.875,
    shorter=(6.57, 0.823),
    longer=(639.1, 0.0156),
    share_slope=-0.003,
    share_at_0=0.6986,
    rush=(6.0415, 0.8531),
    all_day=1.0519,
    cycle=(6.1271, 5.2740),
)
INTERACTIVE: Final = Parameters(
    queue=0,
    serial=0.1541,
    powers=0.625,
    low=1.0,
    below_high=2.5,
    high_below=1.5,
    small=0.705,
    shorter=(3.8351, 0.6605),
    longer=(7.073, 0.6856),
    share_slope=-0.0118,
    share_at_0=0.9156,
    rush=(6.5510, 0.6621),
    all_day=0.9797,
    cycle=(8.9186, 3.6680),
)
SMALLEST: Final = 8
"""Processors of the smallest machine that the sizes of parallel jobs are defined for."""


def lublin_feitelson(
    procs: int, seed: int, types: Sequence[Parameters] = (BATCH, INTERACTIVE)
) -> Iterator[Job]:
    """Yield jobs without end for a machine of `procs` processors, from a midnight on.

    The model knows no users and no limits. Published for 128 processors; on another machine the
    sizes at which distributions bend move with its logarithm, as the authors' program would have
    it. Raises ValueError for a machine below `SMALLEST`.
    """
    if procs < SMALLEST:
        raise ValueError(f"sizes are defined for {SMALLEST} processors and more, not {procs}")
    streams = [_jobs(one, procs, Random(f"{seed} {number}")) for number, one in enumerate(types)]  # noqa: S311 - no secret
    return merge(*streams, key=attrgetter("submit_s"))


def _jobs(one: Parameters, procs: int, source: Random) -> Iterator[Job]:
    for at in _arrivals(one, source):
        size = _size(one, procs, source)
        yield Job(submit_s=int(at), run_s=_run_s(one, size, source), procs=size, queue=one.queue)


def slots_of(one: Parameters) -> Sequence[float]:
    """Return how many jobs arrive in each half hour from midnight on, by the average."""
    shares = [0.0] * SLOTS
    for half_hour in range(DAY_BEGINS, DAY_BEGINS + SLOTS):
        begin, end = (gamma_cdf(half_hour + side, *one.cycle) for side in (-0.5, 0.5))
        shares[(half_hour - 1) % SLOTS] = end - begin
    mean = sum(shares) / SLOTS
    return [share / mean for share in shares]


def _arrivals(one: Parameters, source: Random) -> Iterator[float]:
    """Yield seconds. A gap is measured in half hours of average traffic: at night they are long."""
    slots = Picker(slots_of(one))
    shape, scale = one.rush
    passed = 0.0
    while True:
        passed += math.exp(_below(LONGEST_GAP, shape * one.all_day, scale, source)) / SLOT_S
        days, left = divmod(passed, SLOTS)
        yield (days * SLOTS + slots.place(left / SLOTS)) * SLOT_S


def _below(most: float, shape: float, scale: float, source: Random) -> float:
    while (drawn := source.gammavariate(shape, scale)) > most:
        pass
    return drawn


def _size(one: Parameters, procs: int, source: Random) -> int:
    kind = source.random()
    if kind <= one.serial:
        return 1
    high = math.log2(procs) - one.high_below
    bend = max(high - one.below_high, one.low)
    low, high = (one.low, bend) if source.random() <= one.small else (bend, high)
    power = source.uniform(low, high)
    if kind <= one.serial + one.powers:
        power = math.floor(power + 0.5)
    return min(int(2**power + 0.5), procs)


def _run_s(one: Parameters, size: int, source: Random) -> int:
    shorter = one.share_slope * size + one.share_at_0
    while True:
        gamma = one.shorter if source.random() <= shorter else one.longer
        drawn = source.gammavariate(*gamma)
        if drawn <= LONGEST_RUN:
            return max(1, int(math.exp(drawn)))
