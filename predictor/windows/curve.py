"""How outcomes scatter: weighted quantiles that also heed what has not come out yet."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

Seen = tuple[float, bool, float]
"""An outcome as far as it is known, whether it is still open, which means that it will be so much
or more, and its weight, above 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """A distribution by values and the levels at which they lie, both ascending."""

    levels: Sequence[float]
    values: Sequence[float]

    @classmethod
    def of(cls, ascending: Sequence[Seen]) -> Self:
        """Return the distribution of outcomes, of which some are still open; they ascend.

        What is open counts among those that may still come to more, until it is passed itself.
        The highest values are taken for known. Raises ValueError if nothing is known.
        Source: Kaplan and Meier, Nonparametric Estimation from Incomplete Observations (1958).
        """
        at_risk = sum(weight for _, _, weight in ascending)
        left = 1.0
        levels: list[float] = []
        values: list[float] = []
        for value, is_open, weight in ascending:
            if not is_open:
                after = left * (1 - weight / at_risk) if weight < at_risk else 0.0
                levels.append(1 - (left + after) / 2)
                values.append(value)
                left = after
            at_risk -= weight
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
