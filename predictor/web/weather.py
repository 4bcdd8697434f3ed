"""The page for everybody: how busy each partition is and how long its jobs wait; no single jobs."""

from collections.abc import Iterator, Mapping
from statistics import median_low
from typing import Any

from predictor.cli.terminal import plain
from predictor.domain import Partition, ReservationFlag
from predictor.domain.durations import DAY_S, HOUR_S, duration
from predictor.scheduling.closures import occurrences
from predictor.service.bysize import LONG_S, MEDIUM_SHARE, SHAPES, shape_of
from predictor.service.hours import Hours
from predictor.service.probes import Probe, Probes
from predictor.service.published import RUNNING, Published
from predictor.service.rows import PENDING
from predictor.web.frame import Frame
from predictor.web.week import week
from predictor.web.words import local, relative, shade, utc

LEAST_JOBS = 5
"""Of fewer jobs no wait is told, for it would be somebody's."""
AHEAD_S = 60 * DAY_S
MOST_PARTITIONS = 200
RESERVATIONS = "reservations"
AT_ONCE_S = 60


def weather_page(
    current: Published | None, probes: Probes, hours: Hours, now: float, frame: Frame
) -> str:
    """Return the page as HTML; it is the same for everybody."""
    if current is None:
        return frame.page("weather.html", None, now)
    return frame.page(
        "weather.html",
        current,
        now,
        shapes=SHAPES,
        long=duration(LONG_S),
        share=f"{MEDIUM_SHARE:.0%}",
        least=LEAST_JOBS,
        partitions=list(_partitions(current, now)),
        probed=list(_probed(current, probes)),
        week=week(current, hours, LEAST_JOBS, now),
        private=RESERVATIONS in current.snapshot.provenance.private,
    )


def _partitions(current: Published, now: float) -> Iterator[Mapping[str, Any]]:
    waits = median_waits(current)
    for one in current.snapshot.partitions[:MOST_PARTITIONS]:
        backlog_s = current.backlog.get(one.name, 0)
        yield {
            "name": plain(one.name),
            "waiting": current.counts.get((one.name, PENDING), 0),
            "running": current.counts.get((one.name, RUNNING), 0),
            "nodes": f"{len(one.node_names):,}",
            "backlog": f"{backlog_s / HOUR_S:,.0f}",
            "work": duration(backlog_s // max(len(one.node_names), 1)) if backlog_s else "",
            "waits": [_told(waits.get((one.name, shape))) for shape in SHAPES],
            "maintenance": _maintenance(one, current, now),
        }


def _probed(current: Published, probes: Probes) -> Iterator[Mapping[str, Any]]:
    """Yield what a new job of each shape would wait, of the partitions that were probed."""
    for one in current.snapshot.partitions[:MOST_PARTITIONS]:
        there = [probes.get((one.name, shape)) for shape in SHAPES]
        if any(there):
            yield {"name": plain(one.name), "waits": [_wait(each, current) for each in there]}


def _wait(told: Probe | None, current: Published) -> Mapping[str, str] | None:
    if told is None:
        return None
    half, most = ("at once" if s < AT_ONCE_S else duration(s) for s in (told.half_s, told.most_s))
    return {
        "half": half,
        "most": most,
        "shade": shade(told.half_s),
        "ago": duration(max(0, current.snapshot_at - told.at)),
    }


def _told(wait_s: int | None) -> str:
    return "" if wait_s is None else duration(wait_s)


def median_waits(current: Published) -> Mapping[tuple[str, str], int]:
    """Return for how many more seconds half of the waiting jobs wait, by partition and shape.

    As answers stand now; without those of which there are fewer than LEAST_JOBS.
    """
    partitions = {one.name: one for one in current.snapshot.partitions}
    found: dict[tuple[str, str], list[int]] = {}
    for row in current.rows:
        if row.waits and row.start_at is not None and row.partition in partitions:
            key = (row.partition, shape_of(row.spec, partitions[row.partition]))
            found.setdefault(key, []).append(max(0, row.start_at - current.snapshot_at))
    return {key: median_low(waits) for key, waits in found.items() if len(waits) >= LEAST_JOBS}


def _maintenance(partition: Partition, current: Published, now: float) -> Mapping[str, str] | None:
    """Return the next maintenance of some of the nodes; None: none is known, or it is private."""
    snapshot = current.snapshot
    if RESERVATIONS in snapshot.provenance.private:
        return None
    seen_at, members = current.snapshot_at, frozenset(partition.node_names)
    coming = [
        (start_at, start_at + one.end_at - one.start_at, len(members.intersection(one.node_names)))
        for one in snapshot.reservations
        if ReservationFlag.MAINTENANCE in one.flags and not members.isdisjoint(one.node_names)
        for start_at in occurrences(one, seen_at, AHEAD_S, snapshot.utc_offset_s)
    ]
    if not coming:
        return None
    start_at, end_at, nodes = min(coming)
    begun = start_at <= seen_at
    return {
        "when": "now" if begun else local(start_at, current.utc_offset_s, now),
        "utc": utc(start_at),
        "relative": "" if begun else relative(start_at, now),
        "until": local(end_at, current.utc_offset_s, now),
        "nodes": _share(nodes, members),
    }


def _share(nodes: int, members: frozenset[str]) -> str:
    return "all nodes" if nodes == len(members) else f"{nodes} of {len(members)} nodes"
