"""A stretch of time as a picture: places in per cent of its width."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from predictor.domain.durations import HOUR_S

WIDE = 100.0
"""Per cent: the whole width of a picture."""
QUARTERS_S = (
    *(900, 1_800, HOUR_S, 2 * HOUR_S, 3 * HOUR_S, 6 * HOUR_S, 12 * HOUR_S),
    *(24 * HOUR_S, 48 * HOUR_S, 168 * HOUR_S),
)
"""What a quarter of an axis may be, so that its labels are easy to read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """From an instant to a later one, in UTC epoch seconds."""

    begin_at: int
    end_at: int

    @classmethod
    def quarters(cls, begin_at: int, until: int) -> Self:
        """Return an axis of four easy quarters that reaches `until`, if the largest does."""
        quarter_s = next(
            (each for each in QUARTERS_S if begin_at + 4 * each >= until), QUARTERS_S[-1]
        )
        return cls(begin_at=begin_at, end_at=begin_at + 4 * quarter_s)

    def place(self, at: int) -> float:
        """Return where an instant stands, in per cent; those outside stand at the edge."""
        whole_s = max(self.end_at - self.begin_at, 1)
        inside_s = min(max(at - self.begin_at, 0), whole_s)
        return round(WIDE * inside_s / whole_s, 2)

    def span(self, since: int, until: int) -> tuple[float, float]:
        """Return where a stretch begins and how wide it is, in per cent."""
        left = self.place(since)
        return left, round(max(self.place(until) - left, 0.0), 2)

    def labels(self, told: Callable[[int], str]) -> list[str]:
        """Return what stands below the ends and the quarters; the first is now."""
        quarter_s = (self.end_at - self.begin_at) // 4
        return ["now", *(told(self.begin_at + quarter_s * each) for each in range(1, 5))]
