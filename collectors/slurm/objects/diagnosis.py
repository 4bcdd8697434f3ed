"""The scheduler's own statistics, out of JSON: of slurmrestd, and of `sdiag --json`."""

from collectors.slurm.objects.fields import Fields, decoded
from collectors.slurm.text.sdiag import Diagnosis
from predictor.domain import Quarantined, SchedulerHealth
from predictor.errors import SourceFormatError

PLACE = "diag"
_CAUSES = ("state_changed", "bf_max_time")
_MAIN, _BACKFILL = "schedule_cycle_total", "bf_cycle_counter"
"""How many passes there have been since the statistics began."""


def parse_diagnosis(text: str) -> tuple[Diagnosis, tuple[Quarantined, ...]]:
    """Return the statistics; a figure that is missing is None. Raises SourceFormatError."""
    try:
        told = Fields(decoded(text, PLACE).get("statistics"))
        written_at = told.instant("req_time")
        if written_at is None:
            raise ValueError("no req_time")
        health = _health(told, written_at)
    except ValueError as error:
        raise SourceFormatError(f"{PLACE}: {error}") from error
    return Diagnosis(health=health, written_at=written_at, offset_s=0), ()


def _health(told: Fields, written_at: int) -> SchedulerHealth:
    return SchedulerHealth(
        told_at=written_at,
        counts_since=told.instant("req_time_start"),
        main_cycle_last_us=_number(told, "schedule_cycle_last"),
        main_cycle_mean_us=_mean(told, "schedule_cycle_mean", _MAIN),
        main_depth_mean=_mean(told, "schedule_cycle_mean_depth", _MAIN),
        backfill_cycle_last_us=_number(told, "bf_cycle_last"),
        backfill_cycle_mean_us=_mean(told, "bf_cycle_mean", _BACKFILL),
        backfill_cycle_max_us=_number(told, "bf_cycle_max"),
        backfill_last_at=told.instant("bf_when_last_cycle"),
        backfill_depth_last=_number(told, "bf_last_depth"),
        backfill_depth_tried_last=_number(told, "bf_last_depth_try"),
        backfill_depth_mean=_mean(told, "bf_depth_mean", _BACKFILL),
        backfill_depth_tried_mean=_mean(told, "bf_depth_mean_try", _BACKFILL),
        backfill_queue_last=_number(told, "bf_queue_len"),
        backfill_queue_mean=_mean(told, "bf_queue_len_mean", _BACKFILL),
        backfill_cut_short=_cut_short(told),
        queue_length_last=_number(told, "schedule_queue_length"),
        jobs_started=_number(told, "jobs_started"),
        jobs_backfilled=_number(told, "bf_backfilled_jobs"),
    )


def _cut_short(told: Fields) -> int | None:
    """Return how many cycles were; the causes of their ends are told from 23.11 on."""
    ends = told.part("bf_exit")
    return sum(ends.count(cause) for cause in _CAUSES) if ends.has(_CAUSES[0]) else None


def _mean(told: Fields, key: str, passes: str) -> int | None:
    """Return a mean; None before there has been a pass, of which nothing is a mean."""
    return None if told.has(passes) and not told.count(passes) else _number(told, key)


def _number(told: Fields, key: str) -> int | None:
    value = told.number(key)
    return value if isinstance(value, int) else None
