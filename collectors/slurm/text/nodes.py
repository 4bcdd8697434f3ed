"""Nodes, out of `scontrol -o show node`."""

from collections.abc import Mapping
from functools import lru_cache, partial

from collectors.slurm.text.records import Record, needed, records
from collectors.slurm.words import states, units
from collectors.slurm.words.quarantine import sorted_out
from predictor.domain import Fact, Node, Quarantined

_LAST = ("Reason", "Comment", "Extra", "InstanceId", "InstanceType", "ReservationName")
FREE_TEXT: Mapping[str, tuple[str, ...]] = {
    "OS": ("RealMemory",),
    **{key: tuple(other for other in _LAST if other != key) for key in _LAST[:-1]},
}

Nodes = tuple[tuple[Node, ...], tuple[Quarantined, ...]]


@lru_cache(maxsize=4)
def parse_nodes(text: str, offset_s: int = 0) -> Nodes:
    """Return the nodes of `scontrol -o show node`, in Slurm's own order.

    `offset_s` is how far the clock that wrote it was ahead of UTC.
    """
    found = records(text, "NodeName", FREE_TEXT)
    return sorted_out(Fact.NODES, found, partial(_from_text, offset_s))


def _from_text(offset_s: int, record: Record) -> Node:
    name = needed(record, "NodeName")
    words = [word.rstrip("*~#!%$@^-") for word in needed(record, "State").split("+")]
    sockets = max(1, units.count(record.get("Sockets", "")))
    return Node(
        name=name,
        cpus=units.count(record.get("CPUEfctv", "") or needed(record, "CPUTot")),
        memory_mb=units.count(needed(record, "RealMemory"))
        - units.count(record.get("MemSpecLimit", "")),
        state=states.node_state(words),
        flags=states.node_flags(words, record.get("NextState", "").split("+")),
        cpus_per_core=units.cpus_of_core(
            units.count(needed(record, "CPUTot")),
            sockets * units.count(record.get("CoresPerSocket", "")),
            units.count(record.get("ThreadsPerCore", "")),
        ),
        sockets=sockets,
        tmp_disk_mb=units.count(record.get("TmpDisk", "")),
        gres=units.gres(record.get("Gres", "")),
        features=units.listed(record.get("AvailableFeatures", "")),
        weight=units.count(record.get("Weight", "1")),
        cpus_allocated=units.count(record.get("CPUAlloc", "")),
        memory_allocated_mb=units.count(record.get("AllocMem", "")),
        owner=units.said(record.get("Owner", "")).partition("(")[0],
        reason=_reason(units.said(record.get("Reason", ""))),
        boot_at=units.instant(record.get("BootTime", ""), offset_s),
        idle_since=units.instant(record.get("LastBusyTime", ""), offset_s),
    )


def _reason(text: str) -> str:
    """Return the reason without who gave it, and when: `broken [root@2026-11-20T01:02:03]`."""
    reason, bracket, who = text.rpartition("[")
    signed = bracket and "@" in who and who.endswith("]")
    return reason.rstrip() if signed else text
