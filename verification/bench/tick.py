"""What a tick costs on a generated cluster: a point forecast, then draws while there is time.

Unlike in other benchmarks it is the time on the clock that counts: draws use all processors.
"""

import os
import resource
from dataclasses import dataclass

from predictor.clock import Clock
from predictor.engine.kind import KIND
from predictor.forecast import forecast
from predictor.sampling import starts_of
from predictor.site import default
from verification.bench.generated import generate
from verification.bench.snapshots import course, newcomers, snapshot

SCENARIOS = 4
NEWCOMERS = 1000
"""In each scenario."""
MOST_DRAWS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class TickFigures:
    """What one tick took, in seconds on the clock."""

    jobs: int
    nodes: int
    engine: str
    processors: int
    point_s: float
    """Of the forecast with run times, which is published first."""
    draws: int
    """How many were finished,"""
    draws_s: float
    """in so much time."""
    peak_kib: int
    """The most memory that the process ever had."""


def measure_tick(
    jobs: int, nodes: int, seed: int, clock: Clock, budget_s: float, draws: int = MOST_DRAWS
) -> TickFigures:
    """Make a tick with up to so many draws, in `budget_s` if that is enough for one of each."""
    seen, site = snapshot(generate(jobs, nodes, seed), seed), default()
    scenarios = [newcomers(seen, NEWCOMERS, seed + number) for number in range(SCENARIOS)]
    begun_at = clock.monotonic()
    forecast(seen, site, course(seen, (), seed))
    pointed_at = clock.monotonic()
    numbers = ((seed + draw, draw % SCENARIOS) for draw in range(draws))
    courses = (course(seen, scenarios[which], each, which) for each, which in numbers)
    sampled = starts_of(seen, site, courses, scenarios, clock=clock, budget_s=budget_s)
    return TickFigures(
        jobs=jobs,
        nodes=nodes,
        engine=KIND.name,
        processors=len(os.sched_getaffinity(0)),
        point_s=round(pointed_at - begun_at, 3),
        draws=sampled.draws,
        draws_s=round(clock.monotonic() - pointed_at, 3),
        peak_kib=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
    )
