"""Find the best of many points with few runs: by halving, or along coordinates.

Both know nothing but what was found so far, so a search that was stopped goes on by itself.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil, log2

Cost = tuple[int, float]
"""What is least is best: first how a point fails to be allowed, then the figure."""
Costs = Callable[[int, int], Cost | None]
"""Of a point (from 0) over its first so many replications; None: not all are known yet."""
Asked = tuple[int, int]
"""A point, and how many of its first replications are wanted."""


FINALISTS = 2
"""So many are tried on all replications at least: how sure a choice is shows beside another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What a search wants to know next, or what it found."""

    asked: Sequence[Asked] = ()
    """Empty: the search has ended."""
    best: int | None = None
    """None: it has not."""


def halving(points: int, replications: int, cost: Costs) -> Step:
    """Try all points on few replications, and the better half of them on twice as many, and so on.

    Those that are left are compared on all. Source: Karnin, Koren & Somekh, Almost optimal
    exploration in multi-armed bandits, ICML 2013 (sequential halving), with replications shared.
    """
    left: Sequence[int] = range(points)
    *early, last = rungs(points, replications)
    for count in early:
        if asked := _unknown(left, count, cost):
            return Step(asked=asked)
        better = sorted(left, key=lambda one: _of(cost, one, count))
        left = sorted(better[: max(FINALISTS, ceil(len(left) / 2))])
    if asked := _unknown(left, last, cost):
        return Step(asked=asked)
    return Step(best=min(left, key=lambda one: _of(cost, one, last)))


def rungs(points: int, replications: int) -> Sequence[int]:
    """Return how many replications each round of `halving` rests on; the last: all."""
    rounds = min(ceil(log2(max(points, 1))), int(log2(replications)))
    return sorted({ceil(replications / 2**one) for one in range(rounds + 1)})


def coordinate(lengths: Sequence[int], replications: int, cost: Costs) -> Step:
    """Go from the first point along one axis after the other to its best value, until none moves.

    `lengths` of the axes; points count the last axis fastest. Ends: each move is to a better point.
    """
    place = [0] * len(lengths)
    moved = True
    while moved:
        moved = False
        for axis in range(len(lengths)):
            line = list(_line(place, axis, lengths))
            if asked := _unknown(line, replications, cost):
                return Step(asked=asked)
            here = line[place[axis]]
            best = min(line, key=partial(_staying, cost, replications, here))
            if best != here:
                place[axis], moved = line.index(best), True
    return Step(best=_point(place, lengths))


def _staying(cost: Costs, count: int, here: int, point: int) -> tuple[int, float, bool]:
    """Return what to choose by: of equal costs the point where we are."""
    return (*_of(cost, point, count), point != here)


def _line(place: Sequence[int], axis: int, lengths: Sequence[int]) -> Iterator[int]:
    for value in range(lengths[axis]):
        yield _point([*place[:axis], value, *place[axis + 1 :]], lengths)


def _point(place: Sequence[int], lengths: Sequence[int]) -> int:
    point = 0
    for value, length in zip(place, lengths, strict=True):
        point = point * length + value
    return point


def _unknown(points: Sequence[int], count: int, cost: Costs) -> list[Asked]:
    return [(point, count) for point in points if cost(point, count) is None]


def _of(cost: Costs, point: int, count: int) -> Cost:
    found = cost(point, count)
    assert found is not None  # noqa: S101 - it was asked for before
    return found
