"""Find out when the batch system last recomputed all priorities."""

import math
from collections.abc import Iterator
from itertools import pairwise

from predictor.domain import PendingJob, Snapshot

SETTING_UP_S = 1
"""So long after its start at the soonest the scheduler begins. Measured on Slurm 22.05.8."""
SET_UP_BY_S = 120
"""Statistics that count since so long after its start or less have counted since it was set up."""
SLACK_S = 60
"""A snapshot's priorities may be read so much later than its jobs."""


def last_recomputed(snapshot: Snapshot) -> int | None:
    """Return the instant whose ages explain the most jobs' age points; None if nothing tells.

    With many jobs such instants lie within a second or two, with one within the time in which it
    earns a point. Of several it is the one that comes soonest after a multiple of the period since
    the scheduler began, which is the last of these where no job tells; the middle one if that is
    not known. n log n in the jobs.
    Source: Slurm 22.05 to 26.05, Multifactor Priority Plugin: it begins once it is set up, which
    takes a moment, and its wake-ups are counted from then on without drift.
    """
    agreeing = _agreeing(snapshot)
    ticked_at = _ticked_at(snapshot)
    if agreeing is None:
        return ticked_at
    first, last = agreeing
    if ticked_at is None:
        return (first + last) // 2
    period_s = snapshot.settings.priority_period_s
    since_tick_s = (first - ticked_at) % period_s
    return first if since_tick_s + last - first < period_s else first + period_s - since_tick_s


def counting_period_s(snapshot: Snapshot) -> int:
    """Return how often it is counted what running jobs have used; 0: never, until they end.

    Source: Slurm 22.05, priority_p_job_end of priority/basic, which has no other count.
    """
    settings = snapshot.settings
    return max(1, settings.priority_period_s) if settings.multifactor else 0


def last_counted(snapshot: Snapshot) -> int:
    """Return when that was done last, no later than the snapshot; if nothing tells, just then.

    Where it is never done that is before all that runs: 0.
    """
    last, period_s = last_recomputed(snapshot), counting_period_s(snapshot)
    if period_s == 0:
        return 0
    if last is None:
        return snapshot.taken_at
    return snapshot.taken_at - (snapshot.taken_at - last) % period_s


def _ticked_at(snapshot: Snapshot) -> int | None:
    """Return the last multiple of the period since it began; None if that is not known."""
    began_at = _began_at(snapshot)
    period_s = snapshot.settings.priority_period_s
    if began_at is None or period_s <= 0:
        return None
    since_s = snapshot.taken_at - began_at
    return None if since_s < 0 else snapshot.taken_at - since_s % period_s


def _began_at(snapshot: Snapshot) -> int | None:
    """Return when the scheduler began, a moment before its statistics; None if that is not known.

    Source: Slurm 22.05.8: under a clock 60 times as fast 0 to 2 s before, in 11 recordings.
    """
    health = snapshot.health
    if health is None or health.started_at is None:
        return None
    soonest = health.started_at + SETTING_UP_S
    if health.counts_since is None or health.counts_since > health.started_at + SET_UP_BY_S:
        return soonest
    return max(soonest, health.counts_since - 1)


def _agreeing(snapshot: Snapshot) -> tuple[int, int] | None:
    """Return the first and the last instant that explain the most ages; None if no job tells."""
    spans = [span for job in snapshot.pending for span in _spans(job, snapshot)]
    # At the same second, spans begin before others end: both include it.
    edges = sorted([(first, 0) for first, _ in spans] + [(last, 1) for _, last in spans])
    found, most, agreeing = None, 0, 0
    for (instant, ends), (following, _) in pairwise(edges):
        agreeing += -1 if ends else 1
        if agreeing > most:
            found, most = (instant, following), agreeing
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
