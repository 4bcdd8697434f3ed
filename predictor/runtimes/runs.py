"""The last run times of one kind of jobs, and what each of them counts."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate
from statistics import median_low
from typing import Any, Final, Self

from predictor.domain.defaults import NO_LIMIT_S
from predictor.runtimes.law import Law

REMEMBERED: Final = 64
"""So many of the last jobs of a kind count."""
OF_ONE_USER: Final = 8
"""So many of them may be one user's where the kind is shared."""
EARLY_S: Final = 60
"""Who ends before that has failed early, however long it was allowed to run."""
NEAREST: Final = 3
"""By the middle one of so many of the last is judged what they tell of the next."""
FADING: Final = 0.9
"""What an earlier miss counts beside the next one."""
INTO_LIMIT: Final = 0.2
"""How probably a job runs into its limit where limits tell better than earlier jobs do."""
MOST_ATOMS: Final = 10
"""So many run times tell of a kind."""
MOST_READY: Final = 4
"""For so many limits the law is kept until the next job is added."""

Run = tuple[int, int, str]
"""A run time, the limit it had, both in seconds; and whose job it was where the kind is shared."""
_RECENT: Final = tuple(1 / place for place in range(1, REMEMBERED + 1))
_MASSES: Final = (0.0, *accumulate(_RECENT))


class Runs:
    """Run times of jobs of one kind, the last first, and how well they told the next one.

    Of one user, the last count most: the n-th last as much as 1/n. Of several, each user counts
    the same, however many jobs are theirs, so that nobody speaks for the others.
    """

    __slots__ = ("_misses", "_ready", "_speakers", "last", "mass", "shared")

    def __init__(self, *, shared: bool) -> None:
        self.shared = shared
        self.last: list[Run] = []
        self.mass = 0.0
        """How much is known: what the jobs weigh together, or how many users they are of."""
        self._misses = [0.0] * 4
        """By what share of its limit the next one was missed, summed up, old ones fading: by the
        share that the last ones used of theirs, by their plain run times (where limits differ);
        by these jobs, by the limit."""
        self._ready: dict[int, Law] = {}
        self._speakers: list[tuple[Run, float]] = []
        """Few that speak for all, and how much each counts; empty: not chosen since the last."""

    def add(self, run_s: int, limit_s: int, user: str) -> None:
        """Take note of one more, which ran no longer than its limit."""
        if self.last:
            self._judge(run_s, limit_s)
        self._ready.clear()
        self._speakers.clear()
        self.last.insert(0, (run_s, limit_s, user if self.shared else ""))
        if self.shared:
            places = [place for place, one in enumerate(self.last) if one[2] == user]
            if len(places) > OF_ONE_USER:
                del self.last[places[-1]]
        del self.last[REMEMBERED:]
        self._weigh()

    def _judge(self, run_s: int, limit_s: int) -> None:
        """Note how far off each way of telling would have told this one."""
        near, misses = self.last[:NEAREST], self._misses
        if near[0][1] != limit_s:
            for way, by_time in enumerate((False, True)):
                off_s = abs(_under(limit_s, near[0], by_time) - run_s)
                misses[way] = misses[way] * FADING + off_s / limit_s
        told = sorted(_under(limit_s, one, self._by_time) for one in near)
        misses[2] = misses[2] * FADING + abs(told[len(told) // 2] - run_s) / limit_s
        misses[3] = misses[3] * FADING + (limit_s - run_s) / limit_s

    def _weigh(self) -> None:
        known = len(self.last)
        self.mass = float(len({one[2] for one in self.last})) if self.shared else _MASSES[known]

    @property
    def _by_time(self) -> bool:
        return self._misses[1] < self._misses[0]

    def law(self, limit_s: int) -> Law:
        """Return how long they would have run under that limit. There must be some.

        The same share of the limit, or the same time if that told better lately; who failed early
        would have failed as early, who ran into its limit would have done so again. Where the
        limit told better than they did, it is as probable as all that they tell.
        """
        found = self._ready.get(limit_s)
        if found is None:
            if len(self._ready) >= MOST_READY:
                self._ready.clear()
            found = self._ready[limit_s] = self._doubted(self._law(limit_s), limit_s)
        return found

    def middle_s(self, limit_s: int) -> int:
        """Return so long half of them would have run at most under that limit."""
        by_time = self._by_time
        return median_low([_under(limit_s, one, by_time) for one in self.last])

    def _law(self, limit_s: int) -> Law:
        if not self._speakers:
            self._speakers.extend(self._chosen())
        by_time = self._by_time
        return Law.of([(_under(limit_s, one, by_time), weight) for one, weight in self._speakers])

    def _doubted(self, law: Law, limit_s: int) -> Law:
        if self._misses[3] < self._misses[2]:
            return Law.mixed([(law, 1 - INTO_LIMIT), (Law.certain(limit_s), INTO_LIMIT)])
        return law

    def _chosen(self) -> Iterable[tuple[Run, float]]:
        """Return all of them, or the middles of as many equal shares as may tell.

        In the order that they have under the limit of the last one: under others it is much alike.
        """
        weighted = list(zip(self.last, self._weights(), strict=True))
        if len(weighted) <= MOST_ATOMS:
            return weighted
        limit_s, by_time = self.last[0][1], self._by_time
        weighted.sort(key=lambda one: _under(limit_s, one[0], by_time))
        reached = list(accumulate(weight for _, weight in weighted))
        share = reached[-1] / MOST_ATOMS
        places = (bisect_left(reached, (n + 0.5) * share) for n in range(MOST_ATOMS))
        return [(weighted[place][0], 1.0) for place in places]

    def _weights(self) -> Sequence[float]:
        if not self.shared:
            return _RECENT[: len(self.last)]
        jobs = Counter(user for _, _, user in self.last)
        return [1 / jobs[user] for _, _, user in self.last]

    def state(self) -> list[object]:
        """Return all of it as JSON can write it."""
        return [list(self._misses), [list(run) for run in self.last]]

    @classmethod
    def restored(cls, state: Any, *, shared: bool) -> Self:
        """Return what once gave this state. Raises TypeError or ValueError if nothing ever does."""
        misses, last = state
        found = cls(shared=shared)
        found._misses = [float(miss) for miss in misses]
        found.last = [(int(run_s), int(limit_s), str(user)) for run_s, limit_s, user in last]
        sound = all(0 < run_s <= limit_s <= NO_LIMIT_S for run_s, limit_s, _ in found.last)
        if not sound or len(found._misses) != 4 or not 0 < len(found.last) <= REMEMBERED:
            raise ValueError("run times that cannot be")
        found._weigh()
        return found


def _under(limit_s: int, run: Run, by_time: bool) -> int:
    run_s, allowed_s, _ = run
    if run_s >= allowed_s:
        return limit_s
    if by_time or run_s < EARLY_S or allowed_s == limit_s:
        return min(run_s, limit_s)
    return max(1, run_s * limit_s // allowed_s)
