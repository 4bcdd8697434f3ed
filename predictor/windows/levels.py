"""The quantile levels at which windows are read: raised by each miss, lowered a little by each hit.

So a window of 80 % holds for about four jobs of five also while the cluster changes.

Source: Gibbs and Candes, Adaptive Conformal Inference Under Distribution Shift (2021).
"""

from collections.abc import Mapping
from types import MappingProxyType

STEP = 0.04
"""So much of a miss moves the level."""
LEAST, MOST = 0.72, 1.05
"""No level goes further. Above where it is read it remembers misses in a row."""
SIDES: Mapping[str, tuple[float, float]] = MappingProxyType(
    {"low": (0.9, 0.98), "high": (0.9, 0.98), "by": (0.95, 0.995), "first_by": (0.95, 0.995)}
)
"""What each aims at, and the highest level at which it is read."""


class Level:
    """A level that is raised by each miss, and lowered a little by each hit."""

    def __init__(self, aim: float, highest: float, at: float | None = None) -> None:
        """Aim at being missed by 1 - aim; what is read is never above the highest."""
        self._aim, self._highest = aim, highest
        self.at = aim if at is None else min(max(at, LEAST), MOST)

    @property
    def read(self) -> float:
        """Where to read."""
        return min(self.at, self._highest)

    def heard(self, *, missed: bool, weight: float = 1.0) -> None:
        """Take in whether what was read at it was missed."""
        moved = STEP * weight * (missed - (1 - self._aim))
        self.at = min(max(self.at + moved, LEAST), MOST)


def sides(at: Mapping[str, float] | None = None) -> dict[str, Level]:
    """Return the levels of one bin by what is read at them, those of `at` where they were left.

    The lower side is read at 1 - its level.
    """
    left = at or {}
    return {name: Level(aim, most, left.get(name)) for name, (aim, most) in SIDES.items()}
