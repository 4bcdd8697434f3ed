"""What a tick costs on a generated cluster: learning, the likely starts, then their windows.

Unlike in other benchmarks it is the time on the clock that counts: draws use all processors.
"""

import resource
from dataclasses import dataclass
from itertools import pairwise

from predictor.clock import Clock
from predictor.engine.kind import KIND
from predictor.experience import Experience
from predictor.garbage import collect_seldom
from predictor.outlooks import likely, with_outlooks
from predictor.processors import processors
from predictor.site import Site
from verification.bench.generated import generate
from verification.bench.snapshots import ended, snapshot

ENDED = 20_000
"""So many jobs were learned from before."""
RECENT = 100
"""So many of them are over since the last tick."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TickFigures:
    """What one tick took, in seconds on the clock."""

    jobs: int
    nodes: int
    engine: str
    processors: int
    learn_s: float
    point_s: float
    """Of the likely starts, which are published first."""
    windows_s: float
    draws: int
    """On how many the windows rest."""
    peak_kib: int
    """The most memory that the process ever had."""


def measure_tick(
    jobs: int, nodes: int, seed: int, clock: Clock, draws: int, budget_s: float
) -> TickFigures:
    """Make a tick after `ENDED` jobs and another tick; no draw begins that may not end in time.

    `budget_s` is the time for draws. `RECENT` of the jobs ended between the two ticks.
    """
    collect_seldom()  # as the service's worker does
    seen = snapshot(generate(jobs, nodes, seed), seed)
    site = Site.model_validate({"forecast": {"draws": draws}})
    experience = Experience.of(site)
    past = tuple(ended(seen, ENDED, seed))
    experience.run_times.learn(past[:-RECENT])
    likely(seen, site, experience)
    experience.run_times.learn(past[-RECENT:])
    instants = [clock.monotonic()]
    experience.learn(seen)
    instants.append(clock.monotonic())
    made = likely(seen, site, experience)
    instants.append(clock.monotonic())
    told = with_outlooks(made, seen, site, experience, clock=clock, budget_s=budget_s)
    instants.append(clock.monotonic())
    learn_s, point_s, windows_s = (b - a for a, b in pairwise(instants))
    return TickFigures(
        jobs=jobs,
        nodes=nodes,
        engine=KIND.name,
        processors=processors(),
        learn_s=round(learn_s, 3),
        point_s=round(point_s, 3),
        windows_s=round(windows_s, 3),
        draws=told.draws,
        peak_kib=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
    )
