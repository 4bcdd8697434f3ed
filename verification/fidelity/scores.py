"""How well said starts agree with real ones. Instants are UTC epoch seconds, errors seconds."""

import math
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Self

CLOSE_S = 60
"""A start said no further off than this is a hit."""

Pair = tuple[int, int]
"""A job's real and its said start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions:
    """Who was said to start within a short time, and who did."""

    hits: int = 0
    close: int = 0
    """Hits said within CLOSE_S of the real start."""
    false: int = 0
    """Said to start, but did not."""
    missed: int = 0
    """Started, but was not said to."""

    @classmethod
    def of(cls, real: Mapping[str, int], said: Mapping[str, int]) -> Self:
        """Return the counts of one look, from starts by job."""
        both = real.keys() & said.keys()
        return cls(
            hits=len(both),
            close=sum(abs(real[id_] - said[id_]) <= CLOSE_S for id_ in both),
            false=len(said.keys() - both),
            missed=len(real.keys() - both),
        )

    @classmethod
    def pooled(cls, looks: Iterable[Self]) -> Self:
        """Return the counts of several looks together."""
        known = tuple(looks)
        return cls(
            hits=sum(one.hits for one in known),
            close=sum(one.close for one in known),
            false=sum(one.false for one in known),
            missed=sum(one.missed for one in known),
        )

    @property
    def precision(self) -> float | None:
        """The share of those said to start that did, in [0, 1]; None if nobody was."""
        return share(self.hits, self.hits + self.false)

    @property
    def recall(self) -> float | None:
        """The share of those that started that were said to, in [0, 1]; None if nobody did."""
        return share(self.hits, self.hits + self.missed)

    @property
    def close_share(self) -> float | None:
        """The share of the hits said within CLOSE_S; None without hits."""
        return share(self.close, self.hits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The jobs of one window, or of several pooled, that started in it or were said to."""

    length_s: int
    pairs: tuple[Pair, ...]
    """Of those that did both."""
    bounds_s: tuple[int, ...]
    """Of the others: how far off their said start is at least, as both lie beyond the end."""
    missed: int
    """How many of the others really started."""

    @classmethod
    def of(
        cls, real: Mapping[str, int], said: Mapping[str, int], begin_at: int, end_at: int
    ) -> Self:
        """Return the jobs of the window from `begin_at` to `end_at`, from starts by job."""
        both = sorted(real.keys() & said.keys())
        alone = [*real.items(), *said.items()]
        return cls(
            length_s=end_at - begin_at,
            pairs=tuple((real[id_], said[id_]) for id_ in both),
            bounds_s=tuple(end_at - at for id_, at in alone if not (id_ in real and id_ in said)),
            missed=len(real.keys() - said.keys()),
        )

    @classmethod
    def pooled(cls, windows: Sequence[Self]) -> Self:
        """Return all jobs of windows of one length together. Raises ValueError without any."""
        if not windows:
            raise ValueError("there is no window to pool")
        return cls(
            length_s=windows[0].length_s,
            pairs=tuple(pair for one in windows for pair in one.pairs),
            bounds_s=tuple(bound for one in windows for bound in one.bounds_s),
            missed=sum(one.missed for one in windows),
        )

    @property
    def jobs(self) -> int:
        """How many there are."""
        return len(self.pairs) + len(self.bounds_s)

    @property
    def close_share(self) -> float | None:
        """The share of all of them said within CLOSE_S, in [0, 1]; None if there are none."""
        return share(sum(abs(error) <= CLOSE_S for error in self.errors_s), self.jobs)

    @property
    def errors_s(self) -> tuple[int, ...]:
        """By how much each of the pairs started later than said; negative: earlier."""
        return tuple(real - said for real, said in self.pairs)

    def off_s(self, part: float) -> int | None:
        """Return how far off, at least, the best `part` of all of them are; None without jobs.

        Of who started or was said to only, the least that the error can be is counted.
        """
        off = sorted([*(abs(error) for error in self.errors_s), *self.bounds_s])
        return off[min(len(off) - 1, math.ceil(part * len(off)) - 1)] if off else None

    @property
    def mean_s(self) -> float | None:
        """The mean error of the pairs; None without."""
        errors = self.errors_s
        return sum(errors) / len(errors) if errors else None

    @property
    def sigma_s(self) -> float | None:
        """The standard deviation of the pairs' errors; None with less than two."""
        return sigma(self.errors_s)


def sigma(errors: Sequence[int]) -> float | None:
    """Return the standard deviation of a sample; None with less than two."""
    if len(errors) < 2:
        return None
    mean = sum(errors) / len(errors)
    return math.sqrt(sum((error - mean) ** 2 for error in errors) / (len(errors) - 1))


def share(part: int, whole: int) -> float | None:
    """Return which part of the whole it is; None of nothing."""
    return part / whole if whole else None


def kendall_tau(windows: Iterable[Sequence[Pair]]) -> float | None:
    """Return how far said starts agree in order with real ones, in [-1, 1]: Kendall's tau-b.

    Only jobs of the same window are compared. None if no two can be. n log n.
    """
    balance = real_differ = said_differ = 0
    for pairs in windows:
        count = len(pairs) * (len(pairs) - 1) // 2
        balance += _concordance(pairs)
        real_differ += count - _ties(real for real, _ in pairs)
        said_differ += count - _ties(said for _, said in pairs)
    if not real_differ or not said_differ:
        return None
    return balance / math.sqrt(real_differ * said_differ)


def _concordance(pairs: Iterable[Pair]) -> int:
    """Return how many more couples of jobs agree in their order than disagree."""
    balance = 0
    before: list[int] = []
    for _, group in groupby(sorted(pairs), key=lambda pair: pair[0]):
        said = [said for _, said in group]
        for one in said:
            balance += bisect_left(before, one) - (len(before) - bisect_right(before, one))
        for one in said:
            insort(before, one)
    return balance


def _ties(values: Iterable[int]) -> int:
    """Return how many couples of equal values there are."""
    sizes = (len(list(group)) for _, group in groupby(sorted(values)))
    return sum(size * (size - 1) // 2 for size in sizes)
