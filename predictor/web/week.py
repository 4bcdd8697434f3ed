"""The week of the partitions, day by day: how long jobs waited, and what backlog there was."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from predictor.cli.terminal import plain
from predictor.domain.counts import counted
from predictor.domain.durations import DAY_S, HOUR_S, duration
from predictor.service.bysize import SHAPES
from predictor.service.hours import BOUNDS_S, Hour, Hours, added, middle_s
from predictor.service.published import Published
from predictor.web.words import local, shade

DAYS = 7
HIGH = 20.0
"""The height of the picture, in its own units."""


def week(current: Published, hours: Hours, least: int, now: float) -> Mapping[str, Any] | None:
    """Return the week as tables; None: nothing is known of it.

    `least`: of fewer jobs no wait is told, for it would be somebody's.
    """
    today = (current.snapshot_at + current.utc_offset_s) // DAY_S
    days = range(today - DAYS + 1, today + 1)
    names = [one.name for one in current.snapshot.partitions]
    told = [
        {
            "name": plain(name),
            "waits": list(_waits(own, days, current.utc_offset_s, least)),
            "backlog": _backlog(own, current, now),
        }
        for name in names
        if (own := {hour: there[name] for hour, there in hours.items() if name in there})
    ]
    told = [one for one in told if one["waits"] or one["backlog"]]
    if not told:
        return None
    titles = [f"{datetime.fromtimestamp(day * DAY_S, UTC):%a %d}" for day in days[:-1]]
    return {"days": [*titles, "today"], "partitions": told}


def _waits(
    own: Mapping[int, Hour], days: Sequence[int], utc_offset_s: int, least: int
) -> Iterator[Mapping[str, Any]]:
    """Yield a row for each shape of which enough jobs started on some day."""
    for shape in SHAPES:
        cells = [
            _cell(
                [
                    one
                    for hour, one in own.items()
                    if (hour * HOUR_S + utc_offset_s) // DAY_S == day
                ],
                shape,
                least,
            )
            for day in days
        ]
        if any(cell["text"] for cell in cells):
            yield {"shape": shape, "cells": cells}


def _cell(own: Sequence[Hour], shape: str, least: int) -> Mapping[str, Any]:
    counts = added(one.waits[shape] for one in own if shape in one.waits)
    middle, jobs = middle_s(counts), sum(counts)
    if middle is None or jobs < least:
        return {"text": "", "shade": "none", "jobs": ""}
    beyond = "over " if middle == BOUNDS_S[-1] else ""
    return {
        "text": beyond + duration(middle),
        "shade": shade(middle),
        "jobs": counted(jobs, "job"),
    }


def _backlog(own: Mapping[int, Hour], current: Published, now: float) -> Mapping[str, str] | None:
    """Return what waited as a line from a week ago to now; None: nothing was told."""
    told = {
        hour: one.backlog_node_s / HOUR_S
        for hour, one in sorted(own.items())
        if one.backlog_node_s is not None
    }
    if len(told) < 2:
        return None
    end = current.snapshot_at // HOUR_S
    begin, most = end - DAYS * 24, max(told.values())
    points = (
        f"{100 * max(0, hour - begin) / (end - begin):.2f},{HIGH - HIGH * nh / (most or 1):.2f}"
        for hour, nh in told.items()
    )
    peak = max(told, key=lambda hour: told[hour])
    return {
        "line": " ".join(points),
        "now": f"{told[max(told)]:,.0f}",
        "most": f"{most:,.0f}",
        "when": local(peak * HOUR_S, current.utc_offset_s, now),
    }
