"""How the time of a piece of work grows with its size: the slope of its logarithm."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log
from statistics import linear_regression

from verification.bench.measure import Figures

STEPS = 3
FACTOR = 4
"""Each size is so many times the one before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """Measurements from the smallest size on, and the exponents fitted to them."""

    rows: tuple[Figures, ...]
    jobs_exponent: float
    """k where the time grows as the number of jobs to the k, the nodes being the same."""
    nodes_exponent: float


def growth(run: Callable[[int, int], Figures], jobs: int, nodes: int) -> Growth:
    """Run three numbers of jobs on as many nodes, and as many jobs on three numbers of nodes."""
    sizes = [FACTOR**step for step in range(STEPS)]
    over_jobs = [run(jobs * size, nodes) for size in sizes]
    over_nodes = [run(jobs, nodes * size) for size in sizes]
    return Growth(
        rows=(*over_jobs, *over_nodes[1:]),
        jobs_exponent=exponent(sizes, [figures.user_s for figures in over_jobs]),
        nodes_exponent=exponent(sizes, [figures.user_s for figures in over_nodes]),
    )


def exponent(sizes: Sequence[int], times_s: Sequence[float]) -> float:
    """Return k where the times grow as size to the k; needs two different sizes, no time of 0."""
    return linear_regression([log(size) for size in sizes], [log(t) for t in times_s]).slope
