"""Pick one of several by weight."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate


class Picker:
    """Numbers from 0 on, each with a weight that is not negative; not all of them are 0."""

    def __init__(self, weights: Sequence[float]) -> None:
        self.sums = list(accumulate(weights))

    def pick(self, share: float) -> int:
        """Return the number at this share, in [0, 1), of all weight."""
        return min(bisect_right(self.sums, share * self.sums[-1]), len(self.sums) - 1)

    def place(self, share: float) -> float:
        """Return where this share, in [0, 1), of all weight lies: a number and part of the next."""
        number = self.pick(share)
        before = self.sums[number - 1] if number else 0.0
        weight = self.sums[number] - before
        return number + ((share * self.sums[-1] - before) / weight if weight else 0.0)
