"""The model that knows nothing: every job runs into its limit."""

from collections.abc import Iterable
from typing import Any

from predictor.domain import JobSpec
from predictor.domain.durations import lasting
from predictor.runtimes.ended import Ended
from predictor.runtimes.estimate import Estimate
from predictor.runtimes.kinds import likeness
from predictor.runtimes.law import LONGER_S, Law


def at_limit(spec: JobSpec, limit_s: int, elapsed_s: int, because: str) -> Estimate:
    """Return the estimate that a job runs into its limit, or a little longer than it has."""
    run_s = max(1, limit_s) if elapsed_s < limit_s else elapsed_s + LONGER_S
    return Estimate(law=Law.certain(run_s), because=because, likes=likeness("job", spec.id))


class ByLimit:
    """Takes every job to run into its limit, as batch systems themselves do."""

    def learn(self, ended: Iterable[Ended]) -> None:
        """Learn nothing."""

    def estimate(self, spec: JobSpec, limit_s: int, elapsed_s: int = 0) -> Estimate:
        """Return its limit as the run time of the job."""
        return at_limit(spec, limit_s, elapsed_s, f"as its limit says: {lasting(limit_s)}")

    def state(self) -> object:
        """Return None: there is nothing to keep."""
        return None

    def restore(self, state: Any) -> None:
        """Know nothing. Raises ValueError unless that is the state."""
        if state is not None:
            raise ValueError("limits keep nothing")
