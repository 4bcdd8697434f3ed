"""Advance reservations, out of `scontrol -o show reservation`."""

from collections.abc import Mapping
from functools import partial

from collectors.slurm.text.records import Record, needed, records
from collectors.slurm.words import units
from collectors.slurm.words.hostlists import expanded
from collectors.slurm.words.quarantine import sorted_out
from predictor.domain import Fact, Quarantined, Reservation, ReservationFlag, amount_of

_FLAGS = {
    "MAINT": ReservationFlag.MAINTENANCE,
    "OVERLAP": ReservationFlag.OVERLAP,
    "IGNORE_JOBS": ReservationFlag.IGNORE_JOBS,
    "FLEX": ReservationFlag.FLEX,
    "ANY_NODES": ReservationFlag.ANY_NODES,
    "ALL_NODES": ReservationFlag.ALL_NODES,
    "PART_NODES": ReservationFlag.PARTITION_NODES,
    "MAGNETIC": ReservationFlag.MAGNETIC,
    "TIME_FLOAT": ReservationFlag.TIME_FLOAT,
    "HOURLY": ReservationFlag.HOURLY,
    "DAILY": ReservationFlag.DAILY,
    "WEEKDAY": ReservationFlag.WEEKDAY,
    "WEEKEND": ReservationFlag.WEEKEND,
    "WEEKLY": ReservationFlag.WEEKLY,
}

Reservations = tuple[tuple[Reservation, ...], tuple[Quarantined, ...]]


def parse_reservations(text: str, cpus: Mapping[str, int], offset_s: int = 0) -> Reservations:
    """Return the reservations. `cpus` by node name tell whole nodes from parts of them.

    `offset_s` is how far the clock that wrote it was ahead of UTC.
    """
    found = records(text, "ReservationName", {"Comment": ()})
    return sorted_out(Fact.RESERVATIONS, found, partial(reservation_of, cpus, offset_s))


def reservation_of(cpus: Mapping[str, int], offset_s: int, record: Record) -> Reservation:
    """Return the reservation that such a record tells of. Raises ValueError, naming it."""
    name = needed(record, "ReservationName")
    start_at = units.instant(needed(record, "StartTime"), offset_s)
    end_at = units.instant(needed(record, "EndTime"), offset_s)
    if start_at is None or end_at is None:
        raise ValueError(f"reservation {name}: it has no start or no end")
    nodes = expanded(record.get("Nodes", ""))
    return Reservation(
        name=name,
        start_at=start_at,
        end_at=end_at,
        node_names=nodes,
        cpus=_part_of(record, sum(cpus.get(node, 0) for node in nodes)),
        flags=frozenset(_FLAGS[f] for f in units.listed(record.get("Flags", "")) if f in _FLAGS),
        partition=units.said(record.get("PartitionName", "")),
        users=units.listed(record.get("Users", "")),
        groups=units.listed(record.get("Groups", "")),
        accounts=units.listed(record.get("Accounts", "")),
        qos=units.listed(record.get("QOS", "")),
        allowed_partitions=units.listed(record.get("AllowedPartitions", "")),
        licenses=units.licenses(record.get("Licenses", "")),
    )


def _part_of(record: Record, all_cpus: int) -> int | None:
    set_apart = amount_of(units.tres(record.get("TRES", "")), "cpu")
    return set_apart if 0 < set_apart < all_cpus else None
