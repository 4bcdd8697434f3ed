"""What every model of run times does, and the models by name."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final, Protocol

from predictor.domain import JobSpec
from predictor.errors import StorageError
from predictor.runtimes.by_last_two import ByLastTwo
from predictor.runtimes.by_limit import ByLimit
from predictor.runtimes.by_rules import ByRules
from predictor.runtimes.ended import Ended
from predictor.runtimes.estimate import Estimate
from predictor.runtimes.history import History


class RunTimes(Protocol):
    """Learns from jobs that are over, and estimates how long others run. Without chance."""

    def learn(self, ended: Iterable[Ended]) -> None:
        """Take note of jobs that are over, in the order of their ends; of nonsense nothing."""

    def estimate(self, spec: JobSpec, limit_s: int, elapsed_s: int = 0) -> Estimate:
        """Return how long the job runs in all, given that it has run `elapsed_s` already.

        Every run time in it is longer than that, and none exceeds `limit_s` unless that is over.
        """

    def state(self) -> object:
        """Return all that was learned, as `json` can write it. Its size is bounded."""

    def restore(self, state: Any) -> None:
        """Know what once gave this `state`, from nothing.

        Raises TypeError, ValueError or OverflowError if nothing ever does.
        """


Factory = Callable[[], RunTimes]

DEFAULT: Final = "history"
MODELS: Final[Mapping[str, Factory]] = MappingProxyType(
    {"history": History, "rules": ByRules, "last-two": ByLastTwo, "limit": ByLimit},
)
"""By name: a model that has learned nothing yet."""


def restored(name: str, state: object) -> RunTimes:
    """Return the model of that name as it was when it gave its `state`.

    Raises StorageError if there is no such model, or if it never gives such a state.
    """
    if name not in MODELS:
        raise StorageError(f"no run-time model is called {name[:40]!r}")
    model = MODELS[name]()
    try:
        model.restore(state)
    except (TypeError, ValueError, OverflowError) as error:
        raise StorageError(f"not the state of run times: {error}") from error
    return model
