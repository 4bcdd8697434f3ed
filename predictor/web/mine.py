"""The page of one's own jobs: when they start on one time axis, how sure, why, and what moved."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta, timezone
from itertools import islice
from typing import Any

from predictor.cli.terminal import plain
from predictor.cli.timeformat import short_time
from predictor.domain import RunningJob
from predictor.domain.durations import duration
from predictor.service.asking.viewers import Sight
from predictor.service.history import Entry
from predictor.service.jobids import base_of
from predictor.service.published import Published, Query
from predictor.service.rows import Row
from predictor.service.schedule import ends_by
from predictor.web.axis import Axis
from predictor.web.frame import Frame
from predictor.web.page import LONGEST_NAME, MOST_ROWS, cells, deadline_of
from predictor.web.words import local, utc


def mine_page(
    current: Published | None, by_text: str, seen: Sight, now: float, frame: Frame
) -> str:
    """Return the page as HTML, for the viewer of the frame."""
    if current is None:
        return frame.page("mine.html", None, now)
    name = frame.viewer.name
    by = deadline_of(by_text, current.utc_offset_s, now)
    waiting = _rows(current, name, seen) if name else []
    running = _ends(current, name, seen) if name else []
    axis = _axis(current, waiting, [end_at for _, end_at in running])
    zone = timezone(timedelta(seconds=current.utc_offset_s))
    return frame.page(
        "mine.html",
        current,
        now,
        by_text=plain(by_text, LONGEST_NAME),
        by="" if by is None else local(by, current.utc_offset_s, now),
        labels=axis.labels(short_time(now, zone)),
        windows=any(row.outlook is not None for row in waiting),
        waiting=[_waiting(row, current, axis, by, now) for row in waiting],
        running=list(_running(running, current, axis, now)),
    )


def _rows(current: Published, name: str, seen: Sight) -> list[Row]:
    query = Query(users=frozenset({name}), sight=seen)
    return [row for _, row in islice(current.select(query), MOST_ROWS)]


def _ends(current: Published, name: str, seen: Sight) -> list[tuple[RunningJob, int]]:
    """Return the jobs that run, each with when it ends at the latest."""
    partitions = {one.name: one for one in current.snapshot.partitions}
    own = (
        job for job in current.snapshot.running if job.spec.user == name and seen.shows(job.spec)
    )
    return [(job, ends_by(job, partitions)) for job in islice(own, MOST_ROWS)]


def _axis(current: Published, waiting: Iterable[Row], ends: Sequence[int]) -> Axis:
    """Return the axis of all bands: it reaches the last likely promise, or else the last end."""
    begin = current.snapshot_at
    told = [row.outlook.by_at if row.outlook else row.start_at or begin for row in waiting]
    return Axis.quarters(begin, max(told, default=max(ends, default=begin)))


def _waiting(
    row: Row, current: Published, axis: Axis, by: int | None, now: float
) -> Mapping[str, Any]:
    entries = current.history.get(row.spec.id, ())
    return {
        **cells(row, current, by, now),
        "band": _band(row, axis),
        "trend": trend(entries, current.utc_offset_s, now),
    }


def _band(row: Row, axis: Axis) -> Mapping[str, float] | None:
    """Return where the window and the likely start stand; None: nothing is told of a start."""
    if row.start_at is None:
        return None
    sure = row.outlook
    low, high = (row.start_at, row.start_at) if sure is None else (sure.low_at, sure.high_at)
    left, width = axis.span(low, high)
    return {"low": left, "width": width, "likely": axis.place(row.start_at)}


def trend(entries: Sequence[Entry], utc_offset_s: int, now: float) -> Mapping[str, str] | None:
    """Return how the likely start moved at last, and what moved it; None: it never did."""
    if len(entries) < 2:
        return None
    before, last = entries[-2:]
    moved_s = last.likely_at - before.likely_at
    return {
        "arrow": "↓" if moved_s > 0 else "↑",
        "text": f"{duration(abs(moved_s))} {'later' if moved_s > 0 else 'sooner'}",
        "since": local(last.told_at, utc_offset_s, now),
        "why": plain(last.moved_by),
    }


def _running(
    found: Iterable[tuple[RunningJob, int]], current: Published, axis: Axis, now: float
) -> Iterator[Mapping[str, Any]]:
    """Yield the jobs that run, the tasks of an array as one."""
    together: dict[str, list[tuple[RunningJob, int]]] = {}
    for job, end_at in found:
        together.setdefault(base_of(job.spec), []).append((job, end_at))

    def told(at: int) -> str:
        return local(at, current.utc_offset_s, now)

    for base, tasks in together.items():
        spec = tasks[0][0].spec
        ends = sorted(end_at for _, end_at in tasks)
        yield {
            "id": plain(spec.id if len(tasks) == 1 else base, LONGEST_NAME),
            "link": plain(spec.id, LONGEST_NAME),
            "tasks": len(tasks),
            "name": plain(spec.name.raw, LONGEST_NAME),
            "partition": plain(", ".join(spec.partitions)),
            "nodes": sum(job.spec.request.nodes for job, _ in tasks),
            "since": told(min(job.started_at for job, _ in tasks)),
            "end": told(ends[-1]),
            "end_utc": utc(ends[-1]),
            "first_end": "" if ends[0] == ends[-1] else told(ends[0]),
            "width": axis.place(ends[-1]),
            "beyond": ends[-1] > axis.end_at,
        }
