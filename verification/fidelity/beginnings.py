"""When passes that look ahead began, by the scheduler's statistics in a recording's snapshots."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from predictor.domain import Snapshot
from predictor.simulation.beat import Told, told_of

CUT_S = 1
"""Instants are told in whole seconds, so two may be further apart than they seem, by so much."""


class Begun(NamedTuple):
    """A pass, by the instant at which it began."""

    at: int
    until: float
    """When it was over, about."""


def beginnings(snapshots: Sequence[Snapshot]) -> tuple[int, ...]:
    """Return when passes that look ahead began, ascending; none if nobody tells."""
    return tuple(one.at for one in passes(snapshots))


def passes(snapshots: Sequence[Snapshot]) -> tuple[Begun, ...]:
    """Return the passes that looked ahead, in their order; none if nobody tells.

    Statistics name the last one begun. Those in between are taken to have followed one another as
    closely as may be, so many as there was time for.
    """
    told = {one.at: one for one in told_of(snapshots)}
    ordered = [told[at] for at in sorted(told)]
    found = [_begun(one) for one in ordered[:1]]
    for one, following in pairwise(ordered):
        found += _between(one, following)
        found.append(_begun(following))
    return tuple(found)


def _begun(one: Told) -> Begun:
    return Begun(one.at, one.at + one.lasted_s)


def _period_s(one: Told) -> float:
    """Return how far it is from there to the next pass, if that comes as soon as it may."""
    return one.lasted_s + one.pause_s


def _between(one: Told, following: Told) -> Iterator[Begun]:
    """Yield the passes between two that are told."""
    period_s = max(1.0, (_period_s(one) + _period_s(following)) / 2)
    first = one.at + (_period_s(one) if one.is_over else period_s)
    span_s = following.at - first
    if span_s < one.pause_s - CUT_S:
        return
    count = max(1, round(span_s / period_s))
    for number in range(count):
        at = round(first + span_s * number / count)
        yield Begun(at, at + period_s - one.pause_s)
