"""Learn a workload from a trace."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from predictor.domain.durations import DAY_S, WEEK_S
from verification.workloads.cycle import cycle_of
from verification.workloads.habits import NEARLY, SESSION_S, Habit, User
from verification.workloads.model import Model
from verification.workloads.seen import Seen, Workload
from verification.workloads.spread import Spread, spread_of

ENOUGH: Final = 16
"""So many gaps of a user speak for themselves; of fewer everybody's are taken."""


Session = list[Seen]


def fit(workload: Workload) -> Model:
    """Return what generates workloads like this one.

    Where the trace does not say when second 0 was, days are as long as others, but their names
    are not to be relied upon.
    """
    jobs, local_at = workload.jobs, workload.local_at
    sessions = _sessions(jobs)
    starts = sorted(one[0].submit_s for some in sessions.values() for one in some)
    gaps = [gap for some in sessions.values() for gap in _gaps(some)]
    weeks = (jobs[-1].submit_s - jobs[0].submit_s) // WEEK_S + 1
    usual_gaps = spread_of(gaps or [SESSION_S])
    return Model(
        source=f"{workload.name}, {len(jobs)} jobs",
        procs=workload.procs,
        begins_at=(local_at + jobs[0].submit_s) // DAY_S * DAY_S - workload.time_zone_s,
        time_zone_s=workload.time_zone_s,
        cycle=cycle_of([local_at + start for start in starts]),
        users=tuple(
            _user(number, some, jobs[0].submit_s, weeks, usual_gaps)
            for number, some in sorted(sessions.items())
        ),
    )


def _sessions(jobs: Iterable[Seen]) -> Mapping[int, list[Session]]:
    """Return each user's jobs, cut where there was a break; both are in order."""
    found: defaultdict[int, list[Session]] = defaultdict(list)
    for job in jobs:
        sessions = found[job.user]
        if sessions and job.submit_s - sessions[-1][-1].submit_s <= SESSION_S:
            sessions[-1].append(job)
        else:
            sessions.append([job])
    return found


def _gaps(sessions: Iterable[Session]) -> list[int]:
    return [
        after.submit_s - before.submit_s for jobs in sessions for before, after in pairwise(jobs)
    ]


def _user(
    number: int, sessions: Sequence[Session], first_s: int, weeks: int, usual_gaps: Spread
) -> User:
    jobs = [job for session in sessions for job in session]
    gaps = _gaps(sessions)
    in_week = Counter((session[0].submit_s - first_s) // WEEK_S for session in sessions)
    begun = sum(1 for week in in_week if week - 1 not in in_week)
    by_kind: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for job in jobs:
        by_kind[job.kind()].append(job.run_s)
    shares = {kind: len(runs) / len(jobs) for kind, runs in by_kind.items()}
    return User(
        number=number,
        active=len(in_week) / weeks,
        weeks=len(in_week) / begun,
        sessions=spread_of(list(in_week.values())),
        jobs=spread_of([len(session) for session in sessions]),
        gaps_s=spread_of(gaps) if len(gaps) >= ENOUGH else usual_gaps,
        stay=_stay(jobs, shares.values()),
        repeat=_repeat(by_kind.values()),
        habits=tuple(_habit(kind, shares[kind], runs) for kind, runs in sorted(by_kind.items())),
    )


def _habit(kind: tuple[int, ...], share: float, runs: Sequence[int]) -> Habit:
    procs, limit_s, queue, partition, memory_kib = kind
    return Habit(
        share=share,
        procs=procs,
        limit_s=None if limit_s < 0 else limit_s,
        queue=queue,
        partition=partition,
        memory_kib=memory_kib,
        runs_s=spread_of(runs),
    )


def _stay(jobs: Sequence[Seen], shares: Iterable[float]) -> float:
    """Return how often one kind of job follows itself beyond what its share would have it do."""
    by_chance = sum(share * share for share in shares)
    if len(jobs) < 2 or by_chance >= 1:
        return 0.0
    same = sum(a.kind() == b.kind() for a, b in pairwise(jobs)) / (len(jobs) - 1)
    return min(max((same - by_chance) / (1 - by_chance), 0.0), 0.999)


def _repeat(of_kinds: Iterable[Sequence[int]]) -> float:
    """Return how often a kind runs nearly as long as the last time beyond what chance would do.

    Chance is seen in pairs that are half of all jobs of the kind apart.
    """
    pairs = near = by_chance = 0
    for runs in of_kinds:
        half = len(runs) // 2
        far = [*runs[half:], *runs[:half]]
        pairs += len(runs) - 1
        near += sum(map(nearly, runs, runs[1:]))
        by_chance += sum(map(nearly, runs[:-1], far))
    if pairs == 0 or by_chance >= pairs:
        return 0.0
    return min(max((near - by_chance) / (pairs - by_chance), 0.0), 0.999)


def nearly(one: float, other: float) -> bool:
    """Return whether two run times are nearly the same."""
    return abs(one - other) <= NEARLY * max(one, other)
