"""When work is begun: half hours of the day, days of the week, months of the year.

That arrivals follow a cycle of 48 slots a day, corrected by weekday and month, is the idea of
AccaSim's generator (Galleguillos, Kiziltan, Netti and Soto, AccaSim: a customizable workload
management simulator for job dispatching research in HPC systems, 2020).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from predictor.domain.durations import DAY_S
from predictor.domain.instants import weekday

SLOT_S: Final = 1800
SLOTS: Final = DAY_S // SLOT_S
DAYS: Final = 7
MONTHS: Final = 12
BIRTH: Final = date(1970, 1, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cycle:
    """How often work is begun in each part, beside the average, which is 1. None is negative."""

    slots: tuple[float, ...]
    """48, from midnight on."""
    weekdays: tuple[float, ...]
    """7, from Monday on."""
    months: tuple[float, ...]
    """12, from January on; 1 where nothing is known."""

    def __post_init__(self) -> None:
        for name, count in (("slots", SLOTS), ("weekdays", DAYS), ("months", MONTHS)):
            found = getattr(self, name)
            if len(found) != count or min(found) < 0 or not sum(found):
                raise ValueError(f"{name}: {count} numbers expected, not all of them 0")

    def of_day(self, number: int) -> float:
        """Return how much is begun on that day, counted from the one that epochs begin with."""
        day = BIRTH + timedelta(days=number)
        return self.weekdays[day.weekday()] * self.months[day.month - 1]


def slot_of(instant: int) -> int:
    """Return the half hour of the day, in [0, 48); `instant` is local time as epoch seconds."""
    return instant % DAY_S // SLOT_S


def month_of(instant: int) -> int:
    """Return the month, January being 0; `instant` is local time as epoch seconds."""
    return datetime.fromtimestamp(instant, UTC).month - 1


def cycle_of(instants: Sequence[int]) -> Cycle:
    """Return when things began of which these are the instants, in local time, ascending.

    There is at least one. Each part is granted one more that is as usual: few say little.
    """
    slots, weekdays, months = [0] * SLOTS, [0] * DAYS, [0] * MONTHS
    for instant in instants:
        slots[slot_of(instant)] += 1
        weekdays[weekday(instant)] += 1
        months[month_of(instant)] += 1
    days = range(instants[0] // DAY_S, instants[-1] // DAY_S + 1)
    of_week, of_year = [0] * DAYS, [0] * MONTHS
    for day in days:
        of_week[weekday(day * DAY_S)] += 1
        of_year[month_of(day * DAY_S)] += 1
    return Cycle(
        slots=_beside_average(slots, [len(days)] * SLOTS),
        weekdays=_beside_average(weekdays, of_week),
        months=_beside_average(months, of_year),
    )


def _beside_average(counts: Sequence[int], exposed: Sequence[int]) -> tuple[float, ...]:
    """Return rates by the average rate; `exposed` is how often each part was there to be seen."""
    usual = sum(counts) / sum(exposed)
    return tuple(
        (count + 1) / (usual * times + 1) if times else 1.0
        for count, times in zip(counts, exposed, strict=True)
    )
