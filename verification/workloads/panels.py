"""What is looked at of a workload: when work comes, how much, of which size, by whom."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final

from predictor.domain.durations import DAY_S
from predictor.domain.instants import weekday
from verification.workloads.cycle import (
    BIRTH,
    DAYS,
    MONTHS,
    SLOTS,
    month_of,
    slot_of,
)
from verification.workloads.seen import Seen

RANKS: Final = 100
"""Users are told in so many parts, those with most jobs first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Shares of an order of parts. A part that nobody could see is None."""

    shares: Sequence[float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Values:
    """Values, ascending."""

    values: Sequence[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Aspect:
    """One look at a workload."""

    title: str
    unit: str
    """`slots`, `weekdays`, `months`, `ranks`; of values `s`, `procs`, `jobs`, `share`, `times`."""
    of: Callable[[Sequence[Seen], int], Parts | Values | None]
    """From jobs by submit time and what second 0 is in local time; None: nothing is known."""


def _slots(jobs: Sequence[Seen], local_at: int) -> Parts:
    return _parts(jobs, local_at, slot_of, SLOTS, DAY_S // SLOTS)


def _weekdays(jobs: Sequence[Seen], local_at: int) -> Parts:
    return _parts(jobs, local_at, weekday, DAYS, DAY_S)


def _months(jobs: Sequence[Seen], local_at: int) -> Parts:
    return _parts(jobs, local_at, month_of, MONTHS, DAY_S)


def _parts(
    jobs: Sequence[Seen], local_at: int, part_of: Callable[[int], int], count: int, step_s: int
) -> Parts:
    """Return shares of jobs by part as if each part had been there equally long."""
    first, last = (local_at + jobs[end].submit_s for end in (0, -1))
    exposed = [0] * count
    for instant in range(first // step_s * step_s, last + 1, step_s):
        exposed[part_of(instant)] += 1
    counts = [0] * count
    for job in jobs:
        counts[part_of(local_at + job.submit_s)] += 1
    rates = [n / times if times else None for n, times in zip(counts, exposed, strict=True)]
    return Parts(shares=as_shares(rates))


def as_shares(rates: Sequence[float | None]) -> Sequence[float | None]:
    """Return the same scaled to a sum of 1, where anything is known."""
    total = sum(rate for rate in rates if rate is not None) or 1.0
    return [None if rate is None else rate / total for rate in rates]


def _per_day(jobs: Sequence[Seen], local_at: int) -> Values:
    days = Counter((local_at + job.submit_s) // DAY_S for job in jobs)
    return Values(values=sorted(days[day] for day in range(min(days), max(days) + 1)))


def _gaps(jobs: Sequence[Seen], local_at: int) -> Values | None:
    return _ascending([after.submit_s - before.submit_s for before, after in pairwise(jobs)])


def _sizes(jobs: Sequence[Seen], local_at: int) -> Values | None:
    return _ascending([job.procs for job in jobs])


def _runs(jobs: Sequence[Seen], local_at: int) -> Values | None:
    return _ascending([job.run_s for job in jobs])


def _limits(jobs: Sequence[Seen], local_at: int) -> Values | None:
    return _ascending([job.limit_s for job in jobs if job.limit_s > 0])


def _used(jobs: Sequence[Seen], local_at: int) -> Values | None:
    return _ascending([job.run_s / job.limit_s for job in jobs if job.limit_s > 0])


def _areas(jobs: Sequence[Seen], local_at: int) -> Values | None:
    return _ascending([job.run_s * job.procs for job in jobs])


def _users(jobs: Sequence[Seen], local_at: int) -> Parts | None:
    """Return shares of jobs by hundredths of the users, those with most jobs first."""
    counts = sorted(Counter(job.user for job in jobs if job.user >= 0).values(), reverse=True)
    if len(counts) < 2:
        return None
    sums = [0, *accumulate(counts)]

    def up_to(rank: float) -> float:
        number = min(int(rank), len(counts) - 1)
        return (sums[number] + (rank - number) * counts[number]) / sums[-1]

    edges = [up_to(len(counts) * part / RANKS) for part in range(RANKS + 1)]
    return Parts(shares=[after - before for before, after in pairwise(edges)])


def _again(jobs: Sequence[Seen], local_at: int) -> Values | None:
    """Return run times by those of the same user's job before: what who learns from users has."""
    last: dict[int, int] = {}
    found = []
    for job in jobs:
        if job.user in last:
            found.append(job.run_s / last[job.user])
        last[job.user] = job.run_s
    return _ascending(found if len(last) > 1 else [])


def _ascending(values: list[float] | list[int]) -> Values | None:
    return Values(values=sorted(values)) if values else None


ASPECTS: Final[Mapping[str, Aspect]] = {
    "slots": Aspect(title="Arrivals by half hour of the day", unit="slots", of=_slots),
    "weekdays": Aspect(title="Arrivals by day of the week", unit="weekdays", of=_weekdays),
    "months": Aspect(title="Arrivals by month", unit="months", of=_months),
    "days": Aspect(title="Jobs in a day", unit="jobs", of=_per_day),
    "gaps": Aspect(title="Time between arrivals", unit="s", of=_gaps),
    "sizes": Aspect(title="Sizes", unit="procs", of=_sizes),
    "runs": Aspect(title="Run times", unit="s", of=_runs),
    "limits": Aspect(title="Time limits", unit="s", of=_limits),
    "used": Aspect(title="Used part of the limit", unit="share", of=_used),
    "areas": Aspect(title="Processor seconds of a job", unit="s", of=_areas),
    "users": Aspect(title="Jobs by user, most active first", unit="ranks", of=_users),
    "again": Aspect(title="Run time by that of the user's last job", unit="times", of=_again),
}
"""By name, in the order in which they are told."""
WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTH_NAMES: Final = tuple(BIRTH.replace(month=month).strftime("%b") for month in range(1, 13))
