"""One trial: a recording's days under a configuration, with one draw of luck."""

import hashlib
from dataclasses import dataclass, replace
from statistics import median

from predictor.domain import SchedulerHealth, Snapshot
from predictor.domain.durations import DAY_S
from predictor.simulation.story import Story
from verification.changes.change import Change
from verification.fidelity.history import History
from verification.fidelity.telling import told
from verification.fidelity.truth import story_of
from verification.measures import MEASURES, Ran, Watch
from verification.trials.courses import courses, cpus_by_node, ran_before
from verification.trials.disturbance import jittered, phased
from verification.trials.unknowns import RunTimes, completed, run_times_of

TAIL_S = 14 * DAY_S
"""So long after the recording's end those who wait still may start; nobody comes any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recounted:
    """What every trial of a recording begins from. Read off once, as it takes its time."""

    name: str
    snapshot: Snapshot
    """The first one, with the pace of all of them."""
    story: Story
    run_times: RunTimes
    end_at: int
    """When the last snapshot was taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What became of everybody."""

    seed: int
    jobs: tuple[Ran, ...]
    """Who waited at the first snapshot, or came later."""
    before: tuple[Ran, ...]
    """Who ran at the first snapshot already."""
    watch: Watch
    """Until the recording's end; waits count to their end."""
    hash: str
    """16 hex digits of all starts: equal trials, equal hashes."""

    def figure(self, name: str) -> float | None:
        """Return the measure of that name; None: it is not known. Raises KeyError."""
        measure = MEASURES[name]
        jobs = (*self.before, *self.jobs) if measure.of_machine else self.jobs
        return measure.of(jobs, self.watch)


def recount(name: str, history: History) -> Recounted:
    """Return what trials of a recording need of it."""
    first, end_at = history.snapshots[0], history.instants[-1]
    return Recounted(
        name=name,
        snapshot=replace(first, health=_pace(history)),
        story=story_of(history, 0, end_at + 1),
        run_times=run_times_of(history),
        end_at=end_at,
    )


def tried(recorded: Recounted, change: Change, seed: int) -> Trial:
    """Return what would have become of the recorded jobs under a change, by one draw of luck.

    Told, as recorded: who comes when and asks for what, how long each runs, who is held, changed,
    or leaves the queue, reservations, and nodes that fail. Not told: any start. Run times that
    the recording does not know are drawn, alike for every change. Equal arguments, equal trials.
    Raises SourceError or SiteError if the change makes no sense of the recording's cluster.
    """
    whole = completed(recorded.story, recorded.snapshot, recorded.run_times, seed)
    under = change.over(recorded.snapshot)
    story = jittered(change.through(whole, recorded.snapshot, under), seed)
    until = recorded.end_at + TAIL_S
    starts = told(phased(under, seed), story, until, change.site)
    jobs = courses(under, story, starts)
    node_cpus = cpus_by_node(under.nodes, change.removed)
    return Trial(
        seed=seed,
        jobs=jobs,
        before=tuple(ran_before(under, story)),
        watch=Watch(
            since=under.taken_at,
            until=recorded.end_at,
            cpus=sum(node_cpus.values()),
            node_cpus=node_cpus,
            seen_until=until,
        ),
        hash=_hash(jobs),
    )


def _pace(history: History) -> SchedulerHealth:
    """Return how the scheduler keeps up, its passes as long as they mostly were."""
    told_us = [
        one.health.backfill_cycle_mean_us
        for one in history.snapshots
        if one.health is not None and one.health.backfill_cycle_mean_us
    ]
    first = history.snapshots[0].health or SchedulerHealth()
    return replace(first, backfill_cycle_mean_us=round(median(told_us)) if told_us else None)


def _hash(jobs: tuple[Ran, ...]) -> str:
    starts = sorted((job.id, job.start_at) for job in jobs)
    return hashlib.sha256(repr(starts).encode()).hexdigest()[:16]
