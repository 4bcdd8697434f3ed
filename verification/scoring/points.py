"""How far off single instants were. Errors are seconds; see `Points.bias_s` for their sign."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from verification.judging.case import Case, Said
from verification.scoring.columns import Columns
from verification.scoring.weighted import Ascending, mean, pick, places_of

FLOOR_S = 300
"""Shorter waits count as this long where waits are compared by their ratio."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """What the answers are worth, over jobs that started. None: there is none to score."""

    jobs_scored: int
    """Jobs that started, answered or not: each time they waited."""
    answered: float | None
    """Which share of the weight was answered, in [0, 1]."""
    mae_s: float | None
    """The mean of how far off the answers are."""
    median_abs_s: float | None
    p90_abs_s: float | None
    p99_abs_s: float | None
    bias_s: float | None
    """The mean of said minus real start: positive means it started earlier than said."""
    sigma_s: float | None
    """The standard deviation of the errors."""
    within_60s: float | None
    """The share of the answers that are at most so far off, in [0, 1]; likewise below."""
    within_600s: float | None
    within_1800s: float | None
    within_3600s: float | None
    within_factor2: float | None
    """Said and real wait differ at most by a factor 2; waits below FLOOR_S count as FLOOR_S."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What could have been answered: rows of jobs that started."""

    jobs: int
    """How many jobs, each time they waited."""
    weight: float

    @classmethod
    def of(cls, columns: Columns, rows: Iterable[int], weights: Sequence[float]) -> Self:
        """Return what the rows hold, as far as they weigh anything."""
        own = [row for row in rows if weights[row]]
        return cls(
            jobs=len({columns.wait[row] for row in own}), weight=math.fsum(pick(weights, own))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Errors:
    """Answers for jobs that started, by how far off they are, ascending. Lists run alike."""

    rows: Sequence[int]
    off_s: Sequence[float]
    error_s: Sequence[float]
    """Said minus real start."""
    close: Sequence[float]
    """1 where said and real wait are within a factor 2 of one another, else 0."""
    weights: Sequence[float]

    @classmethod
    def of(cls, columns: Columns, said: Sequence[Said]) -> Self:
        """Return the errors of one predictor, each with weight 1."""
        found = []
        for row in columns.started:
            case, likely_at = columns.cases[row], said[row].likely_at
            if likely_at is not None and case.started_at is not None:
                error_s = likely_at - case.started_at
                found.append((abs(error_s), row, error_s, _is_close(case, likely_at)))
        found.sort()
        rows = [row for _, row, _, _ in found]
        return cls(
            rows=rows,
            off_s=[off_s for off_s, _, _, _ in found],
            error_s=[error_s for _, _, error_s, _ in found],
            close=[close for _, _, _, close in found],
            weights=[1.0] * len(rows),
        )

    def grouped(self, labels: Sequence[str]) -> Mapping[str, Self]:
        """Return the errors apart by the label of their rows."""
        return {label: self.only(places) for label, places in places_of(self.rows, labels).items()}

    def only(self, places: Sequence[int]) -> Self:
        """Return those at the places, which ascend."""
        return type(self)(
            rows=[self.rows[place] for place in places],
            off_s=pick(self.off_s, places),
            error_s=pick(self.error_s, places),
            close=pick(self.close, places),
            weights=pick(self.weights, places),
        )

    def weighing(self, weights: Sequence[float]) -> Self:
        """Return those that weigh anything, if rows weigh so."""
        own = pick(weights, self.rows)
        if all(own):
            return replace(self, weights=own)
        places = [place for place, weight in enumerate(own) if weight]
        return replace(self.only(places), weights=pick(own, places))

    def points(self, asked: Asked) -> Points:
        """Return the scores, if so much could have been answered."""
        own = self.weights
        bias_s = mean(self.error_s, own)
        off = Ascending(self.off_s, own)
        return Points(
            jobs_scored=asked.jobs,
            answered=math.fsum(own) / asked.weight if asked.weight else None,
            mae_s=mean(self.off_s, own),
            median_abs_s=off.quantile(0.5),
            p90_abs_s=off.quantile(0.9),
            p99_abs_s=off.quantile(0.99),
            bias_s=bias_s,
            sigma_s=_sigma_s(self.error_s, own, bias_s),
            within_60s=off.share(60),
            within_600s=off.share(600),
            within_1800s=off.share(1800),
            within_3600s=off.share(3600),
            within_factor2=mean(self.close, own),
        )


def _is_close(case: Case, likely_at: int) -> float:
    """Return 1 if said and real wait from here on are within a factor 2, else 0."""
    real_s = max((case.started_at or 0) - case.seen_at, FLOOR_S)
    said_s = max(likely_at - case.seen_at, FLOOR_S)
    return float(said_s <= 2 * real_s and real_s <= 2 * said_s)


def _sigma_s(
    errors_s: Sequence[float], weights: Sequence[float], bias_s: float | None
) -> float | None:
    """Return the standard deviation about the mean; None of nothing."""
    if bias_s is None:
        return None
    variance = mean([(error - bias_s) ** 2 for error in errors_s], weights)
    return None if variance is None else math.sqrt(variance)
