"""Hours of the last week, as values: what waited, and how long those waited that started."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

BOUNDS_S = (60, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 57_600, 115_200, 259_200)
"""Up to so long are the waits of each class; those of the last are longer than all."""

Counts = tuple[int, ...]
"""How many waits are of each class."""
NONE: Counts = (0,) * (len(BOUNDS_S) + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hour:
    """What is known of a partition in one hour."""

    backlog_node_s: int | None = None
    """What waited at its last look, in nodes times seconds; None: not told."""
    waits: Mapping[str, Counts] = field(default_factory=dict)
    """Those of the jobs that started, by what their shape is called."""


Hours = Mapping[int, Mapping[str, Hour]]
"""By the hour, counted from 1970 in UTC, and by partition."""


def added(counts: Iterable[Counts]) -> Counts:
    """Return several as one."""
    return tuple(map(sum, zip(*counts, strict=True))) or NONE


def middle_s(counts: Counts) -> int | None:
    """Return about how long half of the waits were at most, in seconds; None: there are none.

    Linear within a class; where the half lies beyond the last bound, that bound.
    """
    half = sum(counts) / 2
    if not half:
        return None
    below = 0
    for count, (low, high) in zip(counts, pairwise((0, *BOUNDS_S)), strict=False):
        if below + count >= half:
            return round(low + (high - low) * (half - below) / count) if count else low
        below += count
    return BOUNDS_S[-1]
