"""Where a waiting job lands: the nodes foreseen for it, and who is on them until it starts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta, timezone
from typing import Any

from predictor import hostlists
from predictor.cli.terminal import plain
from predictor.cli.timeformat import short_time, window
from predictor.domain import Prediction
from predictor.domain.durations import HOUR_S
from predictor.service.asking.viewers import Sight
from predictor.service.published import Published
from predictor.service.rows import Row
from predictor.service.schedule import (
    NODES,
    RESERVATIONS,
    Bar,
    bars_before,
    private_to,
    set_apart,
)
from predictor.service.schedule import Frame as Part
from predictor.web.axis import Axis
from predictor.web.frame import Frame
from predictor.web.words import local

MOST_ROWS = 12
MOST_NAMED = 4
"""So many of those on the same nodes are named."""
MOST_TRACKS = 4
"""So many at a time are drawn one below the other, where nodes are shared."""
HIGH, TAIL_HIGH, GAP = 12.0, 1.6, 0.5
"""The height of a row, of the line up to a limit, and what is left free above and below."""
LONGEST = 60
DIFFERENT_S = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Stay:
    """A while on nodes. Instants are UTC epoch seconds."""

    kind: str
    """`own`, `runs`, `waits` or `apart`: how it is drawn."""
    start_at: int
    end_at: int
    """When it is expected to be over, as far as that matters here."""
    nodes: tuple[str, ...]
    limit_at: int | None = None
    """Up to when it may last; None: that is known."""
    expected: bool = False
    """Whether its end was told, and not its limit alone."""
    job_id: str = ""
    """Empty: no job, or one that is not shown."""
    user: str = ""


def landing(
    current: Published, row: Row, seen: Sight, now: float, frame: Frame
) -> Mapping[str, Any] | None:
    """Return the picture, for who sees so much; None: it does not wait, or no nodes are foreseen.

    Linear in the jobs. What is not seen is somebody's, without a name; where nodes are private,
    too, it is left out.
    """
    own = _prediction(current, row)
    if own is None or not own.node_names:
        return None
    private = private_to(frame.viewer, current)
    stays = [
        *_jobs(current, own, row, seen, hide=NODES in private),
        *(() if RESERVATIONS in private else _apart(current, own)),
    ]
    axis = _axis(current.snapshot_at, own)
    zone = timezone(timedelta(seconds=current.utc_offset_s))

    def told(at: int) -> str:
        return local(at, current.utc_offset_s, now)

    groups = _groups(stays, own.node_names)
    differs = abs(own.start_at - own.likely_at) >= DIFFERENT_S
    return {
        "nodes": len(own.node_names),
        "labels": axis.labels(short_time(now, zone)),
        "rows": [_row(names, there, own, axis, told) for names, there in groups[:MOST_ROWS]],
        "more": sum(len(names) for names, _ in groups[MOST_ROWS:]),
        "course": told(own.start_at) if differs else "",
        "hidden": NODES in private and not seen.all,
    }


def _prediction(current: Published, row: Row) -> Prediction | None:
    if not row.waits or row.start_at is None:
        return None
    told = current.forecast.predictions
    return next((one for one in told if one.job_id == row.spec.id), None)


def _axis(now: int, own: Prediction) -> Axis:
    """Return the axis: it shows the wait, and of the run as much again, or an hour."""
    shown_s = max(own.start_at - now, HOUR_S)
    return Axis.quarters(now, max(min(own.end_at, own.start_at + shown_s), now + 1))


def _jobs(
    current: Published, own: Prediction, row: Row, seen: Sight, *, hide: bool
) -> Iterator[Stay]:
    waited_for = row.explanation.waits_for if row.explanation else ()
    ends = {one.job_id: one.at for one in waited_for if one.job_id and not one.waits}
    for bar in bars_before(current, own):
        shown = seen.shows(bar.spec)
        if shown or not hide:
            yield _stay(bar, own, ends.get(bar.spec.id), shown=shown)


def _stay(bar: Bar, own: Prediction, ends_at: int | None, *, shown: bool) -> Stay:
    # Of who is not waited for, it is only known that it may stay up to its limit.
    until = bar.end_at if bar.waits else min(bar.end_at, ends_at or own.start_at)
    return Stay(
        kind="waits" if bar.waits else "runs",
        start_at=bar.start_at,
        end_at=until,
        nodes=bar.nodes,
        limit_at=None if bar.waits else bar.end_at,
        expected=ends_at is not None and ends_at < bar.end_at,
        job_id=plain(bar.spec.id, LONGEST) if shown else "",
        user=plain(bar.spec.user, LONGEST) if shown else "",
    )


def _apart(current: Published, own: Prediction) -> Iterator[Stay]:
    part = Part(until=own.end_at, nodes=frozenset(own.node_names))
    for one, start_at, end_at in set_apart(current, part):
        yield Stay(
            kind="apart",
            start_at=start_at,
            end_at=end_at,
            nodes=one.node_names,
            user=plain(one.name, LONGEST),
        )


def _groups(
    stays: Sequence[Stay], names: Sequence[str]
) -> list[tuple[list[str], tuple[Stay, ...]]]:
    """Return the nodes on which the same are, together; those that are free last come first."""
    there: dict[str, list[int]] = {name: [] for name in names}
    for place, stay in enumerate(stays):
        for name in set(stay.nodes).intersection(there):
            there[name].append(place)
    together: dict[tuple[int, ...], list[str]] = {}
    for name, places in there.items():
        together.setdefault(tuple(places), []).append(name)
    found = [(own, tuple(stays[each] for each in places)) for places, own in together.items()]
    return sorted(found, key=lambda group: -max((one.end_at for one in group[1]), default=0))


def _row(
    names: Sequence[str],
    there: Sequence[Stay],
    own: Prediction,
    axis: Axis,
    told: Callable[[int], str],
) -> Mapping[str, Any]:
    mine = Stay(kind="own", start_at=own.start_at, end_at=own.end_at, nodes=())
    in_order = sorted(there, key=lambda one: (one.start_at, one.end_at))
    return {
        "nodes": plain(hostlists.folded(names), LONGEST),
        "count": len(names),
        "bars": list(_drawn([*in_order, mine], axis)),
        "who": [_named(one, told) for one in in_order[:MOST_NAMED]],
        "more": max(0, len(in_order) - MOST_NAMED),
    }


def _drawn(stays: Sequence[Stay], axis: Axis) -> Iterator[Mapping[str, Any]]:
    """Yield what is to be drawn, those of the same time one below the other."""
    free_at: list[int] = []
    tracks = []
    for one in stays:
        free = (n for n, at in enumerate(free_at) if at <= one.start_at)
        track = next(free, min(len(free_at), MOST_TRACKS - 1))
        free_at[track:] = [one.end_at, *free_at[track + 1 :]]
        tracks.append(track)
    high = HIGH / len(free_at)
    placed = [(one, track * high + GAP) for one, track in zip(stays, tracks, strict=True)]
    for one, top in placed:
        yield _drawn_as(one.kind, axis.span(one.start_at, one.end_at), top, high - 2 * GAP)
    for one, top in placed:
        if one.limit_at is not None and one.limit_at > one.end_at:
            yield _drawn_as("tail", axis.span(one.end_at, one.limit_at), top, TAIL_HIGH)


def _drawn_as(
    kind: str, span: tuple[float, float], top: float, high: float
) -> Mapping[str, str | float]:
    x, width = span
    return {"kind": kind, "x": x, "width": width, "y": round(top, 2), "height": round(high, 2)}


def _named(one: Stay, told: Callable[[int], str]) -> Mapping[str, str]:
    return {"kind": one.kind, "id": one.job_id, "user": one.user, "when": _when(one, told)}


def _when(one: Stay, told: Callable[[int], str]) -> str:
    if one.limit_at is None:
        return window(told(one.start_at), told(one.end_at))
    limit = f"{told(one.limit_at)} at the latest"
    return f"until about {told(one.end_at)}, {limit}" if one.expected else limit
