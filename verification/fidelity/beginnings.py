"""When passes that look ahead began, by the scheduler's statistics in a recording's snapshots."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from predictor.domain import PassSettings, Snapshot
from predictor.simulation.pace import lasts_s

WAKES_S = 1
"""So long after its pause the scheduler begins anew: it looks at its clock each second."""


class Begun(NamedTuple):
    """A pass, by the instant at which it began."""

    at: int
    until: float
    """When it was over, about."""


class Told(NamedTuple):
    """A pass, as the last snapshot tells of it that knows of it as the last one begun."""

    at: int
    pause_s: int
    """At least so long after its end the next one begins."""
    lasted_s: float
    """How long it took, or the one before it."""
    is_over: bool
    """Whether it was over by then, so that it is known how long it took itself."""

    @property
    def begun(self) -> Begun:
        """The pass itself."""
        return Begun(self.at, self.at + self.lasted_s)

    @property
    def period_s(self) -> float:
        """How far it is from there to the next pass, if that comes as soon as it may."""
        return self.lasted_s + self.pause_s + WAKES_S


def beginnings(snapshots: Sequence[Snapshot]) -> tuple[int, ...]:
    """Return when passes that look ahead began, ascending; none if nobody tells."""
    return tuple(one.at for one in passes(snapshots))


def passes(snapshots: Sequence[Snapshot]) -> tuple[Begun, ...]:
    """Return the passes that looked ahead, in their order; none if nobody tells.

    Statistics name the last one begun. Those in between are taken to have followed one another as
    closely as may be, so many as there was time for.
    """
    told = {one.at: one for one in _told(snapshots)}
    ordered = [told[at] for at in sorted(told)]
    found = [one.begun for one in ordered[:1]]
    for one, following in pairwise(ordered):
        found += _between(one, following)
        found.append(following.begun)
    return tuple(found)


def _told(snapshots: Sequence[Snapshot]) -> Iterator[Told]:
    for snapshot in snapshots:
        health = snapshot.health
        if health is None or health.backfill_last_at is None:
            continue
        passes = snapshot.settings.passes or PassSettings()
        lasted_s = lasts_s(health.backfill_cycle_last_us or 0, passes)
        told_at = snapshot.taken_at if health.told_at is None else health.told_at
        is_over = told_at - health.backfill_last_at >= lasted_s
        yield Told(health.backfill_last_at, passes.interval_s, lasted_s, is_over)


def _between(one: Told, following: Told) -> Iterator[Begun]:
    """Yield the passes between two that are told."""
    period_s = max(1.0, (one.period_s + following.period_s) / 2)
    first = one.at + (one.period_s if one.is_over else period_s)
    span_s = following.at - first
    if span_s < one.pause_s:
        return
    count = max(1, round(span_s / period_s))
    for number in range(count):
        at = round(first + span_s * number / count)
        yield Begun(at, at + period_s - one.pause_s - WAKES_S)
