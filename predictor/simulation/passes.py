"""How the engine is to make the passes of the batch system's own scheduler, and when."""

from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

from predictor.domain import PassSettings, SchedulerHealth, SchedulerSettings
from predictor.engine.rule_tables import Rules
from predictor.simulation.cast import FAR, LONGEST_S
from predictor.simulation.pace import lasted, lasts_s, reach, work_us


class Turns(NamedTuple):
    """When passes are made in one course that they may take. UTC epoch seconds."""

    ahead_at: tuple[int, ...] = ()
    """Those that look ahead, ascending; after the last one they are made in their rhythm."""
    main_at: int = -1
    """The first regular one in strict order; -1: a whole interval from now."""
    ahead_holds: bool = False
    """Whether `ahead_at` holds whatever puts one off; else those behind it are put off with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rhythm:
    """When the pass that looks ahead is made: a pause after the end of the one before."""

    period_s: int
    """From the beginning of one to that of the next."""
    first_at: int
    """Never, if the batch system does not look ahead."""
    reach: int = 0
    """So many jobs it looks at before its time is over; 0: as many as it may."""
    told_at: tuple[int, ...] = ()
    """When passes are made that are known beforehand, the first one included; ascending."""
    told_holds: bool = False
    """Whether that holds whatever puts one off; else those behind it are put off with it."""
    main_first_at: int = -1
    """When the first regular pass in strict order is made; -1: a whole interval from now."""

    @classmethod
    def of(cls, settings: SchedulerSettings, health: SchedulerHealth | None, now: int) -> "Rhythm":
        """Return the rhythm from `now` on, by the scheduler's own statistics."""
        passes = _countable(settings.passes or PassSettings())
        if not settings.backfill:
            return cls(period_s=passes.main_interval_s, first_at=FAR)
        period_s = max(1, passes.interval_s + round(lasts_s(work_us(health), passes)))
        known = _known(health, passes, period_s, now)
        return cls(period_s=period_s, first_at=known[0], reach=reach(passes, health), told_at=known)

    def told(self, turns: Turns, now: int) -> "Rhythm":
        """Return the rhythm with passes made when they are told to be, and as before after them."""
        coming = tuple(at for at in turns.ahead_at if at >= now)
        told = replace(self, main_first_at=turns.main_at)
        if not coming:
            return told
        return replace(told, first_at=coming[0], told_at=coming, told_holds=turns.ahead_holds)


def _known(
    health: SchedulerHealth | None, passes: PassSettings, period_s: int, now: int
) -> tuple[int, ...]:
    """Return when the first passes are made from `now` on, by the last one that was told of.

    The statistics are asked for after the jobs: a pass may have begun in between, and is to come.
    """
    last_at = health.backfill_last_at if health else None
    if health is None or last_at is None:
        return (now,)
    if last_at > now + period_s:
        return (now + period_s,)
    lasted_s = lasted(health, passes)
    to_next_s = period_s if lasted_s is None else max(1, passes.interval_s + round(lasted_s))
    if last_at >= now:
        return last_at, last_at + to_next_s
    return (max(now, last_at + to_next_s),)


def rules(settings: PassSettings, rhythm: Rhythm, clearing_wait_s: int = 0) -> Rules:
    """Return how the engine is to decide.

    No pass is made while nodes have been cleared of ended jobs for less than `clearing_wait_s`.
    """
    settings = _countable(settings)
    return Rules(
        # Slurm, 22.05 to 24.11, counts a job only once it has looked at it.
        main_depth=settings.main_depth + (settings.main_depth > 0),
        main_depth_per_partition=settings.main_depth_per_partition,
        main_starts_max=settings.main_starts_max,
        main_first_at=rhythm.main_first_at,
        main_period_s=settings.main_interval_s,
        main_pause_s=max(0, settings.main_pause_us) // 1_000_000,
        arrival_delay_s=settings.arrival_delay_s,
        ends_wait=settings.ends_wait,
        period_s=rhythm.period_s,
        first_at=rhythm.first_at,
        window_s=settings.window_s,
        step_s=1 if settings.exact else settings.step_s,
        rounds_up=settings.rounds_up,
        jobs_max=min(filter(None, (settings.jobs_max, rhythm.reach)), default=0),
        jobs_max_per_user=settings.jobs_max_per_user,
        jobs_max_per_association=settings.jobs_max_per_association,
        jobs_max_per_partition=settings.jobs_max_per_partition,
        jobs_max_per_user_and_partition=settings.jobs_max_per_user_and_partition,
        array_tasks_max=settings.array_tasks_max,
        tasks_bounded=settings.tasks_bounded,
        entries_max=settings.jobs_max if settings.entries_max is None else settings.entries_max,
        starts_max=settings.starts_max,
        protected_per_partition=settings.protected_per_partition,
        min_age_s=settings.protected_age_s,
        exact_slots=settings.exact,
        group_s=settings.group_s,
        group_step_s=settings.group_step_s,
        one_slot_per_job=settings.one_per_job,
        licenses_planned=settings.licenses_planned,
        licenses_with_nodes=settings.licenses_with_nodes,
        licenses_seen=settings.licenses_seen,
        running_reserved=settings.running_reserved,
        owners_leave=settings.owners_leave,
        seeks_anew=settings.seeks_anew,
        overlaps_first=settings.overlaps_first,
        own_ends=settings.own_ends,
        weighs_anew=settings.weighs_anew,
        limits_placed=settings.limits_placed,
        limits_stop=settings.limits_stop,
        busy_first=settings.busy_first,
        stretches=settings.stretches,
        clearing_wait_s=max(0, min(clearing_wait_s, LONGEST_S)),
        told_at=rhythm.told_at,
        told_holds=rhythm.told_holds,
    )


def _countable(settings: PassSettings) -> PassSettings:
    """Return the settings with their numbers as far as they are counted."""
    told: dict[str, Any] = {field.name: getattr(settings, field.name) for field in fields(settings)}
    for name, amount in told.items():
        if type(amount) is int:
            told[name] = max(-LONGEST_S, min(amount, LONGEST_S))
    return PassSettings(**told)


NO_PASSES = replace(rules(PassSettings(), Rhythm(period_s=1, first_at=FAR)), overruns_foreseen=True)
"""For simulations in which a policy decides, or nobody."""
