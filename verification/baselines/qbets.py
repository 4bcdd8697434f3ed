"""Bounds on waits from past waits alone, as QBETS makes them.

Source: Nurmi, Brevik and Wolski, QBETS: Queue Bounds Estimation from Time Series (2007).
"""

from collections import deque
from collections.abc import Sequence

from sortedcontainers import SortedList

from predictor.domain import Snapshot
from verification.baselines.starts import NO_HISTORY, Kind, Starts, answers, broader
from verification.judging.case import Said
from verification.online.predictor import Answers

LEVEL = 0.95
"""The quantile of waits that is bounded."""
CONFIDENCE = 0.95
"""How surely the bound lies above it."""
LEVELS = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95)
MOST = 1000
"""So many of the last waits of a kind count."""
RUN = 3
"""So many waits in a row beyond the bound: waits have changed."""


def bound_rank(count: int, level: float = LEVEL, confidence: float = CONFIDENCE) -> int | None:
    """Return the rank, from 1, of the least of `count` waits that bounds the quantile.

    The waits are taken to be independent. None: there are too few to be so sure.
    """
    above, chance = 0.0, level**count
    rank: int | None = None
    for below in range(count, 0, -1):
        # `above`: the chance that `below` or more of the waits lie under the quantile.
        above += chance
        if above > 1 - confidence:
            break
        rank = below
        chance *= below / (count - below + 1) * (1 - level) / level
    return rank


FEWEST = next(count for count in range(1, MOST) if bound_rank(count) is not None)
"""So many waits make the first bound, and are kept when waits have changed."""


class Waits:
    """The waits of one kind since they changed last, at most MOST."""

    def __init__(self) -> None:
        self._in_time: deque[int] = deque()
        self._ascending: SortedList[int] = SortedList()
        self._bound_s: int | None = None
        self._beyond = 0

    def add(self, wait_s: int) -> None:
        """Take in one more, and forget the older ones if too many in a row beat the bound."""
        late = self._bound_s is not None and wait_s > self._bound_s
        self._beyond = self._beyond + 1 if late else 0
        self._in_time.append(wait_s)
        self._ascending.add(wait_s)
        changed = self._beyond >= RUN
        while len(self._in_time) > (FEWEST if changed else MOST):
            self._ascending.remove(self._in_time.popleft())
        if changed:
            self._beyond = 0
        rank = bound_rank(len(self._in_time))
        self._bound_s = None if rank is None else self._ascending[rank - 1]

    def __len__(self) -> int:
        return len(self._in_time)

    @property
    def bound_s(self) -> int | None:
        """The bound on the next wait; None: too few waits are known."""
        return self._bound_s

    def quantiles_s(self) -> Sequence[int]:
        """Return the waits at LEVELS. Raises IndexError if none is known."""
        last = len(self._ascending) - 1
        return [self._ascending[round(level * last)] for level in LEVELS]


class Qbets:
    """Says of a job what held for the waits of its kind."""

    name = "qbets"
    remembers = True

    def __init__(self) -> None:
        self._starts = Starts()
        self._waits: dict[Kind, Waits] = {}

    def learn(self, snapshot: Snapshot) -> None:
        """Take in who has started."""
        for start in self._starts.learn(snapshot):
            for kind in broader(start.kind):
                self._waits.setdefault(kind, Waits()).add(start.wait_s)

    def say(self, snapshot: Snapshot) -> Answers:
        """Return median, quantiles and bound of the first of its kinds that has a bound.

        They count from the job's beginning, and from now where that has passed.
        """
        told = {
            kind: (waits.quantiles_s(), waits.bound_s)
            for kind, waits in self._waits.items()
            if waits.bound_s is not None
        }

        def of(kind: Kind, since: int) -> Said:
            known = next((told[one] for one in broader(kind) if one in told), None)
            return NO_HISTORY if known is None else said(*known, since, snapshot.taken_at)

        return answers(snapshot, of)


def said(quantiles_s: Sequence[int], bound_s: int | None, since: int, now: int) -> Said:
    """Return what is said of who waits since then, from waits at LEVELS and their bound."""
    at = [max(now, since + wait_s) for wait_s in quantiles_s]
    by_level = dict(zip(LEVELS, at, strict=True))
    return Said(
        likely_at=by_level[0.5],
        low_at=by_level[0.1],
        high_at=by_level[0.9],
        by_at=None if bound_s is None else max(now, since + bound_s),
        quantiles=tuple(by_level.items()),
    )
