"""At which levels to read windows so that they hold as often as they are to, whatever happens.

Source: Gibbs and Candes, Adaptive Conformal Inference Under Distribution Shift (2021).
"""

from collections.abc import Mapping

STEP = 0.02
"""So much of a miss moves the level."""


class Level:
    """A level that is raised by each miss, and lowered a little by each hit."""

    def __init__(self, aim: float, lowest: float, highest: float, at: float | None = None) -> None:
        """Aim at being missed by 1 - aim; the level read stays in [lowest, highest]."""
        self.aim, self.lowest, self.highest = aim, lowest, highest
        self.at = aim if at is None else self._within(at)

    def heard(self, *, missed: bool, weight: float = 1.0) -> None:
        """Take in whether what was read at it was missed."""
        self.at = self._within(self.at + STEP * weight * (missed - (1 - self.aim)))

    def _within(self, level: float) -> float:
        return min(max(level, self.lowest), self.highest)


def sides(at: Mapping[str, float] | None = None) -> dict[str, Level]:
    """Return the levels of one bin by what is read at them, those of `at` where they were left.

    The lower side is read at 1 - its level.
    """
    left = at or {}
    return {
        "low": Level(0.9, 0.82, 0.98, left.get("low")),
        "high": Level(0.9, 0.82, 0.98, left.get("high")),
        "by": Level(0.95, 0.92, 0.995, left.get("by")),
        "first_by": Level(0.95, 0.88, 0.995, left.get("first_by")),
    }
