"""What must happen to other jobs before a job may start."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

from predictor.domain import (
    Dependency,
    DependencyKind,
    FinishedJob,
    JobSpec,
    Outcome,
    PendingJob,
    RunState,
    Snapshot,
    Unpredictable,
    whole,
)
from predictor.priority.order import Serial, serial
from predictor.scheduling.rules import Refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class After:
    """Not before these jobs have all ended (or started), plus a delay.

    Waiting array tasks are named one by one (`12_3`), as running ones are.
    """

    job_ids: tuple[str, ...]
    started: bool = False
    """True: their start is enough."""
    delay_s: int = 0
    rivals: tuple[str, ...] = ()
    """Those of them that start before it is met must have ended as well."""
    same_task_of: str = ""
    """The array of whose `job_ids` only the task of the same number is meant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll:
    """Which ids are taken. Not one by one: an array may have millions of tasks."""

    ids: Set[str]
    """Those of records, and the single ids of those that stand for one job."""
    tasks: Mapping[str, Sequence[tuple[int, ...]]]
    """By the id of an array: the tasks of each of its records that stand for several."""

    @classmethod
    def of(cls, specs: Iterable[JobSpec]) -> Self:
        """Return the ids of these records, and of the jobs that they stand for."""
        ids: set[str] = set()
        tasks: dict[str, list[tuple[int, ...]]] = {}
        for spec in specs:
            ids.add(spec.id)
            if spec.array is not None and len(spec.array.tasks) > 1:
                tasks.setdefault(spec.array.job_id, []).append(spec.array.tasks)
            else:
                ids.update(single_ids(spec))
        return cls(ids=ids, tasks=tasks)

    def __contains__(self, id_: str) -> bool:
        """Return whether a record or a single job goes by that id."""
        return id_ in self.ids or self._is_task(id_)

    def _is_task(self, id_: str) -> bool:
        array, _, number = id_.rpartition("_")
        if array not in self.tasks:
            return False
        try:
            task = whole(number)
        except ValueError:
            return False
        return number == str(task) and any(_is_among(one, task) for one in self.tasks[array])


def _is_among(tasks: Sequence[int], task: int) -> bool:
    place = bisect_left(tasks, task)
    return place < len(tasks) and tasks[place] == task


@dataclass(frozen=True, slots=True, kw_only=True)
class Relations:
    """Who is who: every waiting or running job under each id it can be referred to by.

    Of a waiting record's tasks only those that enter the queue are named, and the first of the
    others: it stands for all these, none of whom ever starts.
    """

    roll: Roll
    members: Mapping[str, tuple[str, ...]]
    """By id (also an array's or a heterogeneous job's common id): the single ids."""
    namesakes: Mapping[tuple[str, str], "Namesakes"]
    """By user and name."""
    finished: Mapping[str, FinishedJob]
    tasks_max: int
    """So many tasks of a waiting record enter the queue, the first."""

    @classmethod
    def of(cls, snapshot: Snapshot, tasks_max: int, changing: Set[str]) -> Self:
        """Return the relations among the snapshot's jobs, of whom so many of an array enter.

        `changing` are the single ids of those who may come to wait for less than they do.
        """
        members: dict[str, list[str]] = {}
        named = [(job.spec, single_ids(job.spec)) for job in snapshot.running]
        named += [(job.spec, single_ids(job.spec, tasks_max + 1)) for job in snapshot.pending]
        for spec, singles in named:
            common = {spec.id, *(i.job_id for i in (spec.array, spec.het) if i)}
            for id_ in common:
                members.setdefault(id_, []).extend(singles)
            for id_ in singles:
                members.setdefault(id_, [id_])
        return cls(
            roll=Roll.of(spec for spec, _ in named),
            members={id_: tuple(dict.fromkeys(singles)) for id_, singles in members.items()},
            namesakes=_by_name(snapshot, tasks_max, changing),
            finished={job.spec.id: job for job in snapshot.finished},
            tasks_max=tasks_max,
        )

    def known(self, id_: str) -> Sequence[str]:
        """Return the single ids of those who go by that id; none if nobody does."""
        return self.members.get(id_) or ((id_,) if id_ in self.roll else ())

    def for_task(self, after: After, task: int, job: PendingJob) -> After:
        """Return a condition of the job as it binds its task of this number."""
        if not after.same_task_of:
            return after
        same = f"{after.same_task_of}_{task}"
        return replace(after, job_ids=(same,) if same in self.roll and same != job.spec.id else ())


class Namesake(NamedTuple):
    """A single job among those of one user and name, in the order in which they came."""

    place: tuple[int, Serial]
    """When it was submitted, and under which id."""
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Namesakes:
    """The jobs of one user and name, in three lists in the order in which they came."""

    all: Sequence[Namesake]
    run: Sequence[Namesake]
    """Those who run, and are not ending."""
    free: Sequence[Namesake]
    """The others, less those who wait for all of their namesakes that came earlier."""


