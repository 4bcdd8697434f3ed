"""Cases as columns, in an order that does not depend on how they came."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from predictor.domain.durations import HOUR_S
from verification.judging.case import Case, Said

SILENCE = Said(why_not="not_asked")
"""What a predictor said of a case that it knows nothing of."""


class Weighting(Enum):
    """What counts as one. The value is its name in the JSON."""

    PER_JOB = "per_job"
    """A job, spread evenly over its snapshots: the headline."""
    FIRST_SNAPSHOT = "first_snapshot"
    """A job, by what was said of it first."""
    PER_SNAPSHOT = "per_snapshot"
    """A job at one snapshot."""
    PER_RECORD = "per_record"
    """A waiting record at one snapshot: an array by its next task."""
    NODE_HOURS = "node_hours"
    """An hour on a node as the job asked for it, spread evenly over the job's snapshots."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Cases by recording, instant and job. Lists run alike; a row is a place in them."""

    cases: tuple[Case, ...]
    wait: Sequence[int]
    """By row: the number of the wait it belongs to. A job that waits again begins another one."""
    waits: int
    started: Sequence[int]
    """The rows of jobs that started."""
    open: Sequence[int]
    """The rows of jobs of which nobody knows yet how it went."""
    removed: Sequence[int]
    """The rows of jobs that left without a start."""
    watched_s: Sequence[int]
    """How long the job was seen to wait from then on: to its end, or that of the record."""

    def said(self, name: str) -> list[Said]:
        """Return what a predictor said, by row."""
        return [case.said.get(name, SILENCE) for case in self.cases]

    def weights(self, weighting: Weighting) -> list[float]:
        """Return how much each row counts. It is the same for every predictor, answered or not."""
        if weighting is Weighting.PER_SNAPSHOT:
            return [1.0] * len(self.cases)
        if weighting is Weighting.PER_RECORD:
            return [float(case.leads) for case in self.cases]
        if weighting is Weighting.FIRST_SNAPSHOT:
            return self._first()
        rows = Counter(self.wait)
        shares = [1 / rows[wait] for wait in self.wait]
        if weighting is Weighting.PER_JOB:
            return shares
        return [
            share * case.job.nodes * case.job.limit_s / HOUR_S
            for share, case in zip(shares, self.cases, strict=True)
        ]

    def _first(self) -> list[float]:
        seen: set[int] = set()
        found = []
        for wait in self.wait:
            found.append(float(wait not in seen))
            seen.add(wait)
        return found

    def by_wait(self) -> list[list[int]]:
        """Return the rows of each wait, in time."""
        found: list[list[int]] = [[] for _ in range(self.waits)]
        for row, wait in enumerate(self.wait):
            found[wait].append(row)
        return found


def columns_of(cases: Sequence[Case]) -> Columns:
    """Return the cases as columns; equal for every order of equal cases."""
    ordered = tuple(sorted(cases, key=lambda case: (*case.seen, case.job.id)))
    numbers: dict[tuple[str, int | None, int | None], int] = {}
    wait = [
        numbers.setdefault((case.job.id, case.started_at, case.removed_at), len(numbers))
        for case in ordered
    ]
    rows = range(len(ordered))
    started = [row for row in rows if ordered[row].started_at is not None]
    open_ = [row for row in rows if ordered[row].open]
    known = {*started, *open_}
    return Columns(
        cases=ordered,
        wait=wait,
        waits=len(numbers),
        started=started,
        open=open_,
        removed=[row for row in rows if row not in known],
        watched_s=[_watched_s(case) for case in ordered],
    )


def _watched_s(case: Case) -> int:
    ends_at = case.started_at if case.started_at is not None else case.removed_at
    return max(0, (case.known_until if ends_at is None else ends_at) - case.seen_at)
