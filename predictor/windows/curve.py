"""How outcomes scatter: weighted quantiles that also heed what has not come out yet."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self


class Seen(NamedTuple):
    """One outcome as far as it is known."""

    value: float
    open: bool
    """It will be `value` or more."""
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """A distribution by values and the levels at which they lie, both ascending."""

    levels: Sequence[float]
    values: Sequence[float]

    @classmethod
    def of(cls, seen: Iterable[Seen]) -> Self:
        """Return the distribution of outcomes, some of which are still open. n log n.

        What is open counts among those that may still come to more, until it is passed itself.
        The highest values are taken for known. Raises ValueError if nothing is known.
        Source: Kaplan and Meier, Nonparametric Estimation from Incomplete Observations (1958).
        """
        ordered = sorted(one for one in seen if one.weight > 0)
        at_risk = sum(one.weight for one in ordered)
        left = 1.0
        levels: list[float] = []
        values: list[float] = []
        for value, is_open, weight in ordered:
            if not is_open:
                after = left * max(0.0, 1 - weight / at_risk)
                levels.append(1 - (left + after) / 2)
                values.append(value)
                left = after
            at_risk = max(at_risk - weight, 1e-9)
        if not values:
            raise ValueError("no outcome is known")
        return cls(levels=levels, values=values)

    def at(self, level: float) -> float:
        """Return the value at a level, linear between two; beyond the ends, those."""
        place = bisect_left(self.levels, level)
        if place == 0:
            return self.values[0]
        if place == len(self.levels):
            return self.values[-1]
        low, high = self.levels[place - 1], self.levels[place]
        share = (level - low) / (high - low)
        return self.values[place - 1] + share * (self.values[place] - self.values[place - 1])
