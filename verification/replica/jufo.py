"""JuFo's own test, rule by rule, and what it published.

A job that ends inside the period runs exactly as long as it did; one that does not, as long as its
limit. Scored are those that really started inside and were said to. Errors are real minus said
start, in seconds: positive is later than said.
Source: C. Karbach, "Job-Start Prediction JuFo", PARS-Mitteilungen 2013, section 5 and Table 1.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from statistics import median
from typing import Self

from predictor.simulation.story import Story
from verification.fidelity.history import History
from verification.fidelity.scores import share, sigma


def as_jufo(history: History, number: int, until: int, story: Story) -> Story:
    """Return the story with the run times only of those that end by `until`; others have limits."""
    return replace(
        story,
        run_s={
            id_: run_s for id_, run_s in story.run_s.items() if _over(history, number, id_, until)
        },
        ends_at={id_: at for id_, at in story.ends_at.items() if at <= until},
    )


def _over(history: History, number: int, id_: str, until: int) -> bool:
    run = history.run_after(id_, number)
    return run is not None and run.ended_at is not None and run.ended_at <= until


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """The jobs of a period by what JuFo's filter does with them."""

    scored: int
    """Started inside, and were said to."""
    too_pessimistic: int
    """Started inside, and were not said to: dropped without a count by JuFo."""
    too_optimistic: int
    """Were said to start inside, and did not: likewise."""
    neither: int

    @classmethod
    def of(cls, ids: Iterable[str], real: Mapping[str, int], said: Mapping[str, int]) -> Self:
        """Return the counts of these jobs, from the starts inside the period."""
        known = set(ids)
        both = known & real.keys() & said.keys()
        either = known & (real.keys() | said.keys())
        return cls(
            scored=len(both),
            too_pessimistic=len(known & real.keys() - said.keys()),
            too_optimistic=len(known & said.keys() - real.keys()),
            neither=len(known - either),
        )

    @classmethod
    def pooled(cls, counts: Iterable[Self]) -> Self:
        """Return the counts of several periods together."""
        known = tuple(counts)
        return cls(
            scored=sum(one.scored for one in known),
            too_pessimistic=sum(one.too_pessimistic for one in known),
            too_optimistic=sum(one.too_optimistic for one in known),
            neither=sum(one.neither for one in known),
        )

    @property
    def scored_share(self) -> float | None:
        """The part of those that started inside that is scored, in [0, 1]; None if nobody did.

        Below 0.95 the columns say little.
        """
        return share(self.scored, self.scored + self.too_pessimistic)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of JuFo's table. All but the counts in seconds; None without enough jobs."""

    begins: str
    """As the table names the test: a date, `2012-07-23`, or an instant."""
    duration_s: int
    jobs: int
    mean_s: float | None
    median_s: float | None
    min_s: int | None
    max_s: int | None
    sigma_s: float | None
    """The standard deviation; None with less than two jobs."""

    @classmethod
    def of(cls, begins: str, duration_s: int, errors_s: Sequence[int]) -> Self:
        """Return the line of a test from the errors of those scored."""
        return cls(
            begins=begins,
            duration_s=duration_s,
            jobs=len(errors_s),
            mean_s=sum(errors_s) / len(errors_s) if errors_s else None,
            median_s=float(median(errors_s)) if errors_s else None,
            min_s=min(errors_s, default=None),
            max_s=max(errors_s, default=None),
            sigma_s=sigma(errors_s),
        )

    @property
    def sigma_of_duration(self) -> float | None:
        """Sigma as a part of the test's duration, which caps every error."""
        return None if self.sigma_s is None else self.sigma_s / self.duration_s


def date_of(at: int) -> str:
    """Return the UTC date of an instant."""
    return datetime.fromtimestamp(at, UTC).date().isoformat()


PUBLISHED: tuple[Row, ...] = tuple(
    Row(
        begins=begins,
        duration_s=hours * 3600 + minutes * 60 + seconds,
        jobs=jobs,
        mean_s=mean_s,
        median_s=median_s,
        min_s=min_s,
        max_s=max_s,
        sigma_s=sigma_s,
    )
    for begins, (hours, minutes, seconds), jobs, mean_s, median_s, min_s, max_s, sigma_s in (
        ("2012-07-23", (1, 43, 27), 107, 33.6, 34, -3020, 4871, 1154.3),
        ("2012-07-24", (3, 50, 10), 226, -38.3, 31, -8175, 7340, 1709.6),
        ("2012-07-25", (2, 12, 1), 186, -773.6, -116, -7467, 3336, 1851.0),
        ("2012-07-27", (4, 22, 20), 191, 34.2, 42, -11038, 7515, 1866.3),
        ("2012-08-01", (2, 35, 14), 122, 642.6, 76, -4637, 6815, 1886.8),
        ("2012-08-02", (4, 25, 37), 280, 468.6, 64, -10462, 14620, 3360.9),
        ("2012-08-06", (3, 19, 2), 133, -326.1, 54, -7783, 7516, 2473.2),
        ("2012-08-07", (5, 39, 31), 249, 289.3, 49, -15378, 19796, 4104.9),
    )
)
"""Table 1: JuFo on JUROPA, truth-fed, no reservations visible."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Several lines as one. Seconds; None without a line that tells."""

    tests: int
    jobs: int
    mean_s: float | None
    """Of all jobs."""
    mean_of_means_s: float | None
    """Of the tests' means, without their signs."""
    mean_of_medians_s: float | None
    """Of the tests' medians, without their signs."""
    sigma_s: float | None
    """Of all jobs."""
    sigma_of_duration: float | None
    """The mean of the tests' sigmas as parts of their durations."""
    worst_s: int | None
    """The error that is furthest from 0, without its sign."""


def summary(rows: Sequence[Row]) -> Summary:
    """Return what lines say together, as far as can be told from them alone."""
    told = [row for row in rows if row.mean_s is not None and row.jobs]
    jobs = sum(row.jobs for row in told)
    mean_s = sum(row.jobs * (row.mean_s or 0.0) for row in told) / jobs if jobs else None
    extremes = [abs(one) for row in told for one in (row.min_s, row.max_s) if one is not None]
    return Summary(
        tests=len(rows),
        jobs=jobs,
        mean_s=mean_s,
        mean_of_means_s=_mean([abs(row.mean_s or 0.0) for row in told]),
        mean_of_medians_s=_mean([abs(row.median_s or 0.0) for row in told]),
        sigma_s=_pooled_sigma(told, jobs, mean_s),
        sigma_of_duration=_mean([s for row in told if (s := row.sigma_of_duration) is not None]),
        worst_s=max(extremes, default=None),
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _pooled_sigma(rows: Sequence[Row], jobs: int, mean_s: float | None) -> float | None:
    """Return the standard deviation of all jobs together, from those within and between tests."""
    if mean_s is None or jobs < 2:
        return None
    within = sum((row.jobs - 1) * (row.sigma_s or 0.0) ** 2 for row in rows)
    between = sum(row.jobs * ((row.mean_s or 0.0) - mean_s) ** 2 for row in rows)
    return math.sqrt((within + between) / (jobs - 1))
