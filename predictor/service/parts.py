"""The parts of a cluster in numbers: partitions, what waits for them, reservations, accuracy."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from predictor import hostlists
from predictor.domain import Lately, Partition
from predictor.domain.durations import HOUR_S
from predictor.service.alarms import alarm_body, recent
from predictor.service.answering import quality_body
from predictor.service.asking.viewers import Sight
from predictor.service.chances import instant, lately_body
from predictor.service.demanded import FEWEST, node_s, tasks_of
from predictor.service.published import RUNNING, Published, phase
from predictor.service.rows import PENDING, Row, limit_body


def partitions_body(current: Published) -> Iterator[Mapping[str, Any]]:
    """Yield the partitions in the batch system's order."""
    for one in current.snapshot.partitions:
        yield {
            "name": one.name,
            "state": one.state.value,
            "default": one.is_default,
            "tier": one.tier,
            "nodes": len(one.node_names),
            "max_time_s": limit_body(one.max_time_s),
            "default_time_s": limit_body(one.default_time_s),
            "min_nodes": one.min_nodes,
            "max_nodes": limit_body(one.max_nodes),
        }


def backlog_body(current: Published, seen: Sight) -> Iterator[Mapping[str, Any]]:
    """Yield what waits, by partition. Linear in the jobs."""
    partitions = {one.name: one for one in current.snapshot.partitions}
    found: dict[str, list[Row]] = {name: [] for name in partitions}
    for row in current.rows:
        found.setdefault(row.partition, []).append(row)
    for name, there in sorted(found.items()):
        yield _waiting(name, there, partitions.get(name), seen)


def _waiting(
    name: str, there: Iterable[Row], partition: Partition | None, seen: Sight
) -> Mapping[str, Any]:
    phases = [(row, phase(row)) for row in there]
    waits = [row for row, state in phases if state == PENDING]
    hidden = sum(not seen.shows(row.spec) for row in waits)
    told = hidden == 0 or hidden >= FEWEST
    asked_s = sum(node_s(row.spec, partition) for row in waits)
    starts = [row.last_start_at or row.start_at for row in waits]
    last = max((at for at in starts if at is not None), default=None)
    return {
        "partition": name,
        "pending_jobs": len(waits),
        "pending_tasks": sum(tasks_of(row.spec) for row in waits),
        "running_jobs": sum(state == RUNNING for _, state in phases),
        "pending_node_hours": round(asked_s / HOUR_S, 1) if told else None,
        "unpredicted_jobs": sum(row.unpredicted for row in waits),
        "last_start": instant(last) if told else None,
    }


def reservations_body(current: Published) -> Iterator[Mapping[str, Any]]:
    """Yield the reservations, the earliest first; for whom they are is not told."""
    for one in sorted(current.snapshot.reservations, key=lambda one: (one.start_at, one.name)):
        yield {
            "name": one.name,
            "start_at": instant(one.start_at),
            "end_at": instant(one.end_at),
            "nodes": hostlists.folded(one.node_names),
            "partition": one.partition or None,
            "flags": sorted(flag.value for flag in one.flags),
        }


def accuracy_body(current: Published) -> Mapping[str, Any]:
    """Return how good answers were of late, with the classes of jobs in order of their names."""
    classes: dict[str, Lately] = {}
    for row in current.rows:
        if row.outlook is not None and row.outlook.lately is not None:
            classes[row.outlook.lately.like] = row.outlook.lately
    return {
        "quality": quality_body(current.lately),
        "classes": [lately_body(classes[like]) for like in sorted(classes)],
        "alarms": [alarm_body(alarm) for alarm in recent(current.alarms, current.snapshot_at)],
    }
