"""Another program's nodes, partitions, classes and reservations."""

import re
from collections.abc import Mapping, Sequence

from predictor.domain import (
    Limit,
    Limits,
    Node,
    NodeState,
    Partition,
    Qos,
    QosFlag,
    Reservation,
    ReservationFlag,
)
from predictor.domain.durations import HOUR_S
from predictor.lml.foreign.instant import Instants
from predictor.lml.foreign.nodewords import state_and_flags
from predictor.lml.foreign.texts import names, told, whole
from predictor.lml.records import Record

DAY_H = 24
"""LLview loses hours of longer class limits, so that those say nothing."""

_CLASS = re.compile(r"\[([^\[\]:]+):[0-9]+\]")
_FLAGS = {flag.value.replace("_", ""): flag for flag in ReservationFlag} | {
    "maint": ReservationFlag.MAINTENANCE
}
_QOS_FLAGS: Mapping[str, QosFlag] = {
    "NoDecay": QosFlag.NO_DECAY,
    "NoReserve": QosFlag.UNRESERVED,
    "OverPartQOS": QosFlag.OVER_PARTITION,
    "PartitionMaxNodes": QosFlag.ABOVE_MAX_NODES,
    "PartitionMinNodes": QosFlag.BELOW_MIN_NODES,
    "PartitionTimeLimit": QosFlag.ABOVE_MAX_TIME,
    "UsageFactorSafe": QosFlag.FACTOR_ASKED,
}
"""The flags of a class: LLview passes on sacctmgr's words."""


def node_of(record: Record, used: Mapping[str, int]) -> Node:
    """Return the node; `used` are the CPUs that jobs hold, by node. Raises ValueError."""
    texts = record.texts
    name = told(texts, "id") or record.name
    cpus = whole(texts, "ncores")
    if not name or cpus is None or cpus < 1:
        raise ValueError("it lacks a name or ncores")
    state, flags = state_and_flags(told(texts, "state"))
    if state is NodeState.MIXED and used.get(name, 0) >= cpus:
        state = NodeState.ALLOCATED
    gpus = whole(texts, "gpus")
    return Node(
        name=name,
        cpus=cpus,
        memory_mb=whole(texts, "physmem") or 0,
        state=state,
        flags=flags,
        gres=(("gpu", gpus),) if gpus else (),
        features=names(told(texts, "features")),
        cpus_allocated=used.get(name, 0),
        memory_allocated_mb=whole(texts, "allocmem") or 0,
        reason=told(texts, "reason"),
    )


def widest_of(found: Sequence[Record]) -> int:
    """Return the most CPUs that any node has; 0 if none tells."""
    cores = (told(record.texts, "ncores") for record in found if record.type == "node")
    return max((int(text) for text in cores if text.isdecimal() and len(text) < 10), default=0)


def partitions_of(
    found: Sequence[Record], nodes: Sequence[Node], queues: Sequence[str]
) -> tuple[Partition, ...]:
    """Return the partitions that nodes' classes and jobs' `queues` speak of.

    One that only jobs name has all nodes: the document does not say which.
    """
    everywhere = tuple(node.name for node in nodes)
    members = _members(found, set(everywhere))
    walls = {told(r.texts, "name") or r.name: r for r in found if r.type == "class"}
    return tuple(
        Partition(
            name=name,
            node_names=tuple(members.get(name, everywhere)),
            max_time_s=_max_time_s(walls[name]) if name in walls else None,
        )
        for name in dict.fromkeys((*members, *queues))
    )


def _members(found: Sequence[Record], known: set[str]) -> dict[str, list[str]]:
    members: dict[str, list[str]] = {}
    for record in found:
        name = told(record.texts, "id") or record.name
        if record.type == "node" and name in known:
            for partition in dict.fromkeys(_CLASS.findall(told(record.texts, "classes"))):
                members.setdefault(partition, []).append(name)
    return members


def _max_time_s(record: Record) -> Limit:
    try:
        hours = float(told(record.texts, "max_wall"))
    except ValueError:
        return None
    return round(hours * HOUR_S) if 0 < hours <= DAY_H else None


def qos_of(record: Record) -> Qos:
    """Return the quality of service that LLview calls a class. Raises ValueError."""
    texts = record.texts
    factor = float(told(texts, "UsageFactor") or 1)
    if not 0 <= factor < float("inf"):
        raise ValueError(f"UsageFactor: {factor} is no factor")
    return Qos(
        name=told(texts, "name") or record.name,
        priority=whole(texts, "Priority") or 0,
        usage_factor=factor,
        flags=frozenset(
            _QOS_FLAGS[word] for word in names(told(texts, "Flags")) if word in _QOS_FLAGS
        ),
        limits=Limits(
            max_jobs=whole(texts, "max_jobs_pu"),
            max_submit=whole(texts, "max_submit_pu"),
            max_jobs_per_account=whole(texts, "max_jobs_pa"),
            max_submit_per_account=whole(texts, "max_submit_pa"),
        ),
    )


def reservation_of(record: Record, instants: Instants) -> Reservation:
    """Return the advance reservation. Raises ValueError."""
    texts = record.texts
    start_at, end_at = instants.at(texts, "starttime"), instants.at(texts, "endtime")
    if start_at is None or end_at is None:
        raise ValueError("its start or its end is not told")
    words = (word.lower().replace("_", "") for word in names(told(texts, "flags")))
    return Reservation(
        name=told(texts, "resid") or record.name,
        start_at=start_at,
        end_at=end_at,
        node_names=names(told(texts, "nodelist")),
        users=names(told(texts, "userlist")),
        accounts=names(told(texts, "accounts")),
        flags=frozenset(_FLAGS[word] for word in words if word in _FLAGS),
    )
