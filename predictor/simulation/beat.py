"""When passes may be made, by how those that look ahead have followed one another of late.

The statistics of each look name the one begun last. How long one takes changes with all else that
the machine does; no more is foreseen than that each of the next takes as long as one of the latest.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from predictor.domain import PassSettings, Snapshot
from predictor.simulation.cast import LONGEST_S
from predictor.simulation.pace import lasts_s
from predictor.simulation.passes import Rhythm, Turns

LATEST = 8
"""So many of the latest passes count."""


class Told(NamedTuple):
    """A pass, as one look tells of it that knows of it as the last one begun."""

    at: int
    """When it began; like all instants UTC epoch seconds."""
    pause_s: int
    """At least so long after its end the next one begins."""
    lasted_s: float
    """How long it took, or the one before it."""
    is_over: bool
    """Whether it was over by then, so that it is known how long it took itself."""


def told_of(looks: Sequence[Snapshot]) -> Iterator[Told]:
    """Yield the pass that each look tells of, if it tells of any."""
    for snapshot in looks:
        health = snapshot.health
        if health is None or health.backfill_last_at is None:
            continue
        passes = snapshot.settings.passes or PassSettings()
        lasted_s = lasts_s(health.backfill_cycle_last_us or 0, passes)
        told_at = snapshot.taken_at if health.told_at is None else health.told_at
        is_over = told_at - health.backfill_last_at >= lasted_s
        yield Told(health.backfill_last_at, passes.interval_s, lasted_s, is_over)


def latest_s(looks: Sequence[Snapshot]) -> tuple[float, ...]:
    """Return how long the latest passes took that these looks, in their order, tell of.

    A pass that is over, and the one under way behind it, tell of the same duration, which counts
    once.
    """
    newest_first = dict.fromkeys(one.lasted_s for one in reversed(tuple(told_of(looks))))
    return tuple(newest_first)[:LATEST]


def course(snapshot: Snapshot, lasted_s: Sequence[float], until: int, chance: Random) -> Turns:
    """Return when passes may be made from the snapshot's instant to `until`.

    The first that looks ahead is told by the snapshot's statistics; then each takes as long as one
    of these did. None of them is foreseen where nothing is told of any, or there are none. Where in
    their rhythm the regular passes in strict order are, nobody tells.
    """
    passes = snapshot.settings.passes or PassSettings()
    main_s = max(1, min(passes.main_interval_s, LONGEST_S))
    main_at = snapshot.taken_at + 1 + int(main_s * chance.random())
    if not lasted_s or not snapshot.settings.backfill:
        return Turns(main_at=main_at)
    found = list(Rhythm.of(snapshot.settings, snapshot.health, snapshot.taken_at).told_at)
    at = float(found[-1])
    while at < until:
        at += max(1.0, passes.interval_s + chance.choice(lasted_s))
        found.append(min(round(at), until))
    return Turns(tuple(found), main_at)
