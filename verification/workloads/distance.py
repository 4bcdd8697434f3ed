"""How far two distributions lie apart: the statistic of Kolmogorov and Smirnov."""

from collections.abc import Sequence
from itertools import accumulate


def ks_of_values(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the largest difference between the shares up to any value, in [0, 1].

    Both are ascending and not empty. Linear in their lengths.
    """
    first = second = 0
    apart = 0.0
    while first < len(one) and second < len(other):
        value = min(one[first], other[second])
        while first < len(one) and one[first] == value:
            first += 1
        while second < len(other) and other[second] == value:
            second += 1
        apart = max(apart, abs(first / len(one) - second / len(other)))
    return apart


def ks_of_parts(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the same of shares by parts in an order, as those of a day; each adds up to 1."""
    pairs = zip(accumulate(one), accumulate(other), strict=True)
    return max((abs(a - b) for a, b in pairs), default=0.0)
