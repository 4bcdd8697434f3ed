"""The same measures added up on the way, in memory that does not grow with the number of jobs."""

from collections.abc import Iterator, Sequence

from predictor.engine import store
from verification.measures.waits import TAU_S, jain

EXACT_BITS = 6
"""Seconds are told apart exactly below 2 to the power of one more, above to 1 part in 2 to this."""
SPANS = 240
"""A series has between half and all of so many spans."""
FIRST_SPAN_S = 60
MOST_AREA = 1 << 62


class Waits:
    """What jobs met: waits, bounded slowdowns and turnarounds, and how even that was."""

    def __init__(self) -> None:
        self.jobs = 0
        self.wait_s = 0
        self.most_wait_s = 0
        self.turnaround_s = 0
        self.slowdown = 0.0
        self._counts: dict[int, int] = {}
        self._users: dict[int, list[float]] = {}

    def add(self, wait_s: int, run_s: int, user: int) -> None:
        """Add a job that has ended."""
        length_s = run_s if run_s > TAU_S else TAU_S
        slowdown = (wait_s + run_s) / length_s
        if slowdown < 1.0:
            slowdown = 1.0
        self.jobs += 1
        self.wait_s += wait_s
        if wait_s > self.most_wait_s:
            self.most_wait_s = wait_s
        self.turnaround_s += wait_s + run_s
        self.slowdown += slowdown
        cell = _cell(wait_s)
        self._counts[cell] = self._counts.get(cell, 0) + 1
        of_user = self._users.get(user)
        if of_user is None:
            of_user = self._users[user] = [0.0, 0.0]
        of_user[0] += slowdown
        of_user[1] += 1.0

    def quantile_s(self, level: float) -> int | None:
        """Return the least wait that a share `level` does not exceed; None of nobody.

        Exact up to about two minutes, above no more than 1.6 % too long.
        """
        for wait_s, share in self.shares():
            if share >= level - 1e-12:
                return wait_s
        return None

    def shares(self) -> Iterator[tuple[int, float]]:
        """Yield waits in seconds, ascending, and the share of jobs that waited no longer."""
        reached = 0
        for cell in sorted(self._counts):
            reached += self._counts[cell]
            yield min(_longest_s(cell), self.most_wait_s), reached / self.jobs

    @property
    def fairness(self) -> float | None:
        """How alike the users' mean bounded slowdowns are, as `fairness` of all jobs at once."""
        return jain([total / count for total, count in self._users.values()])


def _cell(wait_s: int) -> int:
    """Return the class of a wait: itself while small, then equal parts of each doubling."""
    coarse = wait_s.bit_length() - EXACT_BITS - 1
    return wait_s if coarse <= 0 else (coarse << EXACT_BITS) + (wait_s >> coarse)


def _longest_s(cell: int) -> int:
    """Return the longest wait of a class."""
    coarse = max((cell >> EXACT_BITS) - 1, 0)
    return ((cell - (coarse << EXACT_BITS) + 1) << coarse) - 1


class Levels:
    """Amounts that hold for a while: their means over time, and how they went along.

    The series has spans of equal length, which doubles when they grow too many.
    """

    def __init__(self, amounts: int) -> None:
        self.until_s = 0
        self.span_s = FIRST_SPAN_S
        self.most = store.numbers(amounts)
        self._areas = [0] * amounts
        self._series = [[0] * SPANS for _ in range(amounts)]
        self._span = 0
        """The span that time has come to."""
        self._here = store.numbers(amounts)
        """By amount: what of that span's area is not yet in the series."""
        self._bound = MOST_AREA // FIRST_SPAN_S
        """Of larger amounts a span's area may have no place there."""

    def hold(self, until_s: int, amounts: Sequence[int]) -> None:
        """Let these amounts hold from where the last ones ended until then."""
        since_s, self.until_s = self.until_s, until_s
        while until_s > SPANS * self.span_s:
            self._widen()
        length_s = until_s - since_s
        first, last = since_s // self.span_s, (until_s - 1) // self.span_s
        if first != self._span:
            self._settle(first)
        for number, amount in enumerate(amounts):
            if amount > self.most[number]:
                self.most[number] = amount
            if first == last and amount < self._bound:
                self._here[number] += amount * length_s
            elif amount:
                self._spread(number, amount, since_s)

    def _spread(self, number: int, amount: int, since_s: int) -> None:
        """Let an amount hold since then, through several spans, or one that is too large."""
        self._areas[number] += amount * (self.until_s - since_s)
        series = self._series[number]
        while since_s < self.until_s:
            span = since_s // self.span_s
            end_s = min(self.until_s, (span + 1) * self.span_s)
            series[span] += amount * (end_s - since_s)
            since_s = end_s

    def _settle(self, span: int) -> None:
        """Put what is known of the current span in its place, and go to another."""
        for number in range(len(self._areas)):
            self._areas[number] += self._here[number]
            self._series[number][self._span] += self._here[number]
            self._here[number] = 0
        self._span = span

    def _widen(self) -> None:
        self._settle(self._span // 2)
        self.span_s *= 2
        self._bound //= 2
        for series in self._series:
            half = [series[at] + series[at + 1] for at in range(0, SPANS, 2)]
            series[:] = half + [0] * (SPANS - len(half))

    @property
    def areas(self) -> Sequence[int]:
        """Each amount times the seconds for which it held, added up."""
        self._settle(self._span)
        return self._areas

    def mean(self, number: int) -> float:
        """Return the mean over time of an amount; 0 if no time has passed."""
        return self.areas[number] / self.until_s if self.until_s else 0.0

    def series(self, number: int) -> list[float]:
        """Return the mean of an amount in each span, the last of which may be cut short."""
        spans = -(-self.until_s // self.span_s)
        self._settle(self._span)
        lengths = [self.span_s] * spans
        if spans:
            lengths[spans - 1] = self.until_s - (spans - 1) * self.span_s
        return [area / s for area, s in zip(self._series[number], lengths, strict=False)]
