"""A distribution as a few of its quantiles: small enough for a file, free of any formula."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Final

STEPS: Final = 32
HALVINGS: Final = 8
GRID: Final = 4096
MOST: Final = STEPS + 1 + HALVINGS


def shares_of(count: int) -> tuple[float, ...]:
    """Return at which shares so many quantiles stand, from 0 to 1."""
    tail = count - STEPS - 1
    if tail <= 0:
        return tuple(number / max(1, count - 1) for number in range(count))
    halved = (1 - 0.5**number / STEPS for number in range(1, tail + 1))
    return (*(number / STEPS for number in range(STEPS)), *halved, 1.0)


SHARES: Final = tuple(shares_of(count) for count in range(MOST + 1))


@dataclass(frozen=True, slots=True)
class Spread:
    """Quantiles from the least to the largest value; between them the distribution is filled in.

    Up to 33 of them stand at equal steps. Of more, those past the 31st each halve what is left, so
    that a long tail keeps its weight.
    """

    values: tuple[float, ...]
    """Ascending, not negative, at least one."""

    def __post_init__(self) -> None:
        ascending = all(a <= b for a, b in zip(self.values, self.values[1:], strict=False))
        if not self.values or self.values[0] < 0 or not ascending:
            raise ValueError("a spread needs ascending values that are not negative")
        if not all(map(isfinite, self.values)):
            raise ValueError("a spread needs finite values")
        if len(self.values) > MOST:
            raise ValueError(f"a spread of {len(self.values)} values")

    @property
    def mean(self) -> float:
        """What is drawn on average, nearly."""
        return sum(self.at((step + 0.5) / GRID) for step in range(GRID)) / float(GRID)

    def at(self, share: float) -> float:
        """Return the value that this share, in [0, 1), of the distribution does not exceed."""
        shares = SHARES[len(self.values)]
        number = bisect_right(shares, share) - 1
        if number >= len(self.values) - 1:
            return self.values[-1]
        low, high = self.values[number], self.values[number + 1]
        first, last = shares[number], shares[number + 1]
        part = (share - first) / (last - first)
        # Durations and sizes range over orders of magnitude: between two, think in factors.
        return low * (high / low) ** part if low > 0 else high * part


def spread_of(values: Sequence[float]) -> Spread:
    """Return the spread of values, of which there is at least one; up to 33 are kept as they are.

    Raises ValueError if there is none, or a negative one.
    """
    ordered = sorted(values)
    if len(ordered) <= STEPS + 1:
        return Spread(tuple(ordered))
    tail = min(HALVINGS, (len(ordered) // STEPS).bit_length() - 1)
    shares = shares_of(STEPS + 1 + tail)
    return Spread(tuple(ordered[min(int(s * len(ordered)), len(ordered) - 1)] for s in shares))
