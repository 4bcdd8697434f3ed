"""From a recording: the story of what the world did after one of its snapshots."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypeVar

from predictor.domain import (
    ArrayTasks,
    Obstacle,
    Outcome,
    PendingJob,
    RunningJob,
)
from predictor.simulation.dependencies import single_ids
from predictor.simulation.story import Story
from predictor.simulation.telling import Interval
from verification.fidelity.history import History, Sighting, base_of, kept_away, record_of
from verification.fidelity.runs import Run

Told = TypeVar("Told")


def story_of(history: History, number: int, until: int) -> Story:
    """Return what happens after the snapshot of that number and before `until`.

    Starts are not part of it. What only snapshots show is taken to have happened at the second of
    the first one that shows it, unless a record tells better.
    """
    snapshot = history.snapshots[number]
    waiting = [id_ for job in snapshot.pending for id_ in single_ids(job.spec)]
    arrivals = tuple(_arrivals(history, number, until))
    coming = [id_ for job in arrivals for id_ in single_ids(job.spec)]
    concerned = (*waiting, *coming)
    return Story(
        run_s=dict(_run_times(history, number, concerned)),
        later_runs=dict(_later_runs(history, number, concerned)),
        ends_at=dict(_ends(history, number)),
        arrivals=arrivals,
        leaves_at={id_: at for id_ in concerned if (at := history.gone_at(id_)) is not None},
        held=_holds(history, number, concerned),
        changes=_changes(history, number, until, set(concerned)),
        limits=tuple(_limits(history, number, until)),
        closed=history.closed,
        reservations=_within(history.reservations, snapshot.taken_at, until),
        nodes=_within(history.nodes, snapshot.taken_at, until),
        clearings=history.clearings.told(snapshot.taken_at, until),
        vacating=history.clearings.vacating,
        boots_s=history.boots_s,
    )


def _run_times(history: History, number: int, ids: Iterable[str]) -> Iterator[tuple[str, int]]:
    for id_ in ids:
        run = history.run_after(id_, number)
        length_s = None if run is None else _length_of(history, number, id_, run)
        if length_s is not None:
            yield id_, length_s


def _later_runs(
    history: History, number: int, ids: Iterable[str]
) -> Iterator[tuple[str, tuple[tuple[int, int], ...]]]:
    """Yield who was sent back by somebody, and the runs after the first."""
    for id_ in ids:
        first = history.run_after(id_, number)
        later = () if first is None else _from_on(history, id_, first)
        found = tuple(
            (run.spec.eligible_at or run.started_at, _length_of(history, number, id_, run) or -1)
            for before, run in pairwise(later)
            if not _is_decided(history, number, before)
        )
        if found:
            yield id_, found


def _ends(history: History, number: int) -> Iterator[tuple[str, int]]:
    stood_s = {
        id_: job.suspended_s
        for job in history.snapshots[number].running
        for id_ in single_ids(job.spec)
    }
    for id_, since in history.ran[number].items():
        runs = history.runs.get(id_, ())
        run = next((run for run in runs if run.started_at == since), None)
        length_s = None if run is None else _length_of(history, number, id_, run)
        if length_s is not None:
            yield id_, since + length_s + stood_s.get(id_, 0)


def _is_decided(history: History, number: int, run: Run) -> bool:
    """Return whether it was for the scheduler to end the run, as for the replica it will be."""
    preempts = history.snapshots[number].settings.preemption is not None
    return preempts and run.outcome is Outcome.PREEMPTED


def _length_of(history: History, number: int, id_: str, run: Run) -> int | None:
    """Return how long a run lasts if the scheduler does not end it; None: nobody knows.

    Then it is the length of the next that the scheduler did not end.
    """
    own = (one for one in _from_on(history, id_, run) if not _is_decided(history, number, one))
    whole = next(own, None)
    if whole is None or whole.ended_at is None:
        return None
    lasts_s = whole.ended_at - whole.started_at
    if history.snapshots[number].settings.preemption is not None:
        # For whom it stands still, the replica decides.
        lasts_s -= whole.suspended_s
    return max(1, lasts_s)


def _from_on(history: History, id_: str, run: Run) -> tuple[Run, ...]:
    """Return a run and those behind it of the same job, or of the same component."""
    runs = history.runs.get(id_, ())
    return tuple(one for one in runs[runs.index(run) :] if one.spec.het == run.spec.het)


def _arrivals(history: History, number: int, until: int) -> Iterator[PendingJob]:
    """Yield who comes to the queue after the snapshot; an array with all its tasks at once."""
    snapshot = history.snapshots[number]
    there = {id_ for job in snapshot.pending for id_ in single_ids(job.spec)}
    since = snapshot.taken_at
    tasks: dict[str, list[str]] = defaultdict(list)
    first_run: dict[str, Run] = {}
    first_seen: dict[str, PendingJob] = {}
    for id_ in sorted((history.seen.keys() | history.runs.keys()) - there):
        run = history.run_after(id_, number)
        seen = history.seen_after(id_, number)
        if seen is None and (run is None or run.started_at <= since):
            continue
        if _is_preempted(history, number, id_):
            continue
        base = _base(history, id_, run, seen)
        tasks[base].append(id_)
        if run is not None:
            first_run.setdefault(base, run)
        elif seen is not None:
            first_seen.setdefault(base, record_of(history.snapshots[seen], id_))
    for base in sorted(tasks):
        job = _as_first_seen(history, number, base, first_run.get(base), first_seen.get(base))
        job = _whole_array(job, tasks[base])
        if since < max(job.spec.submitted_at, since + 1) < until:
            yield job
            if job.spec.het is not None:
                yield from _other_components(history, number, job, job.spec.het.job_id)


def _other_components(
    history: History, number: int, job: PendingJob, id_: str
) -> Iterator[PendingJob]:
    """Yield how the other components of a heterogeneous job were first seen, by their ids.

    One that was never seen waiting is as its run tells.
    """
    ran = {run.spec.id: PendingJob(spec=run.spec) for run in history.runs.get(id_, ())}
    seen = {
        base: first.job
        for base, sightings in history.sightings.items()
        if (first := _sighting(sightings, number)) is not None
        and first.job.spec.het is not None
        and first.job.spec.het.job_id == id_
    }
    found = ran | seen
    yield from (found[other] for other in sorted(found) if other != job.spec.id)


def _is_preempted(history: History, number: int, id_: str) -> bool:
    """Return whether it comes back only because the scheduler ends the run it is in."""
    since = history.ran[number].get(id_)
    runs = history.runs.get(id_, ())
    return any(run.started_at == since and _is_decided(history, number, run) for run in runs)


def _base(history: History, id_: str, run: Run | None, seen: int | None) -> str:
    if run is not None:
        return base_of(run.spec)
    return base_of(record_of(history.snapshots[seen or 0], id_).spec)


def _as_first_seen(
    history: History, number: int, base: str, run: Run | None, seen: PendingJob | None
) -> PendingJob:
    """Return the first new record that shows it waiting; else what its run tells of it.

    Its run tells it also where that came first, but of an array whose rest is seen waiting. Whoever
    comes back unchanged has no new record, and no run either if it waits to the end: `seen` is it.
    """
    shown = _sighting(history.sightings.get(base, ()), number)
    if shown is not None and (run is None or shown.at <= run.started_at or _is_rest(shown, run)):
        return shown.job
    if run is None:
        if seen is None:
            raise ValueError(f"job {base} was neither seen waiting nor ran")
        return seen
    eligible_at = run.spec.eligible_at
    later = eligible_at is not None and eligible_at > run.spec.submitted_at
    return PendingJob(spec=run.spec, begin_at=eligible_at if later else None)


def _is_rest(shown: Sighting, run: Run) -> bool:
    """Return whether that is what was left of the run's array, and no task of it sent back."""
    return run.spec.array is not None and shown.job.spec.submitted_at <= run.spec.submitted_at


