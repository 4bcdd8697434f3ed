"""How long jobs would have run of which the recording never saw an end."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import median_low

from predictor.domain import JobSpec, Outcome, Partition, Snapshot
from predictor.domain.defaults import planned_s
from predictor.simulation.dependencies import single_ids
from predictor.simulation.story import Story
from verification.fidelity.history import History
from verification.fidelity.runs import Run

CUT_SHORT = frozenset({Outcome.CANCELLED, Outcome.NODE_FAIL, Outcome.PREEMPTED})
"""Who ended so does not tell how long such jobs run."""
Like = tuple[object, ...]
"""What jobs have in common whose run times are taken to be alike; empty: nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTimes:
    """What a recording tells of run times."""

    shares: Mapping[Like, Sequence[float]]
    """Run times as shares of limits. Of who ran on at the end: the median of longer ones alike."""
    at_least_s: Mapping[str, int]
    """So long had those run already who ran on when the recording ended, by single id."""


def run_times_of(history: History) -> RunTimes:
    """Return what is known of run times."""
    end_at = history.instants[-1]
    partitions = {one.name: one for one in history.snapshots[0].partitions}
    runs = [run for _, of_job in sorted(history.runs.items()) for run in of_job]
    ended: dict[Like, list[float]] = defaultdict(list)
    for run in runs:
        if run.ended_at is not None and run.outcome not in CUT_SHORT:
            for like in _likes(run.spec):
                ended[like].append(_share(run, run.ended_at, partitions))
    shares = {like: list(some) for like, some in ended.items()}
    for run in runs:
        if run.ended_at is None:
            likely = _beyond(run, _share(run, end_at, partitions), ended)
            for like in _likes(run.spec):
                shares.setdefault(like, []).append(likely)
    at_least = {
        id_: end_at - of_job[-1].started_at
        for id_, of_job in history.runs.items()
        if of_job[-1].ended_at is None
    }
    return RunTimes(shares=shares, at_least_s=at_least)


def completed(story: Story, snapshot: Snapshot, known: RunTimes, seed: int) -> Story:
    """Return the story with run times for those without one: drawn from like jobs' shares.

    Like is who has the same user and name, else user and partition, else user, else anybody.
    Nobody runs for less than it was seen to, or for longer than its limit. Who was cancelled while
    it waited gets a run time too: under a change it may start before that, and runs on then.
    """
    run_s = {**dict(_drawn_run_times(snapshot, story, known, seed)), **story.run_s}
    ends_at = {**dict(_latest_ends(snapshot)), **story.ends_at}
    return replace(story, run_s=run_s, ends_at=ends_at)


def _drawn_run_times(
    snapshot: Snapshot, story: Story, known: RunTimes, seed: int
) -> Iterator[tuple[str, int]]:
    partitions = {one.name: one for one in snapshot.partitions}
    for job in (*snapshot.pending, *story.arrivals):
        limit_s = planned_s(job.spec.request, partitions.get(job.spec.first_partition))
        for id_ in single_ids(job.spec):
            if id_ not in story.run_s:
                least = known.at_least_s.get(id_, 0) / limit_s
                share = _drawn(job.spec, known, least, f"{seed} {id_} run")
                yield id_, max(1, round(share * limit_s))


def _latest_ends(snapshot: Snapshot) -> Iterator[tuple[str, int]]:
    for running in snapshot.running:
        for id_ in single_ids(running.spec):
            if running.ends_by is not None:
                yield id_, running.ends_by


def _drawn(spec: JobSpec, known: RunTimes, least: float, seed: str) -> float:
    for like in _likes(spec):
        possible = [share for share in known.shares.get(like, ()) if share > least]
        if possible:
            return Random(seed).choice(possible)  # noqa: S311 - no secret
    return 1.0


def _beyond(run: Run, share: float, ended: Mapping[Like, Sequence[float]]) -> float:
    """Return the share that a job is likely to run which has run for so much of its limit."""
    for like in _likes(run.spec):
        longer = [one for one in ended.get(like, ()) if one > share]
        if longer:
            return median_low(longer)
    return 1.0


def _share(run: Run, until: int, partitions: Mapping[str, Partition]) -> float:
    """Return for which share of its limit a job had run by then."""
    limit_s = planned_s(run.spec.request, partitions.get(run.spec.first_partition))
    return min(1.0, (until - run.started_at) / limit_s)


def _likes(spec: JobSpec) -> Iterator[Like]:
    """Yield what the job has in common with others, the most telling first."""
    if spec.name:
        yield spec.user, spec.name
    yield spec.user, spec.first_partition
    yield (spec.user,)
    yield ()
