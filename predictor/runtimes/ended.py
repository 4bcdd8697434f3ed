"""A job that ran and is over, as run times are learned from it."""

from dataclasses import dataclass

from predictor.domain import JobSpec, Outcome


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
