"""Advance reservations, out of JSON: of slurmrestd, and of `scontrol show reservations --json`."""

from collections.abc import Mapping
from functools import partial

from collectors.slurm.objects import spelling
from collectors.slurm.objects.fields import Fields, decoded, record_list
from collectors.slurm.text.reservations import Reservations, reservation_of
from collectors.slurm.words.quarantine import sorted_out
from predictor.domain import Fact, Reservation

PLACE = "reservations"


def parse_reservations(text: str, cpus: Mapping[str, int]) -> Reservations:
    """Return the reservations. `cpus` by node name tell whole nodes from parts of them."""
    found = record_list(decoded(text, PLACE), PLACE, PLACE)
    return sorted_out(Fact.RESERVATIONS, found, partial(_reservation, cpus))


def _reservation(cpus: Mapping[str, int], record: object) -> Reservation:
    fields = Fields(record)
    words = {
        "ReservationName": fields.text("name"),
        "StartTime": spelling.number(fields, "start_time"),
        "EndTime": spelling.number(fields, "end_time"),
        "Nodes": fields.text("node_list"),
        "TRES": fields.text("tres"),
        "Flags": spelling.several(fields, "flags"),
        "PartitionName": fields.text("partition"),
        "Users": fields.text("users"),
        "Groups": fields.text("groups"),
        "Accounts": fields.text("accounts"),
        "Licenses": fields.text("licenses"),
    }
    return reservation_of(cpus, 0, words)