def _sighting(sightings: Sequence[Sighting], number: int) -> Sighting | None:
    """Return how a record that is new after a snapshot looked at first."""
    return next((one for one in sightings if one.number > number), None)


def _whole_array(job: PendingJob, ids: Iterable[str]) -> PendingJob:
    """Return the record with all the tasks that are to come."""
    array = job.spec.array
    if array is None:
        return job
    numbers = sorted({int(id_.rpartition("_")[2]) for id_ in ids})
    members = replace(array, tasks=tuple(numbers))
    return replace(job, spec=replace(job.spec, id=_array_id(members), array=members))


def _array_id(array: ArrayTasks) -> str:
    return f"{array.job_id}_[{','.join(map(str, array.tasks))}]"


def _holds(history: History, number: int, ids: Iterable[str]) -> Mapping[str, tuple[Interval, ...]]:
    """Return when those waiting were kept from starting by somebody, by single id."""
    found = {}
    for id_ in ids:
        intervals = tuple(_held(history, number, id_))
        if intervals:
            found[id_] = intervals
    return found


def _held(history: History, number: int, id_: str) -> Iterator[Interval]:
    """Yield when somebody held a job after the snapshot, with the likely ends."""
    turns = history.turns.get(id_, ())
    if turns and history.gone_at(id_) is not None:
        last = history.record_at(id_, len(history.snapshots))
        if last is not None and last.dependencies:
            # Whom it depended on ended otherwise than hoped; the batch system took it away then.
            yield min(turns[0].at, last.spec.submitted_at), None
            return
    first = max(0, bisect_right(turns, number, key=lambda turn: turn.number) - 1)
    since: int | None = None
    for turn in turns[first:]:
        if kept_away(turn.job):
            since = _hold_began(history, id_, turn)
        elif since is not None:
            yield since, _released(history, id_, turn)
            since = None
    if since is not None:
        run = history.run_after(id_, number)
        yield since, None if run is None else _let_go(history, id_, run)


