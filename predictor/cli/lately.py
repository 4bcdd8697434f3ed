"""How good similar answers were of late, for many of them together."""

from collections.abc import Iterable, Mapping

from predictor.domain.durations import duration

Judged = tuple[int, int, float]
"""How many answers were judged, their typical error in seconds, and the share of their windows of
80 % that held."""


def together(known: Mapping[str, Judged]) -> Judged | None:
    """Return what is known of answers of several kinds together; None if nothing is.

    Each kind counts by how many were judged: the typical error is the one up to which half of
    them lie.
    """
    judged = sum(jobs for jobs, _, _ in known.values())
    if not judged:
        return None
    held = sum(jobs * held for jobs, _, held in known.values()) / judged
    return judged, _typical(known.values(), judged), held


def lately(known: Judged | None) -> str:
    """Return the line about answers; empty if nothing is known."""
    if known is None:
        return ""
    _, error_s, held = known
    error = duration(error_s)
    return f"Of late, similar answers: typical error {error}; 80% windows held {held:.0%}."


def _typical(known: Iterable[Judged], judged: int) -> int:
    """Return the error of the kind in which the middle of all that were judged lies."""
    counted = 0
    for jobs, error_s, _ in sorted(known, key=lambda one: one[1]):
        counted += jobs
        if 2 * counted >= judged:
            return error_s
    return 0
