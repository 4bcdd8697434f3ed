"""The page of one job: when, how sure, why not sooner, and what it was told before."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from predictor.cli.terminal import plain
from predictor.domain import Outlook
from predictor.service.asking.viewers import Sight
from predictor.service.history import Entry
from predictor.service.published import Published
from predictor.service.rows import Row
from predictor.service.sentences import sentences
from predictor.web.axis import Axis
from predictor.web.frame import Frame
from predictor.web.landing import landing
from predictor.web.page import cells
from predictor.web.priority import priority_bars
from predictor.web.slipchart import slip_chart
from predictor.web.words import limit, local, utc

LONGEST_LIST = 1_000
"""Longer lists of nodes are cut."""


def job_page(current: Published, row: Row, seen: Sight, now: float, frame: Frame) -> str:
    """Return the page as HTML, for who sees so much."""
    return frame.page(
        "job.html",
        current,
        now,
        id=plain(row.spec.id),
        nodelist=plain(row.nodelist, LONGEST_LIST),
        job=cells(row, current, None, now) if row.waits else None,
        facts=list(_facts(row, current, now)),
        why=list(map(plain, _sentences(row, current))),
        priority=priority_bars(row, current.snapshot),
        band=_band(row.outlook, current, now),
        landing=landing(current, row, seen, now, frame),
        history=list(_history(row, current, now)),
        slips=slip_chart(
            _entries(row, current),
            current.snapshot_at,
            lambda at: local(at, current.utc_offset_s, now),
        ),
    )


def _facts(row: Row, current: Published, now: float) -> Iterator[tuple[str, str]]:
    """Yield what the job is, as names and values."""
    spec, offset_s = row.spec, current.utc_offset_s
    yield "Name", plain(spec.name.raw, 200)
    yield "User", plain(spec.user)
    yield "Account", plain(spec.account)
    yield "Partition", plain(row.partition.replace(",", ", "))
    yield "QOS", plain(spec.qos)
    yield "State", row.state
    yield "Nodes", str(spec.request.nodes)
    yield "Limit", limit(spec.request.limit_s)
    yield "Submitted", local(spec.submitted_at, offset_s, now)
    if not row.waits and row.start_at is not None:
        yield "Started", local(row.start_at, offset_s, now)
    if row.ended_at is not None:
        yield "Ended", local(row.ended_at, offset_s, now)
    yield "Place in the queue", "" if row.rank is None else str(row.rank)


def _sentences(row: Row, current: Published) -> tuple[str, ...]:
    if row.explanation is None:
        return (row.detail,) if row.detail else ()
    return sentences(
        row.explanation, row.cause, row.start_at, current.snapshot_at, current.utc_offset_s
    )


def _band(outlook: Outlook | None, current: Published, now: float) -> Mapping[str, Any] | None:
    """Return the window as a picture from now to the end: places in per cent of its width."""
    if outlook is None:
        return None
    axis = Axis(begin_at=current.snapshot_at, end_at=outlook.by_at)
    low, width = axis.span(outlook.low_at, outlook.high_at)
    return {
        "low": low,
        "width": width,
        "likely": axis.place(outlook.likely_at),
        "until": local(outlook.by_at, current.utc_offset_s, now),
        "chances": [
            (f"{level:.0%}", local(at, current.utc_offset_s, now), utc(at))
            for level, at in outlook.quantiles
        ],
    }


def _entries(row: Row, current: Published) -> Sequence[Entry]:
    return current.history.get(row.spec.id, ()) if row.waits else ()


def _history(row: Row, current: Published, now: float) -> Iterator[Mapping[str, str]]:
    for entry in reversed(_entries(row, current)):
        yield {
            "at": local(entry.told_at, current.utc_offset_s, now),
            "likely": local(entry.likely_at, current.utc_offset_s, now),
            "window": _window(entry, current, now),
            "moved_by": plain(entry.moved_by),
        }


def _window(entry: Entry, current: Published, now: float) -> str:
    if entry.low_at is None or entry.high_at is None:
        return ""
    low, high = (local(at, current.utc_offset_s, now) for at in (entry.low_at, entry.high_at))
    return f"{low} - {high}"
