"""Two predictors on the same jobs at the same instants."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul

from verification.scoring.bootstrap import Blocks, Interval
from verification.scoring.points import Errors


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Ours against theirs, where both answered. None: there is no such pair, or no interval."""

    mae_ratio: float | None
    """Our MAE divided by theirs; below 1 ours is better. None also if theirs is 0."""
    mae_ratio_interval: Interval | None
    mae_difference_s: float | None
    """Our MAE minus theirs."""
    mae_difference_interval_s: Interval | None
    verdict: str
    """`better`, `worse`, or `not_known_yet`: 0 lies within the interval of the difference."""


def compared(ours: Errors, theirs: Errors, blocks: Blocks) -> Comparison:
    """Return how two predictors compare. Their weights are the same."""
    other_s = dict(zip(theirs.rows, theirs.off_s, strict=True))
    places = [place for place, row in enumerate(ours.rows) if row in other_s]
    both = ours.only(places)
    own = list(map(mul, both.off_s, both.weights))
    other = list(map(mul, (other_s[row] for row in both.rows), both.weights))
    further = [one - another for one, another in zip(own, other, strict=True)]
    total_s, weight = sum(other), sum(both.weights)
    difference = blocks.interval(both.rows, further, both.weights)
    return Comparison(
        mae_ratio=sum(own) / total_s if total_s else None,
        mae_ratio_interval=blocks.interval(both.rows, own, other),
        mae_difference_s=sum(further) / weight if weight else None,
        mae_difference_interval_s=difference,
        verdict=_verdict(difference),
    )


def _verdict(difference: Sequence[float] | None) -> str:
    if difference is None or difference[0] <= 0 <= difference[1]:
        return "not_known_yet"
    return "better" if difference[1] < 0 else "worse"
