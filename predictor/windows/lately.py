"""How good answers were of late, for jobs like one: what is known by then, and no more."""

from collections.abc import Iterable, Sequence
from statistics import median_low
from typing import NamedTuple

from predictor.domain.durations import WEEK_S
from predictor.domain.outlook import Lately
from predictor.windows.raw import LEAD_WORDS
from predictor.windows.recent import Recent

SPAN_S = WEEK_S
"""Answers that came out longer ago do not count."""
MOST = 500
"""So many answers of each stratum are remembered."""
MOST_STRATA = 2000
"""Of so many strata; the one that nothing was heard of for longest gives way."""
ENOUGH = 20
"""With fewer, a more general class is told of."""
EVERYBODY = "jobs"
"""The class of all."""

Stratum = tuple[str, int]
"""A class and a bin of leads."""


class CameOut(NamedTuple):
    """What became of one answer."""

    known_at: int
    seen_at: int
    off_s: int
    """How far it was off; if the job waited on when this became known, at least."""
    held: bool
    """Whether its 80 % window did."""


class Record:
    """What became of the last answers, by stratum."""

    def __init__(self, known: Iterable[tuple[Stratum, Iterable[CameOut]]] = ()) -> None:
        self.strata = Recent(MOST, MOST_STRATA, known)

    def add(self, classes: Sequence[str], number: int, came_out: CameOut) -> None:
        """Take in what became of an answer of some classes and of a bin."""
        for one in dict.fromkeys((*classes, EVERYBODY)):
            self.strata.add((one, number), came_out)

    def lately(self, classes: Sequence[str], number: int, now: int) -> Lately | None:
        """Return what is known of the most special of the classes that enough is known of.

        If of none, of the most general of which anything is; None: nothing is known.
        """
        found = None
        for one in (*classes, EVERYBODY):
            known = [
                each
                for each in self.strata.of((one, number))
                if now - SPAN_S <= each.known_at <= now
            ]
            if known:
                found = _told(f"{one} said to start {LEAD_WORDS[number]}", known)
            if len(known) >= ENOUGH:
                break
        return found


def _told(like: str, known: Sequence[CameOut]) -> Lately:
    return Lately(
        like=like,
        jobs=len(known),
        since_at=min(one.seen_at for one in known),
        typical_error_s=median_low(one.off_s for one in known),
        held80=sum(one.held for one in known) / len(known),
    )
