"""Means and quantiles of weighted values, in lists that run alike. No weight is negative."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from operator import mul


def mean(values: Sequence[float], weights: Sequence[float]) -> float | None:
    """Return the weighted mean; None if nothing weighs."""
    total = sum(weights)
    return sum(map(mul, values, weights)) / total if total else None


class Ascending:
    """Weighted values in ascending order."""

    def __init__(self, values: Sequence[float], weights: Sequence[float]) -> None:
        self._values = values
        self._up_to = list(accumulate(weights))
        self._total = self._up_to[-1] if self._up_to else 0

    def quantile(self, level: float) -> float | None:
        """Return the least value that, with all below it, has `level` of the weight.

        None if nothing weighs. Level 0.5 of an even number of equal weights is the lower of the
        two in the middle.
        """
        if not self._total:
            return None
        # A sum of many shares misses the level by a rounding at most, never by a share.
        enough = level * self._total * (1 - 1e-12)
        return self._values[bisect_left(self._up_to, enough)]

    def share(self, most: float) -> float | None:
        """Return which share of the weight lies on values of at most `most`; None of nothing."""
        count = bisect_right(self._values, most)
        if not self._total:
            return None
        return self._up_to[count - 1] / self._total if count else 0.0


def pick(values: Sequence[float], places: Iterable[int]) -> list[float]:
    """Return the values at the places, in their order."""
    return [values[place] for place in places]


def places_of(rows: Sequence[int], labels: Sequence[str]) -> Mapping[str, Sequence[int]]:
    """Return the places at which rows of each label stand, ascending."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        found[labels[row]].append(place)
    return found
