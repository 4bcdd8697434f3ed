"""By how much a figure changes, and how sure that is."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, stdev

LEVEL = 0.95
FEWEST = 3
"""With fewer pairs nothing can be said about how sure a change is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A figure under both configurations: means over the draws, and where the change lies."""

    base: float
    new: float
    low: float | None
    """The mean change lies between these, at the level asked for. None: too few draws."""
    high: float | None
    noise: float | None
    """The standard deviation of the base alone: what luck does to one and the same days."""

    @property
    def change(self) -> float:
        """Return the mean change."""
        return self.new - self.base

    @property
    def share(self) -> float | None:
        """Return the change as a share of the base; None of nothing."""
        return self.change / abs(self.base) if self.base else None

    @property
    def detected(self) -> bool:
        """Whether the change is surely none of luck's: its interval does not hold zero."""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high


def changed(base: Sequence[float], new: Sequence[float], level: float = LEVEL) -> Changed | None:
    """Return the change from paired values; None without any.

    The interval is Student's, of the mean of the pairs' differences.
    """
    if not base:
        return None
    differences = [after - before for before, after in zip(base, new, strict=True)]
    low = high = noise = None
    if len(differences) >= FEWEST:
        count, middle = len(differences), fmean(differences)
        reach = student(level, count - 1) * stdev(differences) / count**0.5
        low, high, noise = middle - reach, middle + reach, stdev(base)
    return Changed(base=fmean(base), new=fmean(new), low=low, high=high, noise=noise)


def student(level: float, freedom: int) -> float:
    """Return the two-sided quantile of Student's t. Within 2 % from three degrees of freedom on.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5.
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + sum(term / float(freedom) ** power for power, term in enumerate(terms, start=1))
