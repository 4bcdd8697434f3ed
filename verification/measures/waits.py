"""What each job meets: its wait, its slowdown, its turnaround; and how evenly that is spread.

Of whom the end of the wait is not known, or who left the queue, counts as long as it waited.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import fsum

from verification.measures.course import Ran, Watch

TAU_S = 10
"""Runs shorter than that count as so long, lest the shortest decide. Source: Feitelson et al.,
Theory and Practice in Parallel Job Scheduling, 1997."""


def waited_s(job: Ran, until: int) -> int | None:
    """Return for how many seconds it waited, as far as known at `until`; None: it came later."""
    if job.submit_at >= until:
        return None
    ended = [at for at in (job.start_at, job.left_at, until) if at is not None]
    return max(0, min(ended) - job.submit_at)


def mean_wait_s(jobs: Iterable[Ran], watch: Watch) -> float | None:
    """Return the mean wait in seconds of those who came before the end; None of nobody."""
    return _mean(waited_s(job, watch.known_until) for job in jobs)


def quantile_wait_s(jobs: Iterable[Ran], watch: Watch, level: float) -> float | None:
    """Return the least wait that a share `level` of the jobs does not exceed; None of nobody."""
    found = (waited_s(job, watch.known_until) for job in jobs)
    waits = sorted(wait for wait in found if wait is not None)
    if not waits:
        return None
    return waits[max(0, -int(-level * len(waits) // 1) - 1)]


def slowdown(job: Ran, tau_s: int = TAU_S) -> float | None:
    """Return (wait + run) / run, the run at least tau, the quotient at least 1; None: no end.

    Source: Feitelson et al., 1997, "bounded slowdown".
    """
    if job.start_at is None or job.run_s is None:
        return None
    length_s = max(job.run_s, tau_s)
    return max(1.0, (job.start_at - job.submit_at + job.run_s) / length_s)


def mean_slowdown(jobs: Iterable[Ran], watch: Watch) -> float | None:
    """Return the mean bounded slowdown of those who are known to have ended; None of nobody."""
    return _mean(slowdown(job) for job in jobs if _ended(job, watch))


def mean_turnaround_s(jobs: Iterable[Ran], watch: Watch) -> float | None:
    """Return the mean seconds from submission to end, of those who ended; None of nobody."""
    return _mean(job.end_at - job.submit_at for job in jobs if job.end_at and _ended(job, watch))


def fairness(jobs: Iterable[Ran], watch: Watch) -> float | None:
    """Return how alike the users' mean bounded slowdowns are, in (0, 1]; None of nobody.

    1: all meet the same; 1/n: one of n bears it all. Source: Jain, Chiu and Hawe, A Quantitative
    Measure of Fairness, 1984.
    """
    found: dict[str, list[float]] = defaultdict(list)
    for job in jobs:
        of_job = slowdown(job) if _ended(job, watch) else None
        if of_job is not None:
            found[job.classes.get("user", "")].append(of_job)
    return jain([fsum(of_user) / len(of_user) for of_user in found.values()])


def jain(amounts: Sequence[float]) -> float | None:
    """Return the square of the sum by the count times the sum of squares; None of nothing."""
    squares = sum(amount * amount for amount in amounts)
    return sum(amounts) ** 2 / (len(amounts) * squares) if squares else None


def _ended(job: Ran, watch: Watch) -> bool:
    return job.end_at is not None and job.end_at <= watch.known_until


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fsum(known) / len(known) if known else None
