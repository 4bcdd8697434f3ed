"""Who leaves the queue without a start, and when: a hazard by condition, age and user."""

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from operator import mul
from typing import Any, Self

from predictor.arrivals.packing import entries_of, unpacked
from predictor.arrivals.submission import STANDING_STILL, key_of, records_of
from predictor.domain import Fact, Hold, PendingJob, Snapshot
from predictor.domain.durations import DAY_S, HOUR_S
from predictor.errors import StorageError

AGES_S = (0, 600, HOUR_S, 4 * HOUR_S, 12 * HOUR_S, 24 * HOUR_S, 72 * HOUR_S)
"""From these ages on other hazards hold."""
CONDITIONS = ("held", "tied", "free")
"""Held or kept back by name; waiting for other jobs; waiting for nothing but its turn."""
HALF_LIFE_S = 30 * DAY_S
"""So fast what was seen loses its weight."""
USUAL_PER_HOUR = 0.005
"""What is believed before anybody was seen to leave, as if it had been seen `DOUBT` times."""
DOUBT = 0.5
DOUBT_OF_A_USER = 5.0
"""So many departures of a user weigh as much as what is known of everybody."""
MOST_OF_A_USER = 20
"""More waiting records of a user than that count as so many."""
MOST_USERS = 10_000
LONGEST_NAME = 256
LONGEST_S = 30 * DAY_S
"""Who would leave only later does not leave."""
GAP_S = 900
"""What happened between snapshots further apart is not counted."""

Cell = tuple[str, int]
"""A condition, and the number of an age."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A record as it waited at the last snapshot."""

    user: str
    cell: Cell
    weight: float


@dataclass(slots=True)
class _Tally:
    """How many left, and how long was waited: hours for a cell, expected departures for a user."""

    left: float = 0.0
    waited: float = 0.0

    def rate(self, usual: float, doubt: float) -> float:
        """Return departures per unit of waiting, drawn towards what is usual."""
        return (self.left + doubt) / (self.waited + doubt / usual)

    def fade(self, kept: float) -> None:
        """Let what was seen lose weight."""
        self.left *= kept
        self.waited *= kept


@dataclass(frozen=True, slots=True)
class _Risk:
    """The hazard of a condition, added up over the time waited."""

    passed: tuple[float, ...]
    """What had added up at each of `AGES_S`."""
    per_s: tuple[float, ...]
    """What is added per second from there on."""

    def until(self, age_s: int) -> float:
        """Return what has added up at an age."""
        place = bisect_right(AGES_S, age_s) - 1
        return self.passed[place] + (age_s - AGES_S[place]) * self.per_s[place]

    def age_s(self, passed: float) -> float:
        """Return at which age so much has added up."""
        place = bisect_right(self.passed, passed) - 1
        return AGES_S[place] + (passed - self.passed[place]) / self.per_s[place]


