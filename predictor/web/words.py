"""What the page says in words: causes, durations, instants."""

from datetime import UTC, datetime

from predictor.cli.timeformat import time_limit
from predictor.domain import UNLIMITED, Cause, Limit, Unpredictable
from predictor.domain.durations import HOUR_S, MINUTE_S, duration
from predictor.domain.instants import LAST_INSTANT, nearest_rfc3339

SHADES = (600, HOUR_S, 4 * HOUR_S, 12 * HOUR_S)

CAUSES = {
    Cause.STARTS_NOW.value: "starts now",
    Cause.RESOURCES.value: "its nodes are not free yet",
    Cause.PRIORITY.value: "jobs before it take what is free",
    Cause.RESERVATION.value: "a reservation is in the way",
    Cause.DEPENDENCY.value: "waits for another job",
    Cause.BEGIN_TIME.value: "may not start earlier",
    Cause.ARRAY_LIMIT.value: "enough tasks of its array run",
    Cause.LICENSES.value: "its licenses are in use",
    Cause.LIMIT.value: "a limit of its user, account or QOS is used up",
}
REASONS = {
    Unpredictable.HELD.value: "held",
    Unpredictable.DEPENDENCY.value: "waits for something unforeseeable, or that never happens",
    Unpredictable.LIMIT.value: "a limit holds it back",
    Unpredictable.NEVER_FITS.value: "can never start as it stands",
    Unpredictable.NODES_UNAVAILABLE.value: "its nodes are down or drained",
    Unpredictable.PARTITION_CLOSED.value: "its partition is closed",
    Unpredictable.RESERVATION_GONE.value: "its reservation is gone, or over before it could start",
    Unpredictable.DEADLINE.value: "could not be over by its deadline, and is removed",
    Unpredictable.HORIZON.value: "not within the horizon",
    Unpredictable.UNSUPPORTED.value: "asks for something not modelled",
}


def limit(limit_s: Limit) -> str:
    """Return a wall-time limit as squeue writes it, or a word."""
    if limit_s is UNLIMITED:
        return "unlimited"
    if limit_s is None:
        return "default"
    return time_limit(limit_s)


def relative(at: int, now: float) -> str:
    """Return an instant as seen from `now`: `in 2 h 10 min`, `any moment`."""
    left = int(at - now)
    return "any moment" if left < MINUTE_S else f"in {duration(left)}"


def local(at: int, utc_offset_s: int, now: float) -> str:
    """Return an instant in the site's time: `today 15:40`, `tomorrow 02:10`, `Sun 22 Nov 02:10`."""
    when, today = _shifted(at, utc_offset_s), _shifted(now, utc_offset_s).date()
    days = (when.date() - today).days
    day = {0: "today", 1: "tomorrow"}.get(days, when.strftime("%a %d %b"))
    return f"{day} {when:%H:%M}" if abs(days) < 300 else f"{when:%d %b %Y %H:%M}"


def shade(wait_s: int) -> str:
    """Return the class of a cell with a wait, `0` to `4`: the longer, the darker."""
    return str(sum(wait_s >= bound for bound in SHADES))


def utc(at: int) -> str:
    """Return an instant in RFC 3339."""
    return nearest_rfc3339(at)


def zone(utc_offset_s: int) -> str:
    """Return the site's zone as `UTC+01:00`."""
    sign, minutes = "+" if utc_offset_s >= 0 else "-", abs(utc_offset_s) // MINUTE_S
    return f"UTC{sign}{minutes // 60:02}:{minutes % 60:02}"


def _shifted(at: float, utc_offset_s: int) -> datetime:
    return datetime.fromtimestamp(min(max(int(at) + utc_offset_s, 0), LAST_INSTANT), UTC)
