"""How long a scheduler expects jobs to run."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, Protocol

from predictor.domain import JobSpec, Outcome
from predictor.runtimes.ended import Ended
from predictor.runtimes.models import MODELS, RunTimes
from verification.experiments.jobs import Job
from verification.traces.described import spec_of


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


class Predicted:
    """A job runs as long as a model of run times says; it is asked again when that is over.

    The trace's user, executable, queue and size stand for the job's user, name, partition and size.
    """

    def __init__(self, model: RunTimes) -> None:
        self._model = model

    def planned_s(self, job: Job) -> int:
        """Return what the model says of it now."""
        return self.longer_s(job, 0)

    def longer_s(self, job: Job, elapsed_s: int) -> int:
        """Return the median of what the model says of a job that has run so long."""
        found = self._model.estimate(_spec(job), job.limit_s, elapsed_s)
        return max(elapsed_s + 1, found.law.quantile(0.5))

    def learn(self, job: Job, end_s: int) -> None:
        """Let the model learn how long it ran."""
        ended = Ended(
            spec=_spec(job),
            run_s=job.run_s,
            limit_s=job.limit_s,
            ended_at=end_s,
            outcome=Outcome.COMPLETED,
        )
        self._model.learn((ended,))


def _spec(job: Job) -> JobSpec:
    return spec_of(
        job.number,
        job.user,
        job.group,
        job.executable,
        job.queue,
        job.partition,
        procs=job.procs,
        limit_s=job.limit_s,
        at=job.submit_s,
    )


DURATIONS: Final[Mapping[str, Callable[[], Durations]]] = MappingProxyType(
    {
        "limit": Limits,
        "predicted": lambda: Predicted(MODELS["rules"]()),
        "last-two": lambda: Predicted(MODELS["last-two"]()),
        "true": Truth,
    }
)
"""By name. `predicted` is the chain of six rules, `last-two` the mean of the user's last two."""
