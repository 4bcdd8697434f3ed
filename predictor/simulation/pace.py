"""How long a pass that looks ahead takes and how far it gets, by the scheduler's own statistics.

Source: Slurm 22.05 to 26.05, backfill scheduler and `sdiag`: after some time of work it rests so
that others may, and it ends early when its time is over, or when it finds after a rest that jobs
or nodes have changed and may not go on in spite of that.
"""

from typing import NamedTuple

from predictor.domain import PassSettings, SchedulerHealth

MICROSECONDS = 1_000_000


def lasts_s(work_us: int, passes: PassSettings) -> float:
    """Return how long a pass takes that works so long, rests included."""
    rests = work_us // passes.rest_after_us if passes.rest_after_us else 0
    return (work_us + rests * passes.rest_us) / MICROSECONDS


def work_us(health: SchedulerHealth | None) -> int:
    """Return how long the next passes work, rests left out, as far as that is foreseen.

    That is half-way between the last one, which may be an exception, and the average, which may
    reach back to another load; 0: nothing is told.
    """
    if health is None:
        return 0
    told = (health.backfill_cycle_last_us, health.backfill_cycle_mean_us)
    known = [us for us in told if us is not None]
    return round(sum(known) / max(1, len(known)))


def lasted(health: SchedulerHealth, passes: PassSettings) -> float | None:
    """Return how long the pass took that was begun last, in seconds, rests included.

    None: it is not told, or that pass was seen under way, so that the one before it is told.
    """
    last_us, last_at = health.backfill_cycle_last_us, health.backfill_last_at
    if last_us is None or last_at is None or health.told_at is None:
        return None
    lasted_s = lasts_s(last_us, passes)
    return lasted_s if lasted_s <= health.told_at - last_at else None


def reach(passes: PassSettings, health: SchedulerHealth | None) -> int:
    """Return at how many jobs a pass looks before its time is over; 0: at all it may look at.

    What the settings say; else as many as in the last pass, or as on average, if that is seen to
    have ended early: it worked so long, and did not get through its queue. The last pass does not
    count while it may be under way, nor where a change while it rests would have ended it: that
    says nothing of the next one (of 138 passes that rested, 17 ended so). Then as many as on
    average, if most passes do not get through half of their queues.
    """
    if passes.reach is not None:
        return passes.reach
    if health is None or health.backfill_cut_short == 0:
        return 0
    last = _Work(
        health.backfill_cycle_last_us,
        health.backfill_depth_last,
        health.backfill_depth_tried_last,
        health.backfill_queue_last,
    )
    mean = _Work(
        health.backfill_cycle_mean_us,
        health.backfill_depth_mean,
        health.backfill_depth_tried_mean,
        health.backfill_queue_mean,
    )
    got_to = _got_to(last if _is_over(health, passes) else mean, passes)
    if passes.continues or passes.rest_after_us == 0 or got_to == 0:
        return got_to
    return _got_to(mean, passes) if _is_halved(mean) else 0


class _Work(NamedTuple):
    """What a pass did; None: not told."""

    work_us: int | None
    depth: int | None
    tried: int | None
    queue: int | None


def _got_to(work: _Work, passes: PassSettings) -> int:
    work_us, depth, tried, queue = work
    if work_us is None or depth is None or tried is None or queue is None:
        return 0
    if depth >= queue or _ends_by_itself(work_us, passes):
        return 0
    return max(1, tried)


def _is_halved(work: _Work) -> bool:
    return work.depth is not None and work.queue is not None and 2 * work.depth < work.queue


def _ends_by_itself(work_us: int, passes: PassSettings) -> bool:
    """Return whether a pass that worked so long was not made to end."""
    if not passes.continues and passes.rest_after_us:
        return work_us < passes.rest_after_us
    # The batch system counts whole seconds of the clock.
    return lasts_s(work_us, passes) < _time_max_s(passes) - 1


def _is_over(health: SchedulerHealth, passes: PassSettings) -> bool:
    """Return whether the pass that was begun last must have ended when the statistics were told."""
    if health.told_at is None or health.backfill_last_at is None:
        return False
    longest_s = lasts_s(health.backfill_cycle_max_us or 0, passes)
    return health.told_at - health.backfill_last_at > min(longest_s, _time_max_s(passes))


def _time_max_s(passes: PassSettings) -> int:
    return passes.interval_s if passes.time_max_s is None else passes.time_max_s
