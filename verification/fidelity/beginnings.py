"""When passes that look ahead began, by the scheduler's statistics in a recording's snapshots."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from predictor.domain import PassSettings, Snapshot
from predictor.simulation.pace import lasts_s


class Told(NamedTuple):
    """A pass, as the last snapshot tells of it that knows of it as the last one begun."""

    at: int
    period_s: float
    """How far from there to the next one, if that comes as soon as it may."""


def beginnings(snapshots: Sequence[Snapshot]) -> tuple[int, ...]:
    """Return when passes that look ahead began, ascending; none if nobody tells.

    Statistics name the last one begun. Those in between are taken to have followed one another as
    closely as may be, so many as there is time for, evenly spread.
    """
    told = {one.at: one for one in _told(snapshots)}
    ordered = [told[at] for at in sorted(told)]
    found = [one.at for one in ordered[:1]]
    for one, following in pairwise(ordered):
        found += _between(one, following)
        found.append(following.at)
    return tuple(found)


def _told(snapshots: Sequence[Snapshot]) -> Iterator[Told]:
    for snapshot in snapshots:
        health = snapshot.health
        if health is not None and health.backfill_last_at is not None:
            passes = snapshot.settings.passes or PassSettings()
            work_us = health.backfill_cycle_last_us or health.backfill_cycle_mean_us or 0
            yield Told(health.backfill_last_at, passes.interval_s + lasts_s(work_us, passes))


def _between(one: Told, following: Told) -> Iterator[int]:
    """Yield when passes began between two that are told."""
    span_s = following.at - one.at
    period_s = (one.period_s + following.period_s) / 2
    count = max(1, round(span_s / max(1, period_s)))
    for number in range(1, count):
        yield one.at + round(span_s * number / count)
