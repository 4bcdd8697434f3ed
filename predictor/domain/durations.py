"""The units of time in seconds, and durations as people write them."""

from collections.abc import Mapping

MINUTE_S = 60
HOUR_S = 60 * MINUTE_S
DAY_S = 24 * HOUR_S
WEEK_S = 7 * DAY_S

UNIT_S: Mapping[str, int] = {"d": DAY_S, "h": HOUR_S, "min": MINUTE_S, "s": 1}
"""The units as texts and site files spell them, from the largest."""
LETTER_S: Mapping[str, int] = {"s": 1, "m": MINUTE_S, "h": HOUR_S, "d": DAY_S, "w": WEEK_S}
"""The units as the command line takes them, by one letter, from the smallest."""
COARSE_S = 10 * MINUTE_S
"""From so long on seconds are no longer worth telling."""


def duration(seconds: int) -> str:
    """Return a duration in its two largest units: `2 h 10 min`, `3 d 4 h`, `40 s`.

    Whole minutes, up to an hour; 0 s for what is less.
    """
    if seconds < MINUTE_S:
        return f"{max(seconds, 0)} s"
    if seconds < HOUR_S:
        return f"{seconds // MINUTE_S} min"
    if seconds < DAY_S:
        return _two(seconds // HOUR_S, "h", seconds % HOUR_S // MINUTE_S, "min")
    return _two(seconds // DAY_S, "d", seconds % DAY_S // HOUR_S, "h")


def lasting(seconds: int) -> str:
    """Return a duration as `duration` does, below ten minutes with its seconds: `1 min 30 s`."""
    if MINUTE_S <= seconds < COARSE_S:
        return _two(seconds // MINUTE_S, "min", seconds % MINUTE_S, "s")
    return duration(seconds)


def _two(large: int, large_unit: str, small: int, small_unit: str) -> str:
    return f"{large} {large_unit}" + (f" {small} {small_unit}" if small else "")
