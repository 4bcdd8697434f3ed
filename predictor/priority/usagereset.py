"""When a site sets everybody's usage to zero."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from predictor.domain.instants import LAST_INSTANT

MONTHS = {"MONTHLY": 1, "QUARTERLY": 3, "YEARLY": 12}


def resets(period: str, since: int, until: int, utc_offset_s: int) -> Iterator[int]:
    """Yield the resets after `since` up to `until`, the last one first."""
    reset_at = last_reset(period, until, utc_offset_s)
    while reset_at is not None and reset_at > since:
        yield reset_at
        reset_at = last_reset(period, reset_at - 1, utc_offset_s)


def last_reset(period: str, until: int, utc_offset_s: int) -> int | None:
    """Return the latest reset that is not after `until`; None if the site makes none.

    `period` is DAILY, WEEKLY (Sundays), MONTHLY, QUARTERLY or YEARLY, always at midnight local
    time, the offset of which is taken for constant; anything else means none.
    """
    local = datetime.fromtimestamp(min(until + utc_offset_s, LAST_INSTANT), UTC)
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
    match period.upper():
        case "DAILY":
            found = midnight
        case "WEEKLY":
            found = midnight - timedelta(days=(midnight.weekday() + 1) % 7)
        case "MONTHLY" | "QUARTERLY" | "YEARLY" as name:
            months = MONTHS[name]
            found = midnight.replace(day=1, month=(midnight.month - 1) // months * months + 1)
        case _:
            return None
    return int(found.timestamp()) - utc_offset_s
