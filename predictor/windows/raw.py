"""What a simulation says of one start, and what is told of it. Leads are seconds from now on."""

import math
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, Self

from predictor.domain.durations import DAY_S, HOUR_S
from predictor.domain.outlook import Lately, Outlook

LEVELS = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95)
"""The levels of all quantiles here."""
LOW, MIDDLE, HIGH, BY = (LEVELS.index(level) for level in (0.1, 0.5, 0.9, 0.95))
"""Their places: of the 80 % window and what lies in the middle, and of what is promised."""

LEAD_BOUNDS_S = (600, HOUR_S, 4 * HOUR_S, 24 * HOUR_S)
"""The lead from which each bin but the first begins."""
BINS = len(LEAD_BOUNDS_S) + 1
LEAD_WORDS = (
    "within 10 min",
    "in 10 min to 1 h",
    "in 1 to 4 h",
    "in 4 to 24 h",
    "in more than 24 h",
)
"""Each bin's leads, in words."""
CENTRES_S = (300, 1500, 2 * HOUR_S, 10 * HOUR_S, 48 * HOUR_S)
"""What each bin knows holds best for such a lead; between two, both are asked."""
LONGEST_S = 10 * 366 * DAY_S
"""No lead is longer."""
SOFTENED_S = 120
"""Added to leads that are compared by their ratio: below it ratios mean little."""
TRUSTED = 0.7
"""To this share marks of a window lie where they were drawn, for the rest in the middle."""


class Marks(NamedTuple):
    """The leads from which outcomes are measured: each quantile from the nearest."""

    low_s: float
    middle_s: float
    high_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """The start of one job as drawn, before anything is learned from outcomes."""

    quantiles_s: tuple[float, ...]
    """Leads at LEVELS, ascending, in [0, LONGEST_S]."""
    waited_s: int
    """How long the job has been allowed to start already."""

    @classmethod
    def of(cls, leads_s: Iterable[float | None], *, horizon_s: float, waited_s: int) -> Self:
        """Return the quantiles of the leads in each draw, equally probable.

        None, infinite or not a number: not within the horizon, and taken for its end. Raises
        ValueError if there is no draw.
        """
        end_s = _bounded(horizon_s, LONGEST_S)
        drawn = sorted(min(end_s, _bounded(lead_s, end_s)) for lead_s in leads_s)
        if not drawn:
            raise ValueError("a start that was never drawn has no quantiles")
        quantiles_s = tuple(_quantile(drawn, level) for level in LEVELS)
        return cls(quantiles_s=quantiles_s, waited_s=max(0, waited_s))

    @property
    def lead_s(self) -> float:
        """The start as probably earlier as later."""
        return self.quantiles_s[MIDDLE]

    @property
    def marks(self) -> Marks:
        """What outcomes are measured from. Draws that lie wide apart err less than they say."""
        apart = (ratio(self.quantiles_s[place], self.lead_s) for place in (LOW, HIGH))
        low_s, high_s = (shifted(self.lead_s, TRUSTED * one) for one in apart)
        return Marks(low_s, self.lead_s, high_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """The start of one job as it may be told."""

    quantiles_s: tuple[int, ...]
    """Leads at LEVELS, ascending, none negative."""

    @property
    def lead_s(self) -> int:
        """The likely start."""
        return self.quantiles_s[MIDDLE]

    def outlook(self, seen_at: int, basis: str = "", lately: Lately | None = None) -> Outlook:
        """Return it in instants, for an answer given at `seen_at`."""
        told_at = tuple(seen_at + lead_s for lead_s in self.quantiles_s)
        return Outlook(
            likely_at=told_at[MIDDLE],
            low_at=told_at[LOW],
            high_at=told_at[HIGH],
            by_at=told_at[BY],
            quantiles=tuple(zip(LEVELS, told_at, strict=True)),
            basis=basis,
            lately=lately,
        )


def ratio(lead_s: float, other_s: float) -> float:
    """Return the logarithm of one lead to another, both softened; 0: they are equal."""
    return math.log((max(0.0, lead_s) + SOFTENED_S) / (max(0.0, other_s) + SOFTENED_S))


def shifted(lead_s: float, by: float) -> float:
    """Return the lead whose ratio to this one is `by`; at least 0, at most LONGEST_S."""
    return min(max(0.0, math.exp(min(by, 50.0)) * (lead_s + SOFTENED_S) - SOFTENED_S), LONGEST_S)


def lead_bin(lead_s: float) -> int:
    """Return the number of the bin that a lead lies in."""
    return bisect_right(LEAD_BOUNDS_S, lead_s)


def bins_beside(lead_s: float) -> tuple[int, float]:
    """Return which bin, and to which share the one after it, know most of a lead.

    Shares change steadily with the lead: no correction jumps where bins meet.
    """
    number = min(max(bisect_right(CENTRES_S, lead_s) - 1, 0), len(CENTRES_S) - 2)
    below, above = CENTRES_S[number], CENTRES_S[number + 1]
    lead_s = min(max(lead_s, below), above)
    return number, math.log(lead_s / below) / math.log(above / below)


def _bounded(lead_s: float | None, instead: float) -> float:
    if lead_s is None or not math.isfinite(lead_s):
        return instead
    return min(max(0.0, float(lead_s)), LONGEST_S)


def _quantile(ascending: list[float], level: float) -> float:
    """Return the quantile, linear between two values."""
    place = level * (len(ascending) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ascending) - 1)
    return ascending[below] + (ascending[above] - ascending[below]) * (place - below)
