"""Alarms when a figure is no longer what it was: since when, and for whom.

Outcomes of one hour share its surprises. They make up one step, and steps are compared with those
before by cumulative sums. Source: Page, Continuous Inspection Schemes (1954).
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

from predictor.domain.durations import HOUR_S

STEP_S = HOUR_S
"""Outcomes of so long make up a step."""
FEWEST = 8
"""A step has at least so many outcomes, however long that takes."""
LEARNED = 12
"""So many steps make up what was before."""
REMEMBERED = 100
"""What was before is the mean of about so many steps."""
ALLOWED = 0.5
"""A step that is off by less, in standard deviations, speaks against a change."""
FAR = 3.0
"""A step counts at most so much: one wild hour is no change."""
DOUBTED = 4.0
"""While steps are off by so much in sum, they are not taken for what was before."""
ALARMING = 10.0
"""Steps that are off by so much in sum are a change: chance alone hardly ever gets there."""
MOST_WATCHED = 2000
"""So many figures are watched; the one that nothing was heard of for longest gives way."""
MOST_ALARMS = 50
"""So many alarms are remembered."""


class Figure(Enum):
    """What is watched. The value says what the figures of an alarm are."""

    OFF = "typical factor by which starts are off"
    LEAN = "typical factor from said to real leads"
    HELD = "share of 80 % windows that hold"
    AGREEMENT = "share of starts on which the replica agrees with the batch system"

    def told(self, mean: float) -> float:
        """Return a mean as it is told; means of factors are those of their logarithms."""
        return math.exp(mean) if self in (Figure.OFF, Figure.LEAN) else mean


LEAST: Mapping[Figure, float] = MappingProxyType(
    {Figure.OFF: 0.2, Figure.LEAN: 0.2, Figure.HELD: 0.12, Figure.AGREEMENT: 0.05}
)
"""The standard deviation that steps of each have at least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alarm:
    """A figure is not what it was."""

    what: Figure
    whom: str
    """The class of jobs, or the configuration, that it is of."""
    since_at: int
    raised_at: int
    before: float
    after: float


@dataclass(slots=True, kw_only=True)
class Side:
    """How far steps went one way since they last went the other."""

    total: float = 0.0
    since_at: int = 0
    value: float = 0.0
    steps: int = 0

    def heard(self, off: float, at: int, value: float) -> None:
        """Take in a step that is so far off in this direction."""
        if self.total == 0.0:
            self.since_at, self.value, self.steps = at, 0.0, 0
        self.total = max(0.0, self.total + off - ALLOWED)
        self.value += value
        self.steps += 1


@dataclass(slots=True, kw_only=True)
class Watch:
    """One figure of one class."""

    began_at: int = 0
    """When the step that is being made up began."""
    count: int = 0
    total: float = 0.0
    steps: int = 0
    mean: float = 0.0
    """Of the steps before, likewise the variance."""
    variance: float = 0.0
    up: Side = field(default_factory=Side)
    down: Side = field(default_factory=Side)

    def heard(self, at: int, value: float, least: float) -> Side | None:
        """Take in an outcome; return the side that has gone too far, if one has."""
        if self.count and at - self.began_at >= STEP_S and self.count >= FEWEST:
            gone = self._step(least)
        else:
            gone = None
        if not self.count:
            self.began_at = at
        self.count += 1
        self.total += value
        return gone

    def _step(self, least: float) -> Side | None:
        value, at = self.total / self.count, self.began_at
        self.count, self.total = 0, 0.0
        if self.steps >= LEARNED:
            off = (value - self.mean) / max(least, math.sqrt(self.variance))
            off = min(max(off, -FAR), FAR)
            self.up.heard(off, at, value)
            self.down.heard(-off, at, value)
            for side in (self.up, self.down):
                if side.total > ALARMING:
                    return side
        if max(self.up.total, self.down.total) < DOUBTED:
            self._learn(value)
        return None

    def _learn(self, value: float) -> None:
        self.steps += 1
        share = 1 / min(self.steps, REMEMBERED)
        before = self.mean
        self.mean += share * (value - before)
        spread = (value - before) * (value - self.mean)
        self.variance += share * (spread - self.variance)


class Drift:
    """Watches figures, each of many classes. Bounded by MOST_WATCHED and MOST_ALARMS."""

    def __init__(
        self,
        watches: Iterable[tuple[tuple[Figure, str], Watch]] = (),
        alarms: Iterable[Alarm] = (),
    ) -> None:
        self.watches = dict(watches)
        self.raised = list(alarms)

    def heard(self, what: Figure, whom: str, at: int, value: float) -> None:
        """Take in an outcome, or a share, that became known at an instant; later ones later."""
        watch = self.watches.pop((what, whom), None) or Watch()
        gone = watch.heard(at, value, LEAST[what])
        if gone is not None:
            alarm = Alarm(
                what=what,
                whom=whom,
                since_at=gone.since_at,
                raised_at=at,
                before=what.told(watch.mean),
                after=what.told(gone.value / gone.steps),
            )
            self.raised = [*self.raised, alarm][-MOST_ALARMS:]
            watch = Watch(began_at=watch.began_at, count=watch.count, total=watch.total)
        self.watches[what, whom] = watch
        while len(self.watches) > MOST_WATCHED:
            del self.watches[next(iter(self.watches))]

    def alarms(self) -> tuple[Alarm, ...]:
        """Return the last alarms, in the order in which they were raised."""
        return tuple(self.raised)
