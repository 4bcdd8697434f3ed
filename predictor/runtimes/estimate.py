"""What is believed of one job's run time, and why."""

from dataclasses import dataclass

from predictor.runtimes.law import Law


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """How long a job runs in all, counted from its start."""

    law: Law
    because: str
    """One sentence for a person; holds no text that a user controls."""
    likes: str
    """Opaque: jobs with the same are fast or slow together."""
