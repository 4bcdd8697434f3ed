"""Whose own reservation is over before they could start."""

from collections.abc import Iterable, Mapping

from predictor.domain import Reservation, ReservationFlag, Unpredictable
from predictor.domain.instants import LAST_INSTANT, rfc3339
from predictor.scheduling.admission import Refusal
from predictor.scheduling.closures import STEPS_S
from predictor.scheduling.machine import Machine
from predictor.scheduling.placing import Need

LASTING = frozenset({*STEPS_S, ReservationFlag.FLEX, ReservationFlag.TIME_FLOAT})
"""Who asked for such a reservation may start after its end."""


def ending(reservations: Iterable[Reservation]) -> Mapping[str, Reservation]:
    """Return by name those after whose end nobody starts any more who asked for them."""
    return {one.name: one for one in reservations if one.flags.isdisjoint(LASTING)}


def too_late(reservation: Reservation) -> Refusal:
    """Return why a job does not start that asked for it."""
    end = rfc3339(min(max(reservation.end_at, 0), LAST_INSTANT))
    return Refusal(
        cause=Unpredictable.RESERVATION_GONE,
        detail=f"its reservation ends at {end}, before it could start",
    )


def holds(reservation: Reservation, need: Need, machine: Machine) -> bool:
    """Return whether its nodes would be enough for the need if nothing ran there."""
    room = machine.bitmap(reservation.node_names) & need.candidates
    return need.required & ~room == 0 and room.bit_count() >= need.nodes
