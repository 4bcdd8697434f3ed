"""How answers came out of late: the scatter of starts about what was said, by bin and class."""

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from statistics import NormalDist
from typing import NamedTuple

from predictor.windows.answers import Answer, Followed, Waiting
from predictor.windows.curve import Curve, Seen
from predictor.windows.raw import LEAD_BOUNDS_S

BINS = len(LEAD_BOUNDS_S) + 1
MOST = 500
"""So many outcomes of each bin are known."""
HALF_LIFE = 150
"""After so many more an outcome counts half."""
SOFTENED_S = 120
"""Added to leads that are compared by their ratio: below it ratios mean little."""
LIKE_ENOUGH = 15.0
"""Outcomes of each less special class count together at most as much as so many jobs."""
BELIEVED = 8.0
"""What is believed beforehand counts as so many jobs."""
BELIEF = tuple(NormalDist(0.0, 0.8).inv_cdf((step + 0.5) / 20) for step in range(20))
"""The scatter that is believed beforehand: starts are off by a factor of 2.8 in one of five."""
UNMOVED = 100.0
"""So many jobs must be known until the middle is moved by half of what they show."""


class Outcome(NamedTuple):
    """How one answer came out."""

    scatter: float
    """The logarithm of real to said lead, both softened."""
    weight: float
    """Its share of the answers of its job."""
    classes: tuple[str, ...]


class Shape(NamedTuple):
    """What one bin knows of jobs of some classes."""

    curve: Curve
    middle: float
    """By how much to move the middle."""


def scatter(lead_s: float, said_s: float) -> float:
    """Return the logarithm of one lead to another, both softened; 0: they are equal."""
    return math.log((max(0.0, lead_s) + SOFTENED_S) / (said_s + SOFTENED_S))


def scattered(said_s: float, by: float) -> float:
    """Return the lead that lies so far from the one said; at least 0."""
    return max(0.0, math.exp(by) * (said_s + SOFTENED_S) - SOFTENED_S)


class Outcomes:
    """The last MOST outcomes of each bin."""

    def __init__(self, known: Iterable[Sequence[Outcome]]) -> None:
        self.known = tuple(deque(one, maxlen=MOST) for one in known)

    def add(self, answer: Answer, started_at: int, weight: float) -> None:
        """Take in when the job of an answer started."""
        off = scatter(started_at - answer.seen_at, answer.centre_s)
        self.known[answer.bin].append(Outcome(off, weight, answer.classes))

    def shape(self, number: int, classes: Sequence[str], waiting: Waiting, now: int) -> Shape:
        """Return what is known in a bin of jobs of these classes, from special to general."""
        known = self.known[number]
        aged = [
            (one.scatter, one.weight * 0.5 ** ((len(known) - 1 - place) / HALF_LIFE), one.classes)
            for place, one in enumerate(known)
        ]
        likeness = _likeness(classes, ((one, weight) for _, weight, one in aged))
        seen = [Seen(value, False, weight * likeness(of)) for value, weight, of in aged]
        middle = _middle(seen)
        for weight, answer in waiting.open_in(number):
            value = scatter(now - answer.seen_at, answer.centre_s)
            seen.append(Seen(value, True, weight * likeness(answer.classes)))
        return Shape(with_belief(seen), middle)


class Firsts:
    """How the first answers of jobs came out, which know less than later ones. Bounded alike."""

    def __init__(self, known: Iterable[Sequence[float]]) -> None:
        self.known = tuple(deque(one, maxlen=MOST) for one in known)

    def add(self, answer: Answer, started_at: int) -> None:
        """Take in when the job of a first answer started."""
        off = scatter(started_at - answer.seen_at, answer.centre_s)
        self.known[answer.bin].append(off)

    def curve(self, number: int, jobs: Iterable[Followed], now: int) -> Curve:
        """Return what is known in a bin of first answers."""
        known = self.known[number]
        seen = [
            Seen(value, False, 0.5 ** ((len(known) - 1 - place) / HALF_LIFE))
            for place, value in enumerate(known)
        ]
        seen += [
            Seen(scatter(now - job.first.seen_at, job.first.centre_s), True, 1.0)
            for job in jobs
            if job.first.bin == number
        ]
        return with_belief(seen)


def with_belief(seen: Iterable[Seen]) -> Curve:
    """Return the distribution of outcomes and of what is believed beforehand."""
    weight = BELIEVED / len(BELIEF)
    return Curve.of([*seen, *(Seen(value, False, weight) for value in BELIEF)])


def _middle(seen: Sequence[Seen]) -> float:
    """Return the median of what is known, the nearer to 0 the less that is."""
    total = sum(one.weight for one in seen)
    if not total:
        return 0.0
    return Curve.of(seen).at(0.5) * total / (total + UNMOVED)


def _likeness(
    classes: Sequence[str], known: Iterator[tuple[tuple[str, ...], float]]
) -> Callable[[tuple[str, ...]], float]:
    """Return by how much an outcome of some classes counts for one of `classes`.

    Fully if it shares the most special. Those who only share a more general one, or none, count
    together at most LIKE_ENOUGH for each step.
    """
    total = [0.0] * (len(classes) + 1)
    for of, weight in known:
        total[_step(classes, of)] += weight
    counts = [1.0, *(min(1.0, LIKE_ENOUGH / one) if one else 1.0 for one in total[1:])]
    return lambda of: counts[_step(classes, of)]


def _step(classes: Sequence[str], of: Sequence[str]) -> int:
    """Return how many classes are more special than the first that both share."""
    return next((step for step, one in enumerate(classes) if one in of), len(classes))
