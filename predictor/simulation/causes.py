"""Why a job does not start at once, told before anybody is planned."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from predictor.domain import Cause, Snapshot
from predictor.scheduling.closures import Closure
from predictor.scheduling.machine import Machine
from predictor.scheduling.placing import Part
from predictor.simulation.entrants import Entrant
from predictor.simulation.occupied import Running
from predictor.simulation.probe import Probe, unlicensed


@dataclass(frozen=True, slots=True, kw_only=True)
class StartingPoints:
    """How everybody stands when the simulation begins."""

    possible: tuple[Entrant, ...]
    """In queue order."""
    impossible: tuple[Entrant, ...]
    """Those for whom there is no room at any time, even alone."""
    barred: tuple[Entrant, ...] = ()
    """Those in the queue whom a limit keeps out for good, or whose nodes are out of order."""
    causes: Mapping[str, Cause]
    """By id: what keeps a possible entrant from starting now."""


def starting_points(
    snapshot: Snapshot,
    machine: Machine,
    entrants: Sequence[Entrant],
    running: Sequence[Running],
    closed: Sequence[Closure],
) -> StartingPoints:
    """Tell the possible from the impossible, and why the possible do not start at once.

    A part alone beside the running jobs decides; nothing is placed.
    """
    held = [holding for job in running for holding in job.held]
    # The tasks of an array share their parts, which are told apart by identity: that costs least.
    parts = {id(part): part for entrant in entrants for part in entrant.ask.parts}
    needs = (need for part in parts.values() for need in part.ways)
    probe = Probe(snapshot, machine, held, closed, needs)
    known = {id_: _obstacle(part, probe) for id_, part in parts.items()}
    now = snapshot.taken_at
    lanes = Counter(job.lane for job in running if job.end_at > now)
    possible, impossible, causes = [], [], {}
    for entrant in entrants:
        found = [known[id(part)] for part in entrant.ask.parts]
        if None in found:
            impossible.append(entrant)
        else:
            possible.append(entrant)
            full = bool(entrant.lane) and lanes[entrant.lane] >= entrant.lane_width
            others = (cause for cause in found if cause and cause is not Cause.PRIORITY)
            alone = next(others, Cause.PRIORITY)
            causes[entrant.id] = _ineligible(entrant, full, now) or alone
    return StartingPoints(possible=tuple(possible), impossible=tuple(impossible), causes=causes)


def with_turns(points: StartingPoints, left_out: Iterable[str]) -> StartingPoints:
    """Return the starting points with LIMIT where only its user's bound keeps a job from a start.

    `left_out` are those at whom the policy did not look for the others of their users.
    """
    limited = {id_: Cause.LIMIT for id_ in left_out if points.causes[id_] is Cause.PRIORITY}
    return replace(points, causes={**points.causes, **limited})


def _ineligible(entrant: Entrant, lane_is_full: bool, now: int) -> Cause | None:
    """Return what keeps the entrant out of the queue for now; None: it is in."""
    if any(after.job_ids for after in entrant.after):
        return Cause.DEPENDENCY
    if entrant.not_before > now:
        return Cause.BEGIN_TIME
    if entrant.opens_at > now:
        return Cause.RESERVATION
    return Cause.ARRAY_LIMIT if lane_is_full else None


def _obstacle(part: Part, probe: Probe) -> Cause | None:
    """Return what keeps the part from starting now if nobody else waited; None: it never can.

    PRIORITY if nothing does: then it is those before it in the queue.
    """
    if any(probe.opens(need) for need in part.ways):
        return Cause.PRIORITY
    if all(probe.first_start(need) is None for need in part.ways):
        return None
    if any(probe.opens(unlicensed(need)) for need in part.ways):
        return Cause.LICENSES
    # Enough nodes may be free that are no neighbours, or not those of which it wants so many.
    kept = any(probe.has_room(need) and probe.would_meet_closure(need) for need in part.ways)
    return Cause.RESERVATION if kept else Cause.RESOURCES
