"""A job that ran and is over, as run times are learned from it."""

from dataclasses import dataclass
from typing import Final

from predictor.domain import JobSpec, Outcome
from predictor.domain.defaults import NO_LIMIT_S

CUT_SHORT: Final = frozenset({Outcome.NODE_FAIL, Outcome.PREEMPTED})
"""Who ended so would have run longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How long a job ran, of how long it was allowed to. May hold any nonsense that was told."""

    spec: JobSpec
    run_s: int
    limit_s: int
    """While it ran; that of its partition where it had none of its own."""
    ended_at: int
    """UTC epoch seconds."""
    outcome: Outcome


def told_s(job: Ended) -> tuple[int, int] | None:
    """Return how long it ran, and its limit: 1 s at least, the limit at most, that a year at most.

    Who was stopped at its limit ran into it. None: the job tells nothing of run times, because it
    was cut short by others, or what is said of it makes no sense.
    """
    if job.run_s < 0 or job.limit_s <= 0 or job.outcome in CUT_SHORT:
        return None
    limit_s = min(job.limit_s, NO_LIMIT_S)
    return (limit_s if job.outcome is Outcome.TIMEOUT else min(max(1, job.run_s), limit_s)), limit_s