def _by_name(
    snapshot: Snapshot, tasks_max: int, changing: Set[str]
) -> Mapping[tuple[str, str], Namesakes]:
    lists = defaultdict[tuple[str, str], tuple[list[Namesake], ...]](lambda: ([], [], []))
    for job in snapshot.running:
        everybody, run, free = lists[job.spec.user, job.spec.name.raw]
        found = _namesakes_of(job.spec, None)
        everybody += found
        (free if job.state is RunState.COMPLETING else run).extend(found)
    for waiting in snapshot.pending:
        everybody, _, free = lists[waiting.spec.user, waiting.spec.name.raw]
        found = _namesakes_of(waiting.spec, tasks_max + 1)
        everybody += found
        lasts = _is_single(waiting) and changing.isdisjoint(one.id for one in found)
        free += () if lasts else found
    return {
        key: Namesakes(all=sorted(all_), run=sorted(run), free=sorted(free))
        for key, (all_, run, free) in lists.items()
    }


def _namesakes_of(spec: JobSpec, most: int | None) -> list[Namesake]:
    ids = single_ids(spec, most)
    place = spec.submitted_at, _base_serial(ids[0])
    return [Namesake(place, id_) for id_ in ids]


def _is_single(job: PendingJob) -> bool:
    """Return whether it surely waits for all its namesakes that came earlier."""
    return any(one.kind is DependencyKind.SINGLETON for one in job.dependencies) and not any(
        one.any_of for one in job.dependencies
    )


def single_ids(spec: JobSpec, most: int | None = None) -> tuple[str, ...]:
    """Return the ids under which the simulation knows a record: its tasks', or its own.

    `most`: so many of them, the first; None: all.
    """
    if spec.array is not None and spec.array.tasks:
        return tuple(f"{spec.array.job_id}_{task}" for task in spec.array.tasks[:most])
    return (spec.het.job_id if spec.het else spec.id,)


def conditions(job: PendingJob, relations: Relations) -> tuple[After, ...] | Refusal:
    """Return what the job waits for; a Refusal if nobody can foresee when that happens.

    A job that is referred to but no longer known counts as having done what was expected of it.
    """
    found = []
    for dependency in job.dependencies:
        condition = _condition(dependency, job, relations)
        if isinstance(condition, Refusal):
            return condition
        found.append(condition)
    return tuple(found)


def _condition(dependency: Dependency, job: PendingJob, relations: Relations) -> After | Refusal:
    kind, other = dependency.kind, dependency.job_id
    if kind is DependencyKind.OTHER:
        return _refusal("it depends on something that is not modelled")
    if kind is DependencyKind.SINGLETON:
        before, behind = _namesakes(job, relations)
        return After(job_ids=before, rivals=behind)
    ended = relations.finished.get(other)
    if ended is not None and not _as_expected(kind, ended):
        return _refusal(f"it depends on job {other}, which ended otherwise")
    known = tuple(id_ for id_ in relations.known(other) if id_ != job.spec.id)
    if known and kind is DependencyKind.AFTER_NOT_OK:
        return _refusal(f"it starts only if job {other} fails")
    return After(
        job_ids=known,
        started=kind is DependencyKind.AFTER,
        delay_s=dependency.delay_s,
        same_task_of=other if kind is DependencyKind.AFTER_CORR else "",
    )


def _namesakes(job: PendingJob, relations: Relations) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return who came earlier, or runs already, and who came later and may yet start before it.

    Whoever came later and is to be the only one of its name, too, starts after it.
    Source: _find_singleton_job in Slurm 22.05: whoever runs counts, also who came later.
    """
    own = set(single_ids(job.spec, relations.tasks_max + 1))
    mine = job.spec.submitted_at, _base_serial(min(own))
    there = relations.namesakes[job.spec.user, job.spec.name.raw]
    earlier = there.all[: bisect_left(there.all, mine, key=_place)]
    before = dict.fromkeys(one.id for one in (*earlier, *there.run) if one.id not in own)
    free = there.free[bisect_left(there.free, mine, key=_place) :]
    equals = there.all[len(earlier) : bisect_right(there.all, mine, key=_place)]
    behind = dict.fromkeys(one.id for one in (*equals, *free) if one.id not in own)
    return tuple(before), tuple(behind)


def _place(one: Namesake) -> tuple[int, Serial]:
    return one.place


def _base_serial(id_: str) -> Serial:
    return serial(id_.partition("_")[0])


def _as_expected(kind: DependencyKind, ended: FinishedJob) -> bool:
    if kind in (DependencyKind.AFTER_OK, DependencyKind.AFTER_CORR):
        return ended.outcome is Outcome.COMPLETED
    if kind is DependencyKind.AFTER_NOT_OK:
        return ended.outcome is not Outcome.COMPLETED
    return True


def _refusal(detail: str) -> Refusal:
    return Refusal(cause=Unpredictable.DEPENDENCY, detail=detail)
