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
    one within the time in which it earns a point. n log n in the jobs.
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
    earliest, latest = snapshot.taken_at - settings.priority_period_s, snapshot.taken_at + SLACK_S
    for shown in job.priorities:
        if shown.age is None:
            continue
        # No points may also mean that the job is younger, all points that it is older.
        first = since + (shown.age - 0.5) * max_age_s / weight if shown.age > 0 else earliest
        last = since + (shown.age + 0.5) * max_age_s / weight if shown.age < weight else latest
        span = max(math.ceil(first), earliest), min(math.floor(last), latest)
        if span[0] <= span[1]:
            yield span
