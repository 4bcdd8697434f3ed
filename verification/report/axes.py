"""Scales of plots, and where their ticks are."""

import math
from collections.abc import Callable, Sequence

from predictor.domain.durations import DAY_S, HOUR_S, MINUTE_S

Scale = Callable[[float], float]
"""From a value to a place on the page, in pixels."""

DURATIONS_S = (10, 60, 600, 3600, 21_600, 86_400, 604_800, 2_592_000)
"""Ticks of a scale of durations over orders of magnitude."""

LEAST = 1e-300
"""What is less has too few digits to be divided."""


def linear(low: float, high: float, first: float, last: float) -> Scale:
    """Return a scale on which `low` lies at `first` and `high` at `last`, even if both are one."""
    span = high - low or 1.0
    return lambda value: first + (value - low) / span * (last - first)


def magnitude(value: float, floor: float = 10.0) -> float:
    """Return a value's place on a symmetric logarithmic scale that is linear up to `floor`."""
    size = abs(value) / floor
    return math.copysign(size if size <= 1 else 1 + math.log10(size), value)


def nice_ticks(high: float, most: int = 5) -> Sequence[float]:
    """Return round values from 0 to at least `high`, in at most so many steps."""
    if high < LEAST:
        return (0.0, 1.0)
    rough = high / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * one for one in (1, 2, 2.5, 5, 10) if power * one >= rough * (1 - 1e-9))
    return tuple(step * k for k in range(math.ceil(high / step - 1e-9) + 1))


def nice_seconds(high: float) -> Sequence[float]:
    """Return ticks from 0 to at least `high` seconds, on round numbers of their unit."""
    for unit in (DAY_S, HOUR_S, MINUTE_S):
        if high >= 2 * unit:
            return tuple(tick * unit for tick in nice_ticks(high / unit))
    return nice_ticks(high)


def ticks_between(low: float, high: float, in_seconds: bool) -> Sequence[float]:
    """Return round values from at most `low` to at least `high`, of seconds round in their unit."""
    unit = 1
    if in_seconds:
        unit = next((one for one in (DAY_S, HOUR_S, MINUTE_S) if high >= 2 * one), 1)
    first, last = low / unit, high / unit
    if last - first < LEAST:
        first, last = first - abs(first) / 10 - 0.1, last + abs(last) / 10 + 0.1
    step = nice_ticks(last - first, most=4)[1]
    begin = math.floor(first / step + 1e-9)
    return tuple(k * step * unit for k in range(begin, math.ceil(last / step - 1e-9) + 1))
