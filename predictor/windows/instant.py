"""What is known at one instant, worked out once for all who ask."""

from collections.abc import Sequence

from predictor.domain.outlook import Lately
from predictor.windows.answers import Waiting
from predictor.windows.curve import Curve
from predictor.windows.lately import Record
from predictor.windows.outcomes import Classes, Firsts, Outcome, Pool, Shape


class Instant:
    """Answers alike however often it is asked, though more becomes known meanwhile."""

    def __init__(
        self,
        at: int,
        waiting: Waiting,
        outcomes: Sequence[Sequence[Outcome]],
        firsts: Firsts,
        record: Record,
    ) -> None:
        """Take what was learned; `outcomes` by bin."""
        self.at = at
        self._waiting, self._outcomes, self._firsts = waiting, outcomes, firsts
        self._record = record
        self._pools: dict[int, Pool] = {}
        self._shapes: dict[tuple[int, Classes], Shape] = {}
        self._first_curves: dict[int, Curve] = {}
        self._lately: dict[tuple[int, Classes], Lately | None] = {}

    def shape(self, number: int, classes: Classes) -> Shape:
        """Return what a bin knows of jobs of these classes."""
        key = number, classes
        if key not in self._shapes:
            self._shapes[key] = self._pool(number).shape(classes)
        return self._shapes[key]

    def first_curve(self, number: int) -> Curve:
        """Return what a bin knows of first answers."""
        if number not in self._first_curves:
            jobs = self._waiting.jobs.values()
            self._first_curves[number] = self._firsts.curve(number, jobs, self.at)
        return self._first_curves[number]

    def lately(self, number: int, classes: Classes) -> Lately | None:
        """Return how good a bin's answers for such jobs were of late."""
        key = number, classes
        if key not in self._lately:
            self._lately[key] = self._record.lately(classes, number, self.at)
        return self._lately[key]

    def _pool(self, number: int) -> Pool:
        if number not in self._pools:
            still = self._waiting.open_in(number)
            self._pools[number] = Pool(number, self._outcomes[number], still, self.at)
        return self._pools[number]
