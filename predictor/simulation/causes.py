"""Why a job does not start at once, read off the timeline before anybody is planned."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from predictor.domain import Cause
from predictor.scheduling.hints import Hints
from predictor.scheduling.planner import Part
from predictor.scheduling.timeline import Need, Timeline
from predictor.simulation.entrants import Entrant
from predictor.simulation.occupied import Running


@dataclass(frozen=True, slots=True, kw_only=True)
class StartingPoints:
    """How everybody stands when the simulation begins."""

    possible: tuple[Entrant, ...]
    """In queue order."""
    impossible: tuple[Entrant, ...]
    """Those for whom there is no room at any time, even alone."""
    causes: Mapping[str, Cause]
    """By id: what keeps a possible entrant from starting now."""


def starting_points(
    entrants: Sequence[Entrant], running: Sequence[Running], timeline: Timeline, now: int
) -> StartingPoints:
    """Tell the possible from the impossible, and why the possible do not start `now`.

    A part alone on the timeline of running jobs decides; nothing is placed.
    """
    hints = Hints()
    lanes = Counter(job.lane for job in running if job.end_at > now)
    known: dict[Part, Cause | None] = {}
    possible, impossible, causes = [], [], {}
    for entrant in entrants:
        found = [_known(part, timeline, hints, now, known) for part in entrant.ask.parts]
        if None in found:
            impossible.append(entrant)
        else:
            possible.append(entrant)
            full = bool(entrant.lane) and lanes[entrant.lane] >= entrant.lane_width
            others = (cause for cause in found if cause and cause is not Cause.PRIORITY)
            alone = next(others, Cause.PRIORITY)
            causes[entrant.id] = _ineligible(entrant, full, now) or alone
    return StartingPoints(possible=tuple(possible), impossible=tuple(impossible), causes=causes)


def _ineligible(entrant: Entrant, lane_is_full: bool, now: int) -> Cause | None:
    """Return what keeps the entrant out of the queue for now; None: it is in."""
    if any(after.job_ids for after in entrant.after):
        return Cause.DEPENDENCY
    if entrant.not_before > now:
        return Cause.BEGIN_TIME
    return Cause.ARRAY_LIMIT if lane_is_full else None


def _known(
    part: Part, timeline: Timeline, hints: Hints, now: int, known: dict[Part, Cause | None]
) -> Cause | None:
    """Return what `_obstacle` says; an array's tasks share a part, so it is asked once."""
    if part not in known:
        known[part] = _obstacle(part, timeline, hints, now)
    return known[part]


def _obstacle(part: Part, timeline: Timeline, hints: Hints, now: int) -> Cause | None:
    """Return what keeps the part from starting `now` if nobody else waited; None: it never can.

    PRIORITY if nothing does: then it is those before it in the queue.
    """
    if _any_opening(part.ways, timeline, now):
        return Cause.PRIORITY
    if all(hints.earliest(timeline, need, now) is None for need in part.ways):
        return None
    unlicensed = tuple(replace(need, licenses=()) for need in part.ways)
    if _any_opening(unlicensed, timeline, now):
        return Cause.LICENSES
    roomy = any(_has_room(need, timeline, now) for need in part.ways)
    return Cause.RESERVATION if roomy else Cause.RESOURCES


def _has_room(need: Need, timeline: Timeline, now: int) -> bool:
    """Return whether enough nodes are free now: then it is a reservation it would run into."""
    return (timeline.room_at(need.shape, now) & need.candidates).bit_count() >= need.nodes


def _any_opening(ways: tuple[Need, ...], timeline: Timeline, now: int) -> bool:
    return any(timeline.opening_at(need, now) is not None for need in ways)
