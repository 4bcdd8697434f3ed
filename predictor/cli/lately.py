"""How good similar answers were of late, in one line for a whole table."""

from collections.abc import Iterable, Mapping
from typing import Any

from predictor.cli.timeformat import duration


def lately(jobs: Iterable[Mapping[str, Any]]) -> str:
    """Return the line about answers like those to these jobs; empty if nothing is known.

    Each kind of answer counts once, by how many were judged: the typical error is the one up to
    which half of them lie.
    """
    known = {job["quality"]["like"]: job["quality"] for job in jobs if job["quality"] is not None}
    if not any(one["jobs"] for one in known.values()):
        return ""
    judged = sum(one["jobs"] for one in known.values())
    held = sum(one["jobs"] * one["coverage80"] for one in known.values()) / judged
    error = duration(_typical(known.values(), judged))
    return f"Of late, similar answers: typical error {error}; 80% windows held {held:.0%}."


def _typical(known: Iterable[Mapping[str, Any]], judged: int) -> int:
    """Return the error of the kind in which the middle of all that were judged lies."""
    counted = 0
    for one in sorted(known, key=lambda one: one["typical_error_s"]):
        counted += one["jobs"]
        if 2 * counted >= judged:
            return int(one["typical_error_s"])
    return 0
