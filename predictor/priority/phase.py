"""Find out when the batch system last recomputed all priorities."""

import math
from collections.abc import Iterator
from itertools import pairwise

from predictor.domain import PendingJob, Snapshot

SLACK_S = 60
"""A snapshot's priorities may be read so much later than its jobs."""


def last_recomputed(snapshot: Snapshot) -> int | None:
    """Return the instant whose ages explain the most jobs' age points; None if no job tells.

    Of several such instants the middle one; with many jobs they lie within a second or two, with
    one within the time in which it earns a point. Who is of no age yet, or fully aged, tells
    nothing. n log n in the jobs.
    """
    spans = [span for job in snapshot.pending for span in _spans(job, snapshot)]
    # At the same second, spans begin before others end: both include it.
    edges = sorted([(first, 0) for first, _ in spans] + [(last, 1) for _, last in spans])
    found, most, agreeing = None, 0, 0
    for (instant, ends), (following, _) in pairwise(edges):
        agreeing += -1 if ends else 1
        if agreeing > most:
            found, most = (instant + following) // 2, agreeing
    return found


def _spans(job: PendingJob, snapshot: Snapshot) -> Iterator[tuple[int, int]]:
    """Yield from when until when the recomputation may have been, by each of the job's ages."""
    settings, since = snapshot.settings, job.spec.accrues_age_since
    weight, max_age_s = settings.weights.age, settings.priority_max_age_s
    if since is None or weight <= 0 or max_age_s <= 0:
        return
    earliest = snapshot.taken_at - settings.priority_period_s
    for shown in job.priorities:
        if shown.age is None or not 0 < shown.age < weight:
            continue
        first = math.ceil(since + (shown.age - 0.5) * max_age_s / weight)
        last = math.floor(since + (shown.age + 0.5) * max_age_s / weight)
        span = max(first, earliest), min(last, snapshot.taken_at + SLACK_S)
        if span[0] <= span[1]:
            yield span
