"""Which piece of the past a piece of the future is taken from."""

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence

from predictor.domain.durations import DAY_S, HOUR_S, WEEK_S
from predictor.domain.instants import is_weekend

LENGTHS_S = (4 * HOUR_S, HOUR_S, HOUR_S // 4)
"""What a block of the future lasts: it comes as a whole from one piece of the past.

The later ones are for when too few pieces are as long as the first.
"""
FEW = 4
"""With fewer pieces to choose from, shorter ones are better."""
WEEKS, DAYS, STEPS = 8, 28, 48
"""So far back lie the pieces of the same hour of the week, of the day, and of any hour.

A step is a quarter of a block.
"""
WEEKLY_HALF_LIFE_S = 4 * WEEK_S
DAILY_HALF_LIFE_S = WEEK_S
OTHER_DAY = 0.1
"""So much less than others fits a working day for a weekend, or the other way round."""
ANY_HOUR, ANY_HOUR_HALF_LIFE_S = 0.02, DAY_S
LEAST = 0.001
"""What fits so much less than the best is not chosen."""

Candidates = Sequence[tuple[int, float]]
"""By how much pieces of the past are earlier than the block, and how well they fit."""
Covered = Callable[[int, int], bool]
"""Whether all submissions between two instants were seen."""


def candidates(
    begin_at: int, length_s: int, covered: Covered, now: int, offset_s: int
) -> Candidates:
    """Return the pieces that the block which begins then may be like.

    They lie whole weeks, whole days or quarters of their length earlier, and before `now`. Local
    time is `offset_s` ahead of UTC.
    """
    ahead_s = max(0, begin_at + length_s - now)
    lags_s = (*_same_hour(ahead_s), *_any_hour(ahead_s, length_s // 4))
    found = [
        (lag_s, _likeness(begin_at + offset_s, lag_s))
        for lag_s in lags_s
        if covered(begin_at - lag_s, begin_at - lag_s + length_s)
    ]
    least = LEAST * max((fits for _, fits in found), default=0.0)
    return [one for one in found if one[1] >= least]


def chosen(options: Candidates, seed: str) -> int:
    """Return one of the lags, each as probable as it fits.

    A candidate more changes the choice only where that one is chosen. Source: the smallest of
    exponential variables is each of them in proportion to its rate.
    """
    salt = int.from_bytes(hashlib.blake2b(seed.encode(), digest_size=8).digest(), "big")
    return min(options, key=lambda one: -math.log(_uniform(salt, one[0])) / one[1])[0]


def _same_hour(ahead_s: int) -> Iterator[int]:
    """Yield the lags of whole days, and beyond them those of whole weeks."""
    first = max(1, -(-ahead_s // DAY_S))
    yield from (day * DAY_S for day in range(first, first + DAYS))
    week = (first + DAYS - 1) // 7 + 1
    yield from (one * WEEK_S for one in range(week, max(week, -(-first // 7) + WEEKS)))


def _any_hour(ahead_s: int, step_s: int) -> Iterator[int]:
    first = max(1, -(-ahead_s // step_s))
    steps = range(first, first + STEPS)
    yield from (step * step_s for step in steps if step * step_s % DAY_S)


def _likeness(local_s: int, lag_s: int) -> float:
    """Return how well a piece fits, relative to others. Chosen on traces of real sites."""
    if lag_s % WEEK_S == 0:
        return math.exp2(-lag_s / WEEKLY_HALF_LIFE_S)
    if lag_s % DAY_S == 0:
        same_kind = is_weekend(local_s) == is_weekend(local_s - lag_s)
        return (1.0 if same_kind else OTHER_DAY) * math.exp2(-lag_s / DAILY_HALF_LIFE_S)
    return ANY_HOUR * math.exp2(-lag_s / ANY_HOUR_HALF_LIFE_S)


def _uniform(salt: int, lag_s: int) -> float:
    """Return a number in (0, 1) that looks random. Source: Steele and others, SplitMix64, 2014."""
    mixed = (salt + lag_s * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    mixed = ((mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    return ((mixed ^ mixed >> 31) + 0.5) / 2**64
