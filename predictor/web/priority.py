"""Of what a waiting job's priority is the sum, as bars."""

from collections.abc import Mapping
from typing import Any

from predictor.domain import PendingJob, PriorityFactors, Snapshot
from predictor.service.rows import Row

PARTS = {
    "age": "age",
    "association": "association",
    "fairshare": "fair share",
    "job_size": "size",
    "partition_points": "partition",
    "qos": "QOS",
    "site": "the site's own",
}


def priority_bars(row: Row, snapshot: Snapshot) -> Mapping[str, Any] | None:
    """Return the sum and its parts, each with the width of its bar in per cent of the largest.

    None: it does not wait, or the batch system does not tell.
    """
    told = _factors(row, snapshot) if row.waits else None
    if told is None:
        return None
    points = _points(told)
    largest = max((abs(one) for one in points.values()), default=0)
    return {
        "sum": f"{told.priority:,}",
        "parts": [
            {
                "name": name,
                "points": f"{one:,}",
                "width": round(100 * abs(one) / largest, 1) if largest else 0,
                "less": one < 0,
            }
            for name, one in points.items()
        ],
    }


def _factors(row: Row, snapshot: Snapshot) -> PriorityFactors | None:
    """Return those in the partition where it starts; else the highest."""
    job = next((one for one in snapshot.pending if one.spec.id == row.spec.id), None)
    known = [one for one in _told(job) if _points(one)]
    here = [one for one in known if one.partition == row.partition]
    return max(here or known, key=lambda one: one.priority, default=None)


def _told(job: PendingJob | None) -> tuple[PriorityFactors, ...]:
    return () if job is None else job.priorities


def _points(told: PriorityFactors) -> Mapping[str, int]:
    """Return the parts that count, by name, the largest first; what its user gave up is less."""
    parts = {name: getattr(told, field) or 0 for field, name in PARTS.items()}
    parts |= {f"{name} asked for": points for name, points in told.tres}
    parts["nice"] = -(told.nice or 0)
    return {name: one for name, one in sorted(parts.items(), key=lambda p: -abs(p[1])) if one}
