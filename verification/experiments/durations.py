"""How long a scheduler expects jobs to run."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, Protocol

from verification.experiments.jobs import Job
from verification.experiments.later import later


class Durations(Protocol):
    """Tells how long jobs run, and learns from those that are over."""

    def planned_s(self, job: Job) -> int:
        """Return how long a job is expected to run when it is submitted, at least 1."""
        ...

    def longer_s(self, job: Job, elapsed_s: int) -> int:
        """Return how long it is expected to run, though it has run so long: more than that."""
        ...

    def learn(self, job: Job, end_s: int) -> None:
        """Take note that a job is over."""
        ...


class Limits:
    """A job uses up its limit."""

    def planned_s(self, job: Job) -> int:
        """Return the limit."""
        return job.limit_s

    def longer_s(self, job: Job, elapsed_s: int) -> int:
        """Return the limit, or what is a second away: on a slow place a job may outlast it."""
        return max(job.limit_s, elapsed_s + 1)

    def learn(self, job: Job, end_s: int) -> None:
        """Learn nothing."""


class Truth(Limits):
    """Everybody knows how long a job will run."""

    def planned_s(self, job: Job) -> int:
        """Return the run time."""
        return job.run_s


DURATIONS: Final[Mapping[str, Callable[[], Durations]]] = MappingProxyType(
    {
        "limit": Limits,
        "predicted": later("verification.experiments.predicted", "predicted", "rules"),
        "last-two": later("verification.experiments.predicted", "predicted", "last-two"),
        "true": Truth,
    }
)
"""By name. `predicted` is the chain of six rules, `last-two` the mean of the user's last two."""
