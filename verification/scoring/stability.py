"""How much the told start of one job moves while it waits."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

from predictor.domain.durations import HOUR_S
from verification.judging.case import Said
from verification.scoring.columns import Columns

SLIP_S = 1800
"""A start told so much later than at first has slipped."""

Told = Sequence[tuple[int, int]]
"""Instants, ascending, and the start told at each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """How the told start of one job, or of several together, moved."""

    waited_s: int = 0
    """From the first answer to the last."""
    moved_s: int = 0
    """All movement, to and fro."""
    net_s: int = 0
    """How far the last answer is from the first; of several jobs the sum."""
    turns: int = 0
    """How often it moved the other way than before."""
    slipped: bool = False
    """Whether it was ever SLIP_S later than at first."""

    @classmethod
    def of(cls, told: Told) -> Self:
        """Return the movement of one job."""
        if not told:
            return cls()
        steps = [later - before for (_, before), (_, later) in pairwise(told)]
        moves = [step > 0 for step in steps if step]
        first_seen_at, first = told[0]
        last_seen_at, last = told[-1]
        return cls(
            waited_s=last_seen_at - first_seen_at,
            moved_s=sum(map(abs, steps)),
            net_s=abs(last - first),
            turns=sum(one != other for one, other in pairwise(moves)),
            slipped=max(start for _, start in told) > first + SLIP_S,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Stability:
    """How steady one predictor is. None: no job was answered at two instants."""

    moved_s_per_hour: float | None
    """Seconds that the told start moves, to and fro, in an hour of waiting."""
    turns_per_hour: float | None
    """How often it turns back in an hour of waiting."""
    oscillation: float | None
    """The share of all movement that was taken back again, in [0, 1]; None: nothing moved."""
    slipped_1800s: float | None
    """The share of jobs whose start was once told half an hour later than at first."""


def stability(columns: Columns, said: Sequence[Said]) -> Stability:
    """Return how steady one predictor is, over all jobs that it answered at two instants."""
    moves = []
    for rows in columns.by_wait():
        told = [
            (columns.cases[row].seen_at, at)
            for row in rows
            if (at := said[row].likely_at) is not None
        ]
        if len(told) > 1:
            moves.append(Movement.of(told))
    hours = sum(one.waited_s for one in moves) / HOUR_S
    moved_s = sum(one.moved_s for one in moves)
    return Stability(
        moved_s_per_hour=moved_s / hours if hours else None,
        turns_per_hour=sum(one.turns for one in moves) / hours if hours else None,
        oscillation=1 - sum(one.net_s for one in moves) / moved_s if moved_s else None,
        slipped_1800s=sum(one.slipped for one in moves) / len(moves) if moves else None,
    )
