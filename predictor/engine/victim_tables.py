"""What the engine is told of preemption, as plain numbers: who may end whom, and what follows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Vacating(NamedTuple):
    """So long nodes are cleared of who was ended, once it is gone.

    Its script runs on the first of its nodes, and is often what takes long to be ended.
    """

    first_s: int = 0
    others_s: int = 0


AT_ONCE = Vacating()


@dataclass(frozen=True, slots=True, kw_only=True)
class Station:
    """What some jobs may do to others, and what may be done to them."""

    ends: frozenset[int] = frozenset()
    """The numbers of the stations whose jobs they may end."""
    ends_lower: frozenset[int] = frozenset()
    """The numbers of the stations whose jobs they may end if of lower priority."""
    ends_no_higher: frozenset[int] = frozenset()
    """The numbers of the stations whose jobs they may end if of no higher priority."""
    apart: frozenset[int] = frozenset()
    """The stations it is never beside on a node, also if those stand still; plans do not know."""
    fate: int = 0
    """What becomes of those that are ended; one of the numbers of `predictor.engine.codes`."""
    order: int = 0
    """Whose jobs are ended first: those of the lowest."""
    grace_s: int = 0
    """So much longer they may run."""
    exempt_s: int = 0
    """Nobody is ended who has run for less time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VictimTables:
    """Who may be ended for whom. People are numbered: first those who wait, then those who run."""

    stations: Sequence[Station]
    of_record: Sequence[int]
    """By record: its station."""
    of_runner: Sequence[int]
    """By runner: its station; -1: nobody ends it."""
    began_at: Sequence[int]
    """By runner: when it began."""
    again: Sequence[int]
    """By runner: the job, asleep, as which it waits once sent back; -1: it cannot be."""
    returns: Sequence[bool]
    """By waiting job: whether it can be sent back."""
    listed: Sequence[int] = ()
    """By record: from the order of these numbers on the queue is sorted, if its order moves.

    Those of a partition that have the same number, tasks of an array, stay together.
    """
    level_of_record: Sequence[int] = ()
    """By record: its priority where nobody ranks it; empty: 0."""
    level_of_runner: Sequence[int] = ()
    """By runner: its priority; empty: 0."""
    stands_still: Sequence[bool] = ()
    """By runner: whether it stands still at the beginning; empty: nobody does."""
    spared_until: Sequence[int] = ()
    """By runner: when the grace time is over that it was given; -1: it was not; empty: nobody."""
    youngest_first: bool = False
    """Whether who began last is ended first, whatever the stations' order."""
    keeps_order: bool = False
    """Whether a better choice keeps the order of all but the last one ended."""
    tries: int = 1
    """How often a better choice is looked for."""
    spared_from: int = 0
    """Nobody is ended who has this priority or more; 0: whatever it has."""
    patience_s: int = 0
    """So long after somebody was ended for a job nobody else is."""
    pressed_at: Sequence[int] = ()
    """By waiting job: when others were last to make room for it; -1: never; empty: for nobody."""
    vacating: Vacating = AT_ONCE
    back_after_s: int = 121
    """So long after its end who was sent back may not start."""
