"""What differs by chance between two days that are the same: small, seeded, alike on both sides.

A single decision of a scheduler turns on a second; a mean over days does not. So trials are
repeated, each with other luck: where in their rhythm the passes and the recomputations of
priorities begin, and a few seconds more or less in each run.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random

from predictor.domain import SchedulerHealth, Snapshot
from predictor.domain.durations import DAY_S
from predictor.simulation.story import Story

RUN_SIGMA_S = 2.0
"""By so much the same run differs from one time to the next.

Measured on two days of one workload on a real Slurm: 1.7 s.
"""
MOST_SIGMAS = 3.0


def phased(snapshot: Snapshot, seed: int) -> Snapshot:
    """Return the snapshot with the passes and recomputations somewhere in their rhythm."""
    chance = Random(f"{seed} phases")  # noqa: S311 - no secret
    settings, now = snapshot.settings, snapshot.taken_at
    pause_s = settings.passes.interval_s if settings.passes else 0
    health = replace(
        snapshot.health or SchedulerHealth(),
        backfill_last_at=now - round(chance.random() * pause_s),
        started_at=now - DAY_S - round(chance.random() * settings.priority_period_s),
    )
    return replace(snapshot, health=health)


def jittered(story: Story, seed: int) -> Story:
    """Return the story with runs that last a little longer or shorter, at least a second.

    By how much depends on the job's id and the seed alone.
    """
    now_and_then = dict(_jittered(story.run_s, seed))
    ends = {id_: at + _jitter_s(id_, seed) for id_, at in story.ends_at.items()}
    return replace(story, run_s=now_and_then, ends_at=ends)


def _jittered(run_s: Mapping[str, int], seed: int) -> Iterator[tuple[str, int]]:
    for id_, length_s in run_s.items():
        yield id_, max(1, length_s + _jitter_s(id_, seed))


def _jitter_s(id_: str, seed: int) -> int:
    chance = Random(f"{seed} {id_}")  # noqa: S311 - no secret
    bound = MOST_SIGMAS * RUN_SIGMA_S
    return round(max(-bound, min(bound, chance.gauss(0.0, RUN_SIGMA_S))))
