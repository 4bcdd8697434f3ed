"""From a simulated future to answers: one for each waiting record."""

from collections.abc import Iterable, Mapping, Sequence

from predictor.domain import (
    Abstention,
    Cause,
    Forecast,
    PendingJob,
    Prediction,
    Reservation,
    Snapshot,
    Unpredictable,
)
from predictor.domain.instants import nearest_rfc3339
from predictor.scheduling.machine import Machine
from predictor.scheduling.rules import Refusal
from predictor.simulation.causes import StartingPoints
from predictor.simulation.entrants import Entrant
from predictor.simulation.future import Future
from predictor.simulation.own_reservations import ending, holds, over, too_late

NO_ROOM = Refusal(
    cause=Unpredictable.NEVER_FITS,
    detail="all it asks for is never free together, whatever ends",
)
NOT_WITHOUT = Refusal(
    cause=Unpredictable.NODES_UNAVAILABLE,
    detail="all it asks for is never free together while nodes are down or drained",
)
NO_EVENT = Refusal(
    cause=Unpredictable.DEPENDENCY,
    detail="it waits for a job whose end cannot be predicted",
)
BEYOND = Refusal(
    cause=Unpredictable.HORIZON, detail="its start lies beyond the horizon of the forecast"
)


def summarise(
    snapshot: Snapshot,
    policy: str,
    machine: Machine,
    points: StartingPoints,
    future: Future,
    refusals: Mapping[str, Refusal],
    until: int,
) -> Forecast:
    """Return one prediction or one abstention for each of the snapshot's waiting records.

    `refusals` are the records that never entered the queue, by id; `until` is how far the future
    was simulated.
    """
    refused = dict(refusals)
    refused |= without_room(points, machine, snapshot)
    by_record = _by_record(points.possible)
    late = {
        job.spec.id: _past_deadline(job.start_by)
        for job in snapshot.pending
        if job.start_by is not None and job.start_by < until
    }
    known = {one.name: one for one in snapshot.reservations}
    predictions = []
    for job in snapshot.pending:
        id_ = job.spec.id
        if id_ in refused:
            continue
        never = late.get(id_) or over(job.spec.reservation, known, until) or BEYOND
        answer = _answer(job, by_record[id_], machine, points, future, never)
        if isinstance(answer, Refusal):
            refused[id_] = answer
        else:
            predictions.append(answer)
    return Forecast(
        cluster=snapshot.cluster,
        snapshot_at=snapshot.taken_at,
        policy=policy,
        fingerprint=snapshot.fingerprint,
        predictions=tuple(sorted(predictions, key=lambda p: (p.rank, p.job_id))),
        abstentions=abstentions(snapshot, refused),
    )


def without_room(
    points: StartingPoints, machine: Machine, snapshot: Snapshot
) -> Mapping[str, Refusal]:
    """Return by id why there is never room for some, even alone."""
    reservations = ending(snapshot.reservations)
    return {
        id_: _no_room(entrant, machine, reservations)
        for entrant in points.impossible
        for id_ in entrant.job_ids
    }


def _no_room(
    entrant: Entrant, machine: Machine, reservations: Mapping[str, Reservation]
) -> Refusal:
    """Return why there is never room: perhaps only as its reservation ends, or nodes are down."""
    needs = [need for part in entrant.ask.parts for need in part.ways]
    for need in needs:
        own = reservations.get(need.reservation)
        if own is not None and holds(own, need, machine):
            return too_late(own)
    for need in needs:
        least = need.shape if need.spread is None else need.spread.share
        if need.members & machine.fits_empty(least) & ~machine.usable:
            return NOT_WITHOUT
    return NO_ROOM


def _past_deadline(start_by: int) -> Refusal:
    by = nearest_rfc3339(start_by)
    return Refusal(
        cause=Unpredictable.DEADLINE,
        detail=f"to be over by its deadline it must start by {by}; it would not, and is removed",
    )


def abstentions(snapshot: Snapshot, refused: Mapping[str, Refusal]) -> tuple[Abstention, ...]:
    """Return the refusals of waiting records as answers, in the snapshot's order."""
    return tuple(
        Abstention(job_id=id_, cause=refused[id_].cause, detail=refused[id_].detail)
        for id_ in (job.spec.id for job in snapshot.pending)
        if id_ in refused
    )


def _by_record(entrants: Iterable[Entrant]) -> Mapping[str, list[Entrant]]:
    found: dict[str, list[Entrant]] = {}
    for entrant in entrants:
        for id_ in entrant.job_ids:
            found.setdefault(id_, []).append(entrant)
    return found


def _answer(
    job: PendingJob,
    entrants: Sequence[Entrant],
    machine: Machine,
    points: StartingPoints,
    future: Future,
    never: Refusal,
) -> Prediction | Refusal:
    """Return the answer for a record: that of the first of its entrants to start.

    `never`: the one if nobody does who waits for nothing else.
    """
    starts = {e.id: future.placements[e.id].start_at for e in entrants if e.id in future.placements}
    if not starts:
        return NO_EVENT if any(e.id in future.stuck for e in entrants) else never
    first = min((e for e in entrants if e.id in starts), key=lambda e: (starts[e.id], e.rank))
    placed = next(
        placed for placed in future.placements[first.id].placed if placed.part.job_id == job.spec.id
    )
    array = job.spec.array
    complete = array is not None and len(starts) == len(array.tasks)
    at_once = starts[first.id] <= future.from_at
    return Prediction(
        job_id=job.spec.id,
        start_at=placed.holding.start_at,
        end_at=placed.holding.end_at,
        partition=placed.need.partition,
        node_names=machine.names(placed.holding.nodes),
        cause=Cause.STARTS_NOW if at_once else points.causes[first.id],
        rank=first.rank,
        last_start_at=max(starts.values()) if complete else None,
    )
