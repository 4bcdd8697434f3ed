"""The model that learns: a job runs as long as jobs like it did of late."""

from collections import deque
from collections.abc import Iterable

from predictor.domain import JobSpec
from predictor.runtimes.by_limit import at_limit
from predictor.runtimes.ended import Ended
from predictor.runtimes.estimate import Estimate
from predictor.runtimes.kinds import Key, Kind, kinds_of, likeness
from predictor.runtimes.law import Law
from predictor.runtimes.words import lasting

REMEMBERED = 20
"""So many of the last jobs of a kind count."""
ENOUGH = 3
"""With fewer that ran longer than the job has, a less special kind is asked."""
MOST_KINDS = 40_000


class History:
    """Run times of the last jobs, by kind."""

    def __init__(self) -> None:
        self._known: dict[Key, deque[int]] = {}

    def learn(self, ended: Iterable[Ended]) -> None:
        """Take note of jobs that are over, in the order of their ends."""
        for job in ended:
            if job.run_s <= 0 or job.limit_s <= 0:
                continue
            for kind in kinds_of(job.spec, job.limit_s):
                runs = self._known.pop(kind.key, None) or deque(maxlen=REMEMBERED)
                runs.append(min(job.run_s, job.limit_s))
                self._known[kind.key] = runs
            while len(self._known) > MOST_KINDS:
                del self._known[next(iter(self._known))]

    def estimate(self, spec: JobSpec, limit_s: int, elapsed_s: int = 0) -> Estimate:
        """Return how long the job runs in all, given that it has run `elapsed_s` already."""
        kinds = kinds_of(spec, limit_s)
        if elapsed_s < limit_s:
            for kind in kinds:
                runs = self._known.get(kind.key, ())
                longer = [min(run, limit_s) for run in runs if run > elapsed_s]
                if len(longer) >= ENOUGH:
                    return _as(kind, longer, likeness(kinds[1].key))
        return at_limit(
            spec, limit_s, elapsed_s, f"as its limit says, for want of others: {lasting(limit_s)}"
        )

    def state(self) -> object:
        """Return all that is known, of lists, texts and numbers only."""
        return [[list(key), list(runs)] for key, runs in self._known.items()]

    def restore(self, state: object) -> None:
        """Know what `state` holds. Raises TypeError or ValueError if it is strange."""
        if not isinstance(state, list):
            raise TypeError("no list of kinds")
        for key, runs in state:
            self._known[tuple(key)] = deque(map(int, runs), maxlen=REMEMBERED)


def _as(kind: Kind, runs: list[int], likes: str) -> Estimate:
    law = Law.of((run, 1.0) for run in runs)
    because = (
        f"as the last {len(runs)} {kind.words}: half of them {lasting(law.quantile(0.5))} or less"
    )
    return Estimate(law=law, because=because, likes=likes)
