"""Whose own reservation is over before they could start."""

from collections.abc import Iterable, Mapping

from predictor.domain import Reservation, ReservationFlag, Unpredictable, choices
from predictor.domain.instants import nearest_rfc3339
from predictor.scheduling.closures import STEPS_S
from predictor.scheduling.machine import Machine
from predictor.scheduling.placing import Need
from predictor.scheduling.rules import Refusal

LASTING = frozenset({*STEPS_S, ReservationFlag.FLEX, ReservationFlag.TIME_FLOAT})
"""Who asked for such a reservation may start after its end."""


def ending(reservations: Iterable[Reservation]) -> Mapping[str, Reservation]:
    """Return by name those after whose end nobody starts any more who asked for them."""
    return {one.name: one for one in reservations if one.flags.isdisjoint(LASTING)}


def too_late(reservation: Reservation) -> Refusal:
    """Return why a job does not start that asked for it."""
    end = nearest_rfc3339(reservation.end_at)
    return Refusal(
        cause=Unpredictable.RESERVATION_GONE,
        detail=f"its reservation ends at {end}, before it could start",
    )


def over(asked: str, known: Mapping[str, Reservation], until: int) -> Refusal | None:
    """Return why a job does not start that asked for these; None: one of them outlasts `until`."""
    there = [known[name] for name in choices(asked) if name in known]
    if not there or len(ending(there)) < len({one.name for one in there}):
        return None
    last = max(there, key=lambda one: one.end_at)
    return too_late(last) if last.end_at <= until else None


def holds(reservation: Reservation, need: Need, machine: Machine) -> bool:
    """Return whether its nodes would be enough for the need if nothing ran there."""
    room = need.candidates
    if ReservationFlag.ANY_NODES not in reservation.flags:
        room &= machine.bitmap(reservation.node_names)
    return need.required & ~room == 0 and room.bit_count() >= need.nodes
