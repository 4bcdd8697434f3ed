"""How long jobs would have run of which the recording never saw an end."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import median_low

from predictor.domain import JobSpec, Outcome, Snapshot
from predictor.domain.defaults import planned_s
from predictor.simulation.dependencies import single_ids
from predictor.simulation.story import Story
from verification.fidelity.history import History
from verification.fidelity.runs import Run

CUT_SHORT = frozenset({Outcome.CANCELLED, Outcome.NODE_FAIL, Outcome.PREEMPTED})
"""Who ended so does not tell how long such jobs run."""
Like = tuple[str, str]
"""A user and a partition, either of which may be empty: anybody's, anywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTimes:
    """What a recording tells of run times."""

    shares: Mapping[Like, Sequence[float]]
    """Run times as shares of limits. Of who ran on at the end: the median of longer ones."""
    at_least_s: Mapping[str, int]
    """So long had those run already who ran on when the recording ended, by single id."""


def run_times_of(history: History) -> RunTimes:
    """Return what is known of run times. Linear in the runs, but for a sort."""
    end_at = history.instants[-1]
    runs = [run for _, of_job in sorted(history.runs.items()) for run in of_job]
    ended = [(_like(run), _share(run, run.ended_at, history)) for run in runs if _is_whole(run)]
    known = sorted(share for _, share in ended)
    longer = [
        (_like(run), _beyond(_share(run, end_at, history), known))
        for run in runs
        if run.ended_at is None
    ]
    shares: dict[Like, list[float]] = defaultdict(list)
    for (user, partition), share in (*ended, *longer):
        for like in ((user, partition), (user, ""), ("", "")):
            shares[like].append(share)
    at_least = {
        id_: end_at - of_job[-1].started_at
        for id_, of_job in history.runs.items()
        if of_job[-1].ended_at is None
    }
    return RunTimes(shares=shares, at_least_s=at_least)


def completed(story: Story, snapshot: Snapshot, known: RunTimes, seed: int) -> Story:
    """Return the story with run times for those without one: drawn from like jobs' shares.

    Like is who has the same user and partition, else user, else anybody. Nobody runs for less than
    it was seen to, or for longer than its limit. Who was cancelled while it waited gets a run time
    too: under a change it may start before that, and runs on then.
    """
    run_s = {**dict(_drawn_run_times(snapshot, story, known, seed)), **story.run_s}
    ends_at = {**dict(_latest_ends(snapshot)), **story.ends_at}
    return replace(story, run_s=run_s, ends_at=ends_at)


def _drawn_run_times(
    snapshot: Snapshot, story: Story, known: RunTimes, seed: int
) -> Iterator[tuple[str, int]]:
    partitions = {one.name: one for one in snapshot.partitions}
    for job in (*snapshot.pending, *story.arrivals):
        limit_s = planned_s(job.spec.request, partitions.get(_like_job(job.spec)[1]))
        for id_ in single_ids(job.spec):
            if id_ not in story.run_s:
                least = known.at_least_s.get(id_, 0) / limit_s
                share = _drawn(_like_job(job.spec), known, least, f"{seed} {id_} run")
                yield id_, max(1, round(share * limit_s))


def _latest_ends(snapshot: Snapshot) -> Iterator[tuple[str, int]]:
    for running in snapshot.running:
        for id_ in single_ids(running.spec):
            if running.ends_by is not None:
                yield id_, running.ends_by


def _drawn(like: Like, known: RunTimes, least: float, seed: str) -> float:
    user, partition = like
    for one in ((user, partition), (user, ""), ("", "")):
        possible = [share for share in known.shares.get(one, ()) if share > least]
        if possible:
            return Random(seed).choice(possible)  # noqa: S311 - no secret
    return 1.0


def _is_whole(run: Run) -> bool:
    return run.ended_at is not None and run.outcome not in CUT_SHORT


def _share(run: Run, until: int | None, history: History) -> float:
    """Return for which share of its limit a job had run by then."""
    partitions = {one.name: one for one in history.snapshots[0].partitions}
    limit_s = planned_s(run.spec.request, partitions.get(_like(run)[1]))
    return min(1.0, ((until or run.started_at) - run.started_at) / limit_s)


def _beyond(share: float, known: Sequence[float]) -> float:
    longer = [one for one in known if one > share]
    return median_low(longer) if longer else 1.0


def _like(run: Run) -> Like:
    return _like_job(run.spec)


def _like_job(spec: JobSpec) -> Like:
    return spec.user, next(iter(spec.partitions), "")
