"""Durations as models of run times tell them."""

from predictor.domain import JobSpec, Outcome
from predictor.runtimes.ended import Ended
from predictor.runtimes.models import MODELS, RunTimes
from verification.experiments.jobs import Job
from verification.traces.described import spec_of


def predicted(model: str) -> "Predicted":
    """Return the durations that a model tells, by its name among `MODELS`."""
    return Predicted(MODELS[model]())


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