@dataclass(slots=True)
class Departures:
    """Learns from snapshots in order who left without a start, and tells when somebody will.

    Memory is bounded by the cells, `MOST_USERS` and the records of the last snapshot.
    """

    _cells: dict[Cell, _Tally] = field(default_factory=dict)
    _users: dict[str, _Tally] = field(default_factory=dict)
    """Who was seen last stands last."""
    _waiting: Mapping[str, _Waiting] = field(default_factory=dict)
    """By key, who waited at the last snapshot."""
    _at: int | None = None
    """When that was taken."""
    _risks: dict[str, _Risk] = field(default_factory=dict)
    """By condition, as worked out since the last snapshot."""

    def learn(self, snapshot: Snapshot) -> None:
        """Take down who left since the snapshot before, and how long the others waited.

        Who is gone without a trace counts as neither. Linear in the jobs.
        """
        if any(hidden.fact is Fact.JOBS for hidden in snapshot.provenance.hidden):
            return
        before, now = self._at, snapshot.taken_at
        if before is not None and 0 < now - before <= GAP_S:
            self._count(snapshot, (now - before) / HOUR_S)
        self._at = now
        self._waiting = _waiting(snapshot)
        self._risks.clear()

    def leaves_s(self, job: PendingJob, waited_s: int, u: float) -> int | None:
        """Return in how many seconds the job leaves, if it does not start before; None: never.

        `u` in (0, 1) is the chance to have left by then: of a uniform one come draws.
        """
        risk = self._risk(_condition(job))
        due = -math.log1p(-u) / self._factor(job.spec.user)
        waited_s = max(0, waited_s)
        in_s = risk.age_s(risk.until(waited_s) + due) - waited_s
        return max(0, math.ceil(in_s)) if in_s <= LONGEST_S else None

    def state(self) -> Any:
        """Return what JSON can hold of all that was learned."""
        return {
            "cells": [[*cell, one.left, one.waited] for cell, one in self._cells.items()],
            "users": [[user, one.left, one.waited] for user, one in self._users.items()],
        }

    @classmethod
    def restored(cls, state: object) -> Self:
        """Return what had been learned when `state` was told. Raises StorageError.

        Whoever left in between is not counted.
        """
        cells, users = entries_of(state, ("cells", "users"), "departures")
        found = cls()
        for condition, age, left, waited in unpacked(
            tuple[tuple[str, int, float, float], ...], cells
        ):
            if condition not in CONDITIONS or age not in range(len(AGES_S)):
                raise StorageError(f"departures: there is no cell {condition[:40]!r} of that age")
            found._cells[condition, age] = _tally(left, waited)
        for user, left, waited in unpacked(tuple[tuple[str, float, float], ...], users):
            found._users[user] = _tally(left, waited)
        return found

    # -- learning ------------------------------------------------------------------------

    def _count(self, snapshot: Snapshot, hours: float) -> None:
        kept = 0.5 ** (hours * HOUR_S / HALF_LIFE_S)
        for tally in (*self._cells.values(), *self._users.values()):
            tally.fade(kept)
        there = {key_of(job.spec) for job in snapshot.pending}
        known = {key_of(record.spec) for record in records_of(snapshot)}
        left = {key_of(job.spec) for job in snapshot.finished if job.started_at is None}
        for key, one in self._waiting.items():
            if key in left and key not in there:
                self._add(one, one.weight, hours)
            elif key in known:
                self._add(one, 0.0, hours)
        while len(self._users) > MOST_USERS:
            del self._users[next(iter(self._users))]

    def _add(self, one: _Waiting, left: float, hours: float) -> None:
        condition, age = one.cell
        expected = self._risk(condition).per_s[age] * HOUR_S * hours * one.weight
        cell = self._cells.setdefault(one.cell, _Tally())
        cell.left += left
        cell.waited += hours * one.weight
        # Who was seen last stands last.
        user = self._users[one.user] = self._users.pop(one.user, _Tally())
        user.left += left
        user.waited += expected

    # -- hazards -------------------------------------------------------------------------

    def _risk(self, condition: str) -> "_Risk":
        if condition not in self._risks:
            per_s = [self._per_hour((condition, age)) / HOUR_S for age in range(len(AGES_S))]
            spans = (last - first for first, last in pairwise(AGES_S))
            passed = accumulate(map(mul, per_s, spans), initial=0.0)
            self._risks[condition] = _Risk(tuple(passed), tuple(per_s))
        return self._risks[condition]

    def _per_hour(self, cell: Cell) -> float:
        """Return the hazard of a condition at an age, drawn towards that at any age."""
        condition = cell[0]
        all_ages = _Tally()
        for age in range(len(AGES_S)):
            one = self._cells.get((condition, age), _Tally())
            all_ages.left += one.left
            all_ages.waited += one.waited
        usual = all_ages.rate(USUAL_PER_HOUR, DOUBT)
        return self._cells.get(cell, _Tally()).rate(usual, DOUBT)

    def _factor(self, user: str) -> float:
        return self._users.get(user[:LONGEST_NAME], _Tally()).rate(1.0, DOUBT_OF_A_USER)


def _tally(left: float, waited: float) -> _Tally:
    if not (0 <= left < math.inf and 0 <= waited < math.inf):
        raise StorageError(f"departures: expected amounts, got {left} and {waited}")
    return _Tally(left, waited)


def _condition(job: PendingJob) -> str:
    if job.hold is not Hold.NONE or job.obstacle in STANDING_STILL:
        return "held"
    return "tied" if job.dependencies else "free"


def _waiting(snapshot: Snapshot) -> Mapping[str, _Waiting]:
    counts = Counter(job.spec.user for job in snapshot.pending)
    return dict(_records(snapshot, counts))


def _records(snapshot: Snapshot, counts: Counter[str]) -> Iterator[tuple[str, _Waiting]]:
    for job in snapshot.pending:
        user = job.spec.user[:LONGEST_NAME]
        weight = min(1.0, MOST_OF_A_USER / counts[job.spec.user])
        age_s = max(0, snapshot.taken_at - job.spec.submitted_at)
        cell = (_condition(job), bisect_right(AGES_S, age_s) - 1)
        yield key_of(job.spec), _Waiting(user, cell, weight)
