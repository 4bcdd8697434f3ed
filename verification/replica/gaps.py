"""How many looks a stretch of a recording lacks, and whether it may still be judged by."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median_low

MOST_MISSING = 0.02
"""A share; a stretch that lacks more is flagged."""
LONGEST_S = 300
"""A stretch with a longer hole is flagged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gaps:
    """What a stretch of a recording lacks."""

    looks: int
    missing: int
    """So many more would be there if none had been left out."""
    longest_s: int
    """The longest time from one look to the next; 0 with less than two."""

    @property
    def missing_share(self) -> float:
        """The part of the looks that is missing, in [0, 1]."""
        return self.missing / (self.looks + self.missing) if self.looks else 0.0

    @property
    def flagged(self) -> bool:
        """Whether it lacks so much that no headline figure should rest on it."""
        return self.missing_share > MOST_MISSING or self.longest_s > LONGEST_S


def period_of(instants: Sequence[int]) -> int:
    """Return the usual time between two looks, in seconds; 0 with less than two looks."""
    steps = [later - earlier for earlier, later in pairwise(instants)]
    return median_low(steps) if steps else 0


def gaps_of(instants: Sequence[int], since: int, until: int, period_s: int) -> Gaps:
    """Return what lacks from one instant to another, both included.

    `instants` ascend; a look is missing for each whole `period_s` beyond the first between two.
    """
    inside = [at for at in instants if since <= at <= until]
    steps = [later - earlier for earlier, later in pairwise(inside)]
    missing = sum(max(0, round(step / period_s) - 1) for step in steps) if period_s else 0
    return Gaps(looks=len(inside), missing=missing, longest_s=max(steps, default=0))
