"""Instants and limits as Slurm's commands write them."""

from collections.abc import Callable
from datetime import datetime, tzinfo

STANDARD = "%Y-%m-%dT%H:%M:%S"


def time_format(wanted: str, now: float, zone: tzinfo | None = None) -> Callable[[int], str]:
    """Return the function that writes an instant in `zone`; None: the machine's.

    `wanted` is what SLURM_TIME_FORMAT may hold: `standard` (or nothing), `relative`, or a format
    for strftime.
    """
    if wanted == "relative":
        today = datetime.fromtimestamp(now, zone)
        return lambda at: _relative(datetime.fromtimestamp(at, zone), today)
    form = STANDARD if wanted in ("", "standard") else wanted
    return lambda at: datetime.fromtimestamp(at, zone).strftime(form)


def time_limit(seconds: int) -> str:
    """Return a duration as squeue does: `10:00`, `8:00:00`, `1-02:03:04`."""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days}-{hours:02}:{minutes:02}:{seconds:02}"
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _relative(at: datetime, today: datetime) -> str:
    days = (at.date() - today.date()).days
    if days == 0:
        return f"{at:%H:%M:%S}"
    if days in (-1, 1):
        return f"{'Tomorr' if days == 1 else 'Ystday'} {at:%H:%M}"
    if 1 < days < 7:
        return f"{at:%a %H:%M}"
    if at.year == today.year:
        return f"{at.day} {at:%b %H:%M}"
    return f"{at.day} {at:%b %Y}"


def short_time(now: float, zone: tzinfo | None = None) -> Callable[[int], str]:
    """Return the function that writes an instant as briefly as it can be told apart.

    `18:00` today, `Sat 18:00` within a week, `22 Nov` later; None: in the machine's zone.
    """
    today = datetime.fromtimestamp(now, zone).date()

    def short(at: int) -> str:
        when = datetime.fromtimestamp(at, zone)
        if when.date() == today:
            return f"{when:%H:%M}"
        return f"{when:%a %H:%M}" if 0 < (when.date() - today).days < 7 else f"{when:%d %b}"

    return short


def window(low: str, high: str) -> str:
    """Return two instants as a window; a day that both have in common stands once."""
    day, _, _ = low.rpartition(" ")
    common = f"{day} "
    return f"{low} - {high.removeprefix(common) if day else high}" if low != high else low
