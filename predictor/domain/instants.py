"""Instants as people and files write them."""

from datetime import UTC, datetime
from functools import lru_cache

from predictor.domain.durations import DAY_S

LAST_INSTANT = 253_402_300_799
"""The end of the year 9999, the last that a date of four digits can tell."""
EPOCH_WEEKDAY = 3
"""The epoch began on a Thursday, three days after a Monday."""
SATURDAY = 5


def instant_of(text: str) -> int:
    """Return the UTC epoch seconds of an RFC 3339 instant, or of the seconds themselves.

    An instant without zone is one of UTC. Raises ValueError.
    """
    if text.isdecimal():
        return int(text)
    read = datetime.fromisoformat(text)
    return int((read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp())


def rfc3339(instant: int) -> str:
    """Return the instant in RFC 3339, in UTC: `2026-11-20T14:02:00Z`."""
    day, second = divmod(instant, DAY_S)
    return f"{_date(day)}T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}Z"


def nearest_rfc3339(instant: int) -> str:
    """Return the same of the nearest instant that has a date, for a person to read."""
    return rfc3339(min(max(instant, 0), LAST_INSTANT))


def weekday(local_at: int) -> int:
    """Return the day of the week, Monday being 0; `local_at` is local time as epoch seconds."""
    return (local_at // DAY_S + EPOCH_WEEKDAY) % 7


def is_weekend(local_at: int) -> bool:
    """Return whether it is Saturday or Sunday; `local_at` is local time as epoch seconds."""
    return weekday(local_at) >= SATURDAY


@lru_cache(maxsize=1024)
def _date(day: int) -> str:
    return datetime.fromtimestamp(day * DAY_S, UTC).strftime("%Y-%m-%d")
