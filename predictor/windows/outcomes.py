"""How answers came out of late: how far starts were off what was said, by lead and class."""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import NormalDist
from typing import NamedTuple

from predictor.windows.answers import Answer, Followed
from predictor.windows.curve import Curve, Seen
from predictor.windows.raw import ratio

MOST = 500
"""So many outcomes of each bin are known."""
HALF_LIFE = 150
"""After so many more an outcome counts half."""
LIKE_ENOUGH = 15.0
"""Outcomes of each less special class count together at most as much as so many jobs."""
STILL_OPEN = 0.3
"""An answer that is still open counts so much: those who wait together wait for the same."""
BELIEVED = 12.0
"""What is believed beforehand counts as so many jobs."""
BELIEF = tuple(NormalDist().inv_cdf((step + 0.5) / 20) for step in range(20))
BELIEVED_MEAN, BELIEVED_FIRST_MEAN = -0.2, 0.3
BELIEVED_SPREAD = (0.7, 0.7, 0.65, 0.5, 0.4)
"""Starts are believed to lie about the upper mark normally, with this mean and, by bin, this
standard deviation; about the lower one as its mirror image. Draws err early, and far ahead by
less in proportion."""
UNMOVED = 100.0
"""So many jobs must be known until the middle is moved by half of what they show."""

Classes = tuple[str, ...]
EVERYBODYS: Classes = ("\0",)
"""What is believed beforehand counts fully for everybody."""


class Off(NamedTuple):
    """How far a start was off each mark: the logarithm of the ratio of leads."""

    low: float
    middle: float
    high: float


class Outcome(NamedTuple):
    """How one answer came out."""

    off: Off
    weight: float
    """Its share of the answers of its job."""
    classes: Classes


class Shape(NamedTuple):
    """What one bin knows of jobs of some classes."""

    low: Curve
    """How far starts are off the lower mark."""
    middle: float
    """By how much to move the middle."""
    high: Curve


def off(answer: Answer, at: int) -> Off:
    """Return how far a start at an instant is off an answer's marks."""
    lead_s, marks = at - answer.seen_at, answer.marks
    return Off(
        ratio(lead_s, marks.low_s), ratio(lead_s, marks.middle_s), ratio(lead_s, marks.high_s)
    )


class Pool:
    """What one bin knows at an instant, ordered once for all classes."""

    def __init__(
        self,
        number: int,
        known: Sequence[Outcome],
        still: Iterable[tuple[float, Answer]],
        now: int,
    ) -> None:
        """Take outcomes, the oldest first, and answers that are open, with their weights."""
        self._known: defaultdict[Classes, float] = defaultdict(float)
        low, middle, high = _belief(number, -1), [], _belief(number, 1)
        for (away, weight, classes), age in zip(known, _ages(len(known)), strict=True):
            self._known[classes] += weight * age
            low.append((away.low, False, weight * age, classes))
            middle.append((away.middle, False, weight * age, classes))
            high.append((away.high, False, weight * age, classes))
        for weight, answer in still:
            away = off(answer, now)
            low.append((away.low, True, weight * STILL_OPEN, answer.classes))
            high.append((away.high, True, weight * STILL_OPEN, answer.classes))
        self._low, self._middle, self._high = sorted(low), sorted(middle), sorted(high)

    def shape(self, classes: Classes) -> Shape:
        """Return what is known of jobs of these classes, from special to general."""
        counts = _Counts(classes, self._known)
        middle = counts.weigh(self._middle)
        total = sum(weight for _, _, weight in middle)
        return Shape(
            low=Curve.of(counts.weigh(self._low)),
            middle=Curve.of(middle).at(0.5) * total / (total + UNMOVED) if middle else 0.0,
            high=Curve.of(counts.weigh(self._high)),
        )


class _Counts(dict[Classes, float]):
    """By how much outcomes of each of several classes count for a job of some.

    Fully if they share the most special. Those who only share a more general one, or none, count
    together at most LIKE_ENOUGH for each step.
    """

    def __init__(self, classes: Classes, known: Mapping[Classes, float]) -> None:
        self._classes = classes
        total = [0.0] * (len(classes) + 1)
        for of, weight in known.items():
            total[self._step(of)] += weight
        self._by_step = [1.0, *(LIKE_ENOUGH / max(LIKE_ENOUGH, one) for one in total[1:])]

    def __missing__(self, of: Classes) -> float:
        self[of] = self._by_step[self._step(of)]
        return self[of]

    def weigh(self, ascending: Iterable[tuple[float, bool, float, Classes]]) -> list[Seen]:
        return [(value, is_open, weight * self[of]) for value, is_open, weight, of in ascending]

    def _step(self, of: Classes) -> int:
        """Return how many classes are more special than the first that both share."""
        if of == EVERYBODYS:
            return 0
        shared = (step for step, one in enumerate(self._classes) if one in of)
        return next(shared, len(self._classes))


class Firsts:
    """How the first answers of jobs came out, which know less than later ones. Bounded alike."""

    def __init__(self, known: Iterable[Sequence[float]]) -> None:
        self.known = tuple(deque(one, maxlen=MOST) for one in known)

    def add(self, answer: Answer, started_at: int) -> None:
        """Take in when the job of a first answer started."""
        self.known[answer.bin].append(off(answer, started_at).high)

    def curve(self, number: int, jobs: Iterable[Followed], now: int) -> Curve:
        """Return how far starts are off the upper mark of first answers, by a bin."""
        known = self.known[number]
        seen = [(value, False, age) for value, age in zip(known, _ages(len(known)), strict=True)]
        seen += [
            (off(job.first, now).high, True, STILL_OPEN) for job in jobs if job.first.bin == number
        ]
        seen += [one[:3] for one in _belief(number, 1, BELIEVED_FIRST_MEAN)]
        return Curve.of(sorted(seen))


def _ages(count: int) -> Iterator[float]:
    """Yield what outcomes count by their age, the oldest first."""
    return (0.5 ** ((count - 1 - place) / HALF_LIFE) for place in range(count))


def _belief(
    number: int, side: int, mean: float = BELIEVED_MEAN
) -> list[tuple[float, bool, float, Classes]]:
    """Return what is believed of a bin beforehand; `side`: 1 is the upper, -1 the lower."""
    spread, weight = BELIEVED_SPREAD[number], BELIEVED / len(BELIEF)
    return [(side * (mean + spread * one), False, weight, EVERYBODYS) for one in BELIEF]
