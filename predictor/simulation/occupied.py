"""What running jobs hold, and until when the batch system lets them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from predictor.domain import (
    UNLIMITED,
    CpuGranularity,
    NodeShare,
    NodeSharing,
    Partition,
    RunningJob,
    RunState,
    SchedulerSettings,
    Sharing,
    Snapshot,
)
from predictor.domain.defaults import planned_s
from predictor.scheduling.machine import Shape
from predictor.scheduling.placing import Holding
from predictor.scheduling.rules import Rules
from predictor.scheduling.sharing import crowd_of, yields
from predictor.simulation.dependencies import single_ids
from predictor.simulation.rows import rows_of

WHOLE = Shape(whole=True, cpus=0, memory_mb=0)
"""What holds a node to itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """When a running job's limit is over, and when it is taken to end if it runs on. Epoch seconds.

    Source: Slurm 22.05, as its log of a pass tells (OverTimeLimit: job_test.c).
    """

    at: int
    grace_s: int = 0
    """It is taken to end so long after `at`, or later by `ahead_s`."""
    ahead_s: int = 0
    """Once `at` has passed, it is never taken to end sooner than so long from now."""

    def seen(self, now: int) -> int:
        """Return when it is taken to end by who looks at it now."""
        return self.at if self.at > now else max(self.at + self.grace_s, now + self.ahead_s)


def due(job: RunningJob, rules: Rules, now: int) -> Due:
    """Return when the job's limit is over.

    A job past its limit is taken to end once the time is over that it may overrun, and that the
    batch system gives it to die, and a moment from now if both are over already; if it may overrun
    for ever, as long from now as it was allowed to run. One that is completing is taken to end at
    once: its nodes are still to be cleared then.
    """
    if job.state is RunState.COMPLETING:
        return Due(at=now)
    partition = _partition(job, rules)
    length = planned_s(job.spec.request, partition)
    end = job.ends_by
    if end is not None and job.state is RunState.CONFIGURING:
        # Its time begins only when its nodes have booted.
        boots_s = rules.settings.boot_s
        nodes = (share.node for share in job.allocation)
        end += max((rules.boots_s.get(node, boots_s) for node in nodes), default=boots_s)
    if end is None:
        end = job.started_at + job.suspended_s + length
    if job.stopped_since is not None:
        # Only once it goes on its end is put off.
        end -= now - job.stopped_since
    return _overrun(end, length, partition, rules.settings)


def planned_due(job: RunningJob, rules: Rules, now: int) -> Due:
    """Return the same as plans are made by.

    Where starts are sought anew, who should have ended is gone a second later; see `Seeking`.
    Source: Slurm 24.11 to 26.05, _build_cr_job_list.
    """
    known = due(job, rules, now)
    passes = rules.settings.passes
    if passes is not None and passes.seeks_anew and job.state is not RunState.COMPLETING:
        return replace(known, grace_s=0, ahead_s=1)
    return known


