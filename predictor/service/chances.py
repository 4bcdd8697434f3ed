"""How sure an answer is, as the API tells it: window, chance by a deadline, quality of late."""

import json
from collections.abc import Mapping
from typing import Any

from predictor.domain import Lately, Outlook
from predictor.domain.instants import rfc3339

NO_DEADLINE = b', "deadline": null}'
"""How an encoded row ends as long as nobody asks for a deadline."""


def outlook_body(outlook: Outlook | None) -> Mapping[str, Any]:
    """Return the fields of a job's body that tell how sure its start is; all null for None."""
    lately = None if outlook is None else outlook.lately
    return {
        "p10": None if outlook is None else instant(outlook.low_at),
        "p50": None if outlook is None else instant(outlook.likely_at),
        "p90": None if outlook is None else instant(outlook.high_at),
        "by95": None if outlook is None else instant(outlook.by_at),
        "basis": None if outlook is None else outlook.basis or None,
        "quality": None if lately is None else lately_body(lately),
    }


def lately_body(lately: Lately) -> Mapping[str, Any]:
    """Return how good answers to jobs of one kind were of late."""
    return {
        "like": lately.like,
        "jobs": lately.jobs,
        "since": instant(lately.since_at),
        "typical_error_s": lately.typical_error_s,
        "coverage80": round(lately.held80, 3),
    }


def with_deadline(encoded: bytes, outlook: Outlook | None, by: int | None) -> bytes:
    """Return an encoded row with the chance that its job starts by then. None: nobody asked."""
    told = deadline_body(outlook, by)
    if told is None:
        return encoded
    return encoded.removesuffix(NO_DEADLINE) + f', "deadline": {json.dumps(told)}}}'.encode()


def deadline_body(outlook: Outlook | None, by: int | None) -> Mapping[str, Any] | None:
    """Return the chance of a start by then; None: nobody asked, or nothing can be told."""
    if by is None or outlook is None:
        return None
    return {"by": rfc3339(by), "probability": round(outlook.chance_by(by), 3)}


def instant(at: int | None) -> str | None:
    """Return an instant in RFC 3339; None for none, and for one outside of the calendar."""
    try:
        return None if at is None else rfc3339(at)
    except (ValueError, OverflowError, OSError):  # one absurd instant must not cost all answers
        return None