def _hold_began(history: History, id_: str, turn: Sighting) -> int:
    """Return since when a job is held; from submission on if it was never seen otherwise."""
    seen = history.seen[id_]
    place = bisect_left(seen, turn.number)
    if place == 0:
        return min(turn.at, turn.job.spec.submitted_at)
    if turn.job.obstacle in (Obstacle.NEVER, Obstacle.UNMET):
        # As the dependency failed, at the latest; until then that was not fulfilled.
        return history.snapshots[seen[place - 1]].taken_at
    return turn.at


def _released(history: History, id_: str, turn: Sighting) -> int:
    """Return when a hold ended that a snapshot shows no more."""
    seen = history.seen[id_]
    before = history.snapshots[seen[bisect_left(seen, turn.number) - 1]].taken_at
    for run in history.runs.get(id_, ()):
        if before < run.started_at <= turn.at:
            # It ran meanwhile, and was sent back.
            return _within_span(run.spec.eligible_at, before, run.started_at)
    return _within_span(turn.job.spec.eligible_at, before, turn.at)


def _let_go(history: History, id_: str, run: Run) -> int:
    """Return when a job was released that was last seen held and then ran."""
    held_at = history.snapshots[history.seen[id_][-1]].taken_at
    return _within_span(run.spec.eligible_at, held_at, run.started_at)


def _within_span(told: int | None, since: int, until: int) -> int:
    """Return the instant that is told if it lies in that time, else the end of that."""
    return told if told is not None and since < told <= until else until


def _changes(
    history: History, number: int, until: int, ids: set[str]
) -> tuple[tuple[int, PendingJob], ...]:
    """Return how waiting records were changed, after they were first seen."""
    here = history.snapshots[number]
    shown = {base_of(job.spec) for job in here.pending}
    found = []
    for base, sightings in history.sightings.items():
        if sightings[-1].number <= number or not ids & set(single_ids(sightings[-1].job.spec)):
            continue
        first = None if base in shown else _sighting(sightings, number)
        found += [
            (one.at, one.job)
            for one in sightings
            if one.number > number and one is not first and one.at < until
        ]
    return tuple(sorted(found, key=lambda change: (change[0], change[1].spec.id)))


def _limits(history: History, number: int, until: int) -> Iterator[tuple[int, RunningJob]]:
    """Yield when those got another limit who run at the snapshot, and how they are then."""
    here = history.snapshots[number]
    there = {(job.spec.id, job.started_at) for job in here.running}
    for at, job in _within(history.limits, here.taken_at, until):
        if (job.spec.id, job.started_at) in there:
            yield at, job


def _within(
    told: Sequence[tuple[int, Told]], since: int, until: int
) -> tuple[tuple[int, Told], ...]:
    return tuple(one for one in told if since < one[0] < until)