def _overrun(
    end: int, length: int, partition: Partition | None, settings: SchedulerSettings
) -> Due:
    """Return the same of a limit that is over then.

    Where nodes are handed out whole a job past it may end any moment (select_linear.c).
    """
    over_s = settings.over_time_s
    if partition is not None and partition.over_time_s is not None:
        over_s = partition.over_time_s
    if settings.granularity is CpuGranularity.NODE:
        return Due(at=end, ahead_s=1)
    if over_s is UNLIMITED:
        return Due(at=end, ahead_s=length)
    return Due(at=end, grace_s=(over_s or 0) + settings.kill_wait_s, ahead_s=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A job that runs already: until when, and in which array's lane."""

    id: str
    """A single id: a heterogeneous job's components share it."""
    end_at: int
    due: Due
    lane: str = ""
    user: str = ""
    """Empty: not told."""
    held: tuple[Holding, ...] = ()
    """What it holds; told with the first of its ids where it has several."""
    amended: tuple[tuple[int, int], ...] = ()
    """When its limit is made another, and until when it may then run; ascending."""
    sent_back: bool = False
    """Whether it waits anew, and only its nodes are still to be cleared."""


def running_jobs(snapshot: Snapshot, rules: Rules) -> tuple[Running, ...]:
    """Return when each running job ends, and what it holds until then."""
    rows, now = rows_of(snapshot, rules), snapshot.taken_at

    def held(job: RunningJob) -> tuple[Holding, ...]:
        return tuple(_holdings(job, rules, now, rows.get(job.spec.id, -1)))

    found = (
        Running(
            id=id_,
            end_at=due(job, rules, now).seen(now),
            due=planned_due(job, rules, now),
            lane=_lane(job),
            user=job.spec.user,
            held=held(job) if place == 0 else (),
            sent_back=job.is_sent_back(now),
        )
        for job in snapshot.running
        for place, id_ in enumerate(single_ids(job.spec))
    )
    # Where some must make room for others, a job's components leave together.
    return tuple(found if snapshot.settings.preemption is None else _as_one(found))


def _lane(job: RunningJob) -> str:
    """Return which array's limit of running tasks the job counts for; one that is over, none."""
    if job.spec.array is None or job.state is RunState.COMPLETING:
        return ""
    return job.spec.array.job_id


def amended(
    limits: Iterable[tuple[int, RunningJob]], id_: str, rules: Rules
) -> Iterator[tuple[int, int]]:
    """Yield when a running job gets another limit, and until when it may then run.

    `limits`: from when on others have other limits, and these jobs as they are then.
    """
    for at, job in limits:
        if id_ in single_ids(job.spec):
            yield at, planned_due(job, rules, at).seen(at)


def _as_one(running: Iterable[Running]) -> Iterable[Running]:
    """Return those of one id as one, which ends with the last of them."""
    found: dict[str, Running] = {}
    for one in running:
        known = found.get(one.id)
        found[one.id] = (
            one
            if known is None
            else replace(known, end_at=max(known.end_at, one.end_at), held=(*known.held, *one.held))
        )
    return found.values()


def _holdings(job: RunningJob, rules: Rules, now: int, row: int) -> list[Holding]:
    """Return one holding per distinct share, the licenses with the first."""
    partition = _partition(job, rules)
    alone = (
        row < 0
        and job.stopped_since is None
        and (
            job.spec.request.sharing is Sharing.EXCLUSIVE
            or (partition is not None and partition.sharing is NodeSharing.EXCLUSIVE)
        )
    )
    own = job.spec.request.sharing is Sharing.USER or (
        partition is not None and partition.exclusive_user
    )
    shares: dict[Shape, int] = {}
    for share in job.allocation:
        number = rules.machine.number(share.node)
        if number is not None:
            if job.stopped_since is not None:
                shape = _left(share, rules.settings)
            else:
                shape = WHOLE if alone else _part(share, partition, row)
            shares[shape] = shares.get(shape, 0) | 1 << number
    end = planned_due(job, rules, now).seen(now)
    return [
        Holding(
            start_at=min(job.started_at, now),
            end_at=end,
            nodes=nodes,
            shape=rules.machine.intern(WHOLE if own else shape),
            licenses=job.spec.request.licenses if i == 0 else (),
            user=job.spec.user,
            beside_own=rules.machine.intern(shape) if own else None,
        )
        for i, (shape, nodes) in enumerate(shares.items())
    ]


def _partition(job: RunningJob, rules: Rules) -> Partition | None:
    return rules.partitions.get(job.spec.partitions[0]) if job.spec.partitions else None


def _left(share: NodeShare, settings: SchedulerSettings) -> Shape:
    """Return what a job keeps of a node that a person has stopped."""
    memory_mb = share.memory_mb if settings.memory_is_consumable else 0
    return Shape(whole=False, cpus=0, memory_mb=memory_mb, gres=share.gres)


def _part(share: NodeShare, partition: Partition | None, row: int) -> Shape:
    return Shape(
        whole=False,
        cpus=share.cpus,
        memory_mb=share.memory_mb,
        gres=share.gres,
        quota="" if partition is None else partition.name,
        row=row,
        crowd="" if partition is None else crowd_of(partition),
        yields=partition is not None and yields(partition),
    )
