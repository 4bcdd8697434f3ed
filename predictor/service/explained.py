"""A waiting job's explanation as the API tells it, sentences included."""

from collections.abc import Mapping
from typing import Any

from predictor.domain import Awaited, Explanation
from predictor.service.chances import instant
from predictor.service.rows import Row, share
from predictor.service.sentences import sentences


def explanation_body(row: Row, now: int, utc_offset_s: int) -> Mapping[str, Any] | None:
    """Return why the row's job starts no earlier; None if it does not wait or none is known.

    Sentences tell instants as seen from `now`, in the site's time.
    """
    told = row.explanation
    if told is None:
        return None
    return {
        "sentences": list(sentences(told, row.cause, row.start_at, now, utc_offset_s)),
        "nodes": told.nodes,
        "nodes_free": told.nodes_free,
        "nodes_down": told.nodes_down,
        "waits_for": list(map(_awaited, told.waits_for)),
        "waits_for_more": told.waits_for_more,
        "ahead": share(told.ahead_jobs, told.ahead_node_s),
        "let_past": share(told.let_past_jobs, told.let_past_node_s),
        "passes_jobs": told.passes_jobs,
        "limit": told.limit or None,
        "limit_later": told.limit_later,
        "licenses": list(told.licenses),
        "array_limit": told.array_limit,
        "lifted_by": None if told.lifted_by is None else _awaited(told.lifted_by),
        "reservation": _reservation(told),
        "dependencies": list(map(_awaited, told.dependencies)),
        "dependencies_more": told.dependencies_more,
        "any_dependency": told.any_dependency,
        "makes_leave": list(map(_awaited, told.makes_leave)),
        "makes_leave_more": told.makes_leave_more,
        "gives_way": told.gives_way,
        "not_before": instant(told.not_before),
        "planned_start": instant(told.planned_start),
        "uncounted": list(told.uncounted),
        "turn_from": instant(told.turn_from),
    }


def _awaited(one: Awaited) -> Mapping[str, Any]:
    return {
        "job_id": one.job_id or None,
        "user": one.user or None,
        "at": instant(one.at),
        "nodes": one.nodes,
        "waits": one.waits,
        "starts": one.starts,
    }


def _reservation(told: Explanation) -> Mapping[str, Any] | None:
    if told.reservation_from is None:
        return None
    return {
        "name": told.reservation or None,
        "start_at": instant(told.reservation_from),
        "end_at": instant(told.reservation_until),
        "own": told.own_reservation,
    }
