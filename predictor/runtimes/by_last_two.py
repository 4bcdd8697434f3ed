"""The model of the last two: a job runs as long as its user's last two jobs did on average.

Source: Tsafrir, Etsion, Feitelson: Backfilling Using System-Generated Predictions Rather than User
Runtime Estimates, IEEE TPDS 18(6), 2007.
"""

from collections.abc import Iterable
from typing import Any, Final

from predictor.domain import JobSpec
from predictor.domain.durations import lasting
from predictor.runtimes.by_limit import at_limit
from predictor.runtimes.ended import Ended, told_s
from predictor.runtimes.estimate import Estimate
from predictor.runtimes.kinds import Key, likeness, user_of
from predictor.runtimes.law import Law
from predictor.runtimes.memory import Memory

TWO: Final = 2
_ALL: Final[Key] = ()


class ByLastTwo:
    """The last two run times of each user; bounded as `Memory` is."""

    def __init__(self) -> None:
        self._last: Memory[tuple[int, ...]] = Memory()

    def learn(self, ended: Iterable[Ended]) -> None:
        """Take note of jobs that are over, in the order of their ends."""
        for job in ended:
            told = told_s(job)
            if told is not None:
                user = user_of(job.spec)
                before = self._last.of(user).get(_ALL, ())
                self._last.put(user, _ALL, (*before, told[0])[-TWO:])

    def estimate(self, spec: JobSpec, limit_s: int, elapsed_s: int = 0) -> Estimate:
        """Return that it runs as long as the two on average; as its limit says if it has."""
        last = self._last.of(user_of(spec)).get(_ALL, ())
        run_s = min(sum(last) // TWO, limit_s)
        if len(last) == TWO and run_s > elapsed_s:
            because = f"as the last two jobs of this user on average: {lasting(run_s)}"
            likes = likeness(user_of(spec))
            return Estimate(law=Law.certain(run_s), because=because, likes=likes)
        because = (
            f"the last two jobs of its user do not tell: as its limit says, {lasting(limit_s)}"
        )
        return at_limit(spec, limit_s, elapsed_s, because)

    def state(self) -> object:
        """Return all that is known as JSON can write it."""
        return [[user, list(last)] for user, _, last in self._last.items()]

    def restore(self, state: Any) -> None:
        """Know what a state holds. Raises TypeError or ValueError if it is strange."""
        for user, last in state:
            self._last.put(str(user), _ALL, tuple(map(int, last))[-TWO:])
