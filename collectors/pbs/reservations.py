"""Advance reservations, out of `pbs_rstat -F`."""

import re
from collections.abc import Iterator, Mapping

from collectors.pbs.hosts import CPUS
from collectors.pbs.select import vnode_chunks
from collectors.pbs.words import count, instant, people, short
from collectors.slurm.words.quarantine import sorted_out
from predictor.domain import Fact, Quarantined, Reservation, ReservationFlag
from predictor.errors import SourceFormatError

RSTAT = "pbs_rstat -F"

_LINE = re.compile(r"([\w.]{1,100}) = (.*)")
_HEAD = "Resv ID: "
_NOT_THERE = frozenset(
    {"RESV_NONE", "RESV_UNCONFIRMED", "RESV_FINISHED", "RESV_DELETED", "RESV_BEING_DELETED"}
)
_FREQUENCIES = {
    "HOURLY": ReservationFlag.HOURLY,
    "DAILY": ReservationFlag.DAILY,
    "WEEKLY": ReservationFlag.WEEKLY,
}
_MAINTENANCE = "M"
"""With it begin the ids of reservations for maintenance."""


def parse_reservations(
    text: str, host_of: Mapping[str, str], cpus: Mapping[str, int]
) -> tuple[tuple[Reservation, ...], tuple[Quarantined, ...]]:
    """Return the reservations that are confirmed. Raises SourceFormatError.

    Hosts by vnode, and CPUs by host. Of standing ones it is the next occurrence that is told.
    """
    if text.strip() and _HEAD not in text:
        raise SourceFormatError(f"{RSTAT}: not a list of reservations: {text.strip()[:40]!r}")
    told = [block for block in _blocks(text) if block.get("reserve_state") not in _NOT_THERE]
    return sorted_out(Fact.RESERVATIONS, told, lambda block: _reservation(block, host_of, cpus))


def _blocks(text: str) -> Iterator[dict[str, str]]:
    for block in text.split(_HEAD)[1:]:
        head, _, rest = block.partition("\n")
        lines = rest.splitlines()
        found = (match for line in lines if (match := _LINE.fullmatch(line.strip())))
        yield {"id": head.strip()} | {match[1]: match[2] for match in found}


def _reservation(
    told: Mapping[str, str], host_of: Mapping[str, str], cpus: Mapping[str, int]
) -> Reservation:
    name = short(told["id"])
    start_at = instant(told.get("reserve_start", ""))
    end_at = instant(told.get("reserve_end", ""))
    if start_at is None or end_at is None:
        raise ValueError(f"reservation {name!r}: its start or its end is not told")
    held: dict[str, int] = {}
    for chunk in vnode_chunks(told.get("resv_nodes", "")):
        for vnode, wants in chunk:
            host = host_of.get(vnode, vnode.partition("[")[0])
            held[host] = held.get(host, 0) + count(wants.get(CPUS, ""))
    whole = all(number >= cpus.get(host, 0) for host, number in held.items())
    return Reservation(
        name=name,
        start_at=start_at,
        end_at=end_at,
        node_names=tuple(held),
        cpus=None if whole else sum(held.values()),
        flags=frozenset(_flags(name, told)),
        users=people(told.get("Authorized_Users", "")),
        groups=people(told.get("Authorized_Groups", "")),
    )


def _flags(name: str, told: Mapping[str, str]) -> Iterator[ReservationFlag]:
    if name.startswith(_MAINTENANCE):
        yield ReservationFlag.MAINTENANCE
        yield ReservationFlag.IGNORE_JOBS
    rule = dict(part.partition("=")[::2] for part in told.get("reserve_rrule", "").split(";"))
    last = told.get("reserve_index", "1") == told.get("reserve_count", "1")
    # Rules of several days or hours have no word of ours: of those the next occurrence counts.
    plain = "," not in told.get("reserve_rrule", "") and rule.get("INTERVAL", "1") == "1"
    if not last and plain and rule.get("FREQ") in _FREQUENCIES:
        yield _FREQUENCIES[rule["FREQ"]]
