"""Times as Slurm's commands take them: `18:00`, `now+2hours`, `tomorrow`, `11/30-08:00`."""

import re
from datetime import date, datetime, time, timedelta, tzinfo

from predictor.domain.durations import DAY_S, HOUR_S, MINUTE_S, WEEK_S
from predictor.domain.instants import LAST_INSTANT

UNITS_S = {"seconds": 1, "minutes": MINUTE_S, "hours": HOUR_S, "days": DAY_S, "weeks": WEEK_S}
TIMES = {"midnight": time(0), "noon": time(12), "fika": time(15), "teatime": time(16)}
DAYS = {"today": 0, "tomorrow": 1}
LONGEST_DATE = 8
"""More digits than those of a date are epoch seconds."""
EXPECTED = "a time like 18:00, now+2hours, tomorrow or 2026-11-21T18:00"

_FROM_NOW = re.compile(r"now(?:([+-])(\d{1,9}) ?([a-z]*))?")
_OF_DAY = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?(am|pm))?")
_SLASHED = re.compile(r"(\d{1,2})[/.](\d{1,2})(?:[/.](\d{2}|\d{4}))?(?:-(.+))?")
_DIGITS = re.compile(r"(\d{2})(\d{2})(\d{2})")


def deadline(text: str, now: float, zone: tzinfo | None = None) -> int:
    """Return the UTC epoch seconds of a time; of a time of day the next one to come.

    What names no zone is in `zone`; None: the machine's. Raises ValueError or OverflowError.
    Source: sbatch(1), `--begin`, and squeue's and sacct's options of the kind; ISO instants with
    a zone besides.
    """
    at = _read(text, now, zone)
    if not 0 <= at <= LAST_INSTANT:
        raise ValueError(f"{text[:40]!r}: out of the calendar")
    return at


def _read(text: str, now: float, zone: tzinfo | None) -> int:
    said = text.strip().lower()
    if counted := _FROM_NOW.fullmatch(said):
        return int(now) + _counted_s(*counted.groups(default=""))
    today = datetime.fromtimestamp(now, zone)
    if (clock := _time_of_day(said)) is not None:
        next_at = datetime.combine(today, clock, zone)
        if next_at.timestamp() < now:
            next_at = datetime.combine(today + timedelta(days=1), clock, zone)
        return int(next_at.timestamp())
    if said in DAYS:
        return _at(today.date() + timedelta(days=DAYS[said]), time(), zone)
    if slashed := _SLASHED.fullmatch(said):
        return _slashed(slashed, today, zone)
    if said.isdecimal() and len(said) > LONGEST_DATE:
        return int(said)
    if digits := _DIGITS.fullmatch(said):
        month, day, year = map(int, digits.groups())
        return _at(date(2000 + year, month, day), time(), zone)
    given = datetime.fromisoformat(text.strip())
    return int((given if given.tzinfo else given.replace(tzinfo=zone)).timestamp())


def _counted_s(sign: str, count: str, unit: str) -> int:
    if not sign:
        return 0
    whole = next((word for word in UNITS_S if word.startswith(unit)), None)
    if whole is None:
        raise ValueError(f"{unit!r}: expected seconds, minutes, hours, days or weeks")
    return (1 if sign == "+" else -1) * int(count) * UNITS_S[whole]


def _time_of_day(said: str) -> time | None:
    """Return the time of day; None if it is none. Raises ValueError for one that never comes."""
    if said in TIMES:
        return TIMES[said]
    found = _OF_DAY.fullmatch(said)
    if found is None:
        return None
    hour, minute, second, half = found.groups()
    if half:
        if not 1 <= int(hour) <= 12:
            raise ValueError(f"{said!r}: there is no such hour")
        return time(int(hour) % 12 + 12 * (half == "pm"), int(minute), int(second or 0))
    return time(int(hour), int(minute), int(second or 0))


def _slashed(found: re.Match[str], today: datetime, zone: tzinfo | None) -> int:
    """Return the instant of a date with slashes; without a year the next one to come."""
    clock = time() if found[4] is None else _time_of_day(found[4])
    if clock is None:
        raise ValueError(f"{found[4]!r}: expected a time of day")
    year = today.year if found[3] is None else int(found[3]) % 100 + 2000
    day = date(year, int(found[1]), int(found[2]))
    over = _at(day, clock, zone) < today.timestamp() and (day != today.date() or found[4])
    if found[3] is None and over:
        day = day.replace(year=year + 1)
    return _at(day, clock, zone)


def _at(day: date, clock: time, zone: tzinfo | None) -> int:
    return int(datetime.combine(day, clock, zone).timestamp())
