"""A small cluster whose truth is known, and a way to look at it that fails in every manner."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

from predictor import lml
from predictor.domain import (
    Call,
    FinishedJob,
    JobSpec,
    Node,
    NodeShare,
    NodeSharing,
    NodeState,
    Observation,
    Outcome,
    Partition,
    PendingJob,
    Provenance,
    Request,
    RunningJob,
    SchedulerSettings,
    Snapshot,
    Untrusted,
)
from predictor.domain.durations import DAY_S
from predictor.domain.shift import shifted
from predictor.domain.source import TakeEnded, Told
from predictor.errors import DocumentError, SourceError, SourceFormatError, SourceTimeout

REMEMBERED_S = 300
MOST_WAITING = 10
USERS = ("ada", "bob", "eve")
PAST_S = 3 * DAY_S
LATE_S = 20
"""So long accounting takes to know of an end."""
CALL = Call(name="look", duration_s=0.1, size_bytes=1_000)


class VirtualClock:
    """True time passes when it is told to; what the clock on the wall says may be set."""

    def __init__(self, at: float) -> None:
        self.true = at
        self.set_by = 0.0
        """By so much the wall clock is ahead of the truth."""

    def now(self) -> float:
        return self.true + self.set_by

    def monotonic(self) -> float:
        return self.true - 1_000_000_000

    def sleep(self, seconds: float) -> None:
        self.true += seconds


@dataclass(slots=True)
class Job:
    """One job, as it really goes."""

    id: str
    user: str
    submitted_at: int
    nodes: int
    limit_s: int
    run_s: int
    started_at: int | None = None
    on: tuple[str, ...] = ()
    restarts: int = 0

    @property
    def ends_at(self) -> int | None:
        return None if self.started_at is None else self.started_at + self.run_s


@dataclass(slots=True)
class Cluster:
    """Whole nodes, one partition; whoever fits starts, the oldest first."""

    chance: Random
    at: int
    size: int
    every_s: int
    """A job is submitted so often, on average."""
    ids: int
    """So many numbers there are, before they are used again."""
    waiting: list[Job] = field(default_factory=list)
    running: list[Job] = field(default_factory=list)
    ended: list[tuple[int, Job]] = field(default_factory=list)
    number: int = 0
    next_at: int = 0

    def __post_init__(self) -> None:
        self.next_at = self.at

    @property
    def node_names(self) -> tuple[str, ...]:
        return tuple(f"n{i}" for i in range(1, self.size + 1))

    def until(self, at: int) -> None:
        """Let it go on until then."""
        while True:
            ends = [job.ends_at for job in self.running if job.ends_at is not None]
            due = min([self.next_at, *ends])
            if due > at:
                break
            self.at = due
            self._turn()
        self.at = max(self.at, at)

    def requeue(self) -> None:
        """Send a job that runs back to the queue, where it keeps its id."""
        if self.running:
            job = self.running.pop(self.chance.randrange(len(self.running)))
            job.started_at, job.on, job.restarts = None, (), job.restarts + 1
            self.waiting.append(job)

    def _turn(self) -> None:
        for job in [job for job in self.running if job.ends_at == self.at]:
            self.running.remove(job)
            self.ended.append((self.at, job))
        if self.next_at == self.at:
            self._submit()
            self.next_at = self.at + max(1, round(self.chance.expovariate(1 / self.every_s)))
        self.waiting.sort(key=lambda job: (job.submitted_at, int(job.id)))
        for job in list(self.waiting):
            self._start(job)

    def _submit(self) -> None:
        chance = self.chance
        if len(self.waiting) >= MOST_WAITING:
            return
        limit_s = chance.choice((300, 900, 3_600))
        taken = {job.id for job in (*self.waiting, *self.running)}
        taken |= {job.id for at, job in self.ended if at > self.at - REMEMBERED_S - 60}
        while True:
            self.number = self.number % self.ids + 1
            if str(self.number) not in taken:
                break
        self.waiting.append(
            Job(
                id=str(self.number),
                user=chance.choice(USERS),
                submitted_at=self.at,
                nodes=chance.randint(1, max(1, self.size // 2)),
                limit_s=limit_s,
                run_s=max(1, round(limit_s * chance.choice((0.02, 0.2, 0.5, 0.9, 1)))),
            )
        )

    def _start(self, job: Job) -> None:
        busy = {name for other in self.running for name in other.on}
        free = [name for name in self.node_names if name not in busy]
        if len(free) >= job.nodes:
            job.started_at, job.on = self.at, tuple(free[: job.nodes])
            self.waiting.remove(job)
            self.running.append(job)

    def told_of(self, since: int, until: int) -> list[FinishedJob]:
        """Return whom accounting knows of by now who ended in that time."""
        known = self.at - LATE_S
        return [ended(job, at) for at, job in self.ended if since <= at < until and at <= known]

    def snapshot(self, ahead_s: int = 0) -> Snapshot:
        """Return what there is to be seen, by a clock that is ahead by so much."""
        names = self.node_names
        busy = {name for job in self.running for name in job.on}
        seen = Snapshot(
            cluster="elm",
            taken_at=self.at,
            provenance=Provenance(source="simulated"),
            nodes=tuple(
                Node(
                    name=name,
                    cpus=4,
                    memory_mb=8_000,
                    state=NodeState.ALLOCATED if name in busy else NodeState.IDLE,
                )
                for name in names
            ),
            partitions=(
                Partition(
                    name="batch",
                    node_names=names,
                    sharing=NodeSharing.EXCLUSIVE,
                    max_time_s=86_400,
                ),
            ),
            settings=SchedulerSettings(min_job_age_s=REMEMBERED_S),
            pending=tuple(PendingJob(spec=spec(job)) for job in self.waiting),
            running=tuple(
                RunningJob(
                    spec=spec(job),
                    started_at=job.started_at or 0,
                    allocation=tuple(NodeShare(node=n, cpus=4, memory_mb=8_000) for n in job.on),
                )
                for job in self.running
            ),
            finished=tuple(ended(job, at) for at, job in self.ended if at > self.at - REMEMBERED_S),
        )
        return shifted(seen, ahead_s) if ahead_s else seen


def spec(job: Job) -> JobSpec:
    return JobSpec(
        id=job.id,
        user=job.user,
        name=Untrusted(f"<{job.id}>&\x1b"),
        request=Request(nodes=job.nodes, cpus=4 * job.nodes, limit_s=job.limit_s),
        partitions=("batch",),
        submitted_at=job.submitted_at,
    )


def ended(job: Job, at: int) -> FinishedJob:
    return FinishedJob(
        spec=spec(job), ended_at=at, outcome=Outcome.COMPLETED, started_at=job.started_at
    )


LOOKS = (
    "timeout",
    "unreachable",
    "format",
    "bug",
    "no nodes",
    "empty",
    "shrunk",
    "again",
    "older",
    "other cluster",
    "future",
    "truncated",
    "garbage",
)
"""The manners in which a look can go wrong."""
PASTS = ("timeout", "unreachable", "nobody", "cut off")


class FaultySource:
    """Looks at the cluster as it is told to: `look` is empty or one of LOOKS, `past` of PASTS."""

    def __init__(self, cluster: Cluster, clock: VirtualClock, chance: Random) -> None:
        self.cluster = cluster
        self.clock = clock
        self.chance = chance
        self.look = ""
        self.past = ""
        self.ahead_s = 0
        self.past_s = PAST_S
        self.asked_at: list[float] = []
        self.asked_past_at: list[float] = []
        self.shown: dict[int, list[Snapshot]] = {}
        self.shown_at: dict[int, float] = {}
        """When, in truth, by the instant that a snapshot bears."""
        self._last: list[Snapshot] = []

    def observe(self) -> Observation:
        self.asked_at.append(self.clock.true)
        self.cluster.until(int(self.clock.true))
        seen = _LOOKS[self.look](self)
        at = seen.taken_at
        self.shown.setdefault(at, []).append(seen)
        # Of an old look by a clock that is ahead of ours nobody can tell that it is old.
        ahead = self.ahead_s > 0 or at > self.clock.now()
        if self.look not in ("again", "older") or at not in self.shown_at or ahead:
            self.shown_at[at] = self.clock.true
        self._last = [*self._last[-5:], seen]
        return Observation(snapshot=seen, calls=(CALL,))

    def ended(self, since: int, until: int, take: TakeEnded) -> Told:
        self.asked_past_at.append(self.clock.true)
        self.cluster.until(int(self.clock.true))
        if self.past == "timeout":
            self.clock.sleep(20)
            return Told(calls=(CALL,), error=SourceTimeout("sacct: no answer within 20 s"))
        if self.past == "unreachable":
            return Told(calls=(CALL,), error=SourceError("sacct: no database"))
        known = self.cluster.told_of(since - self.ahead_s, until - self.ahead_s)
        if self.past == "nobody":
            known = []
        if self.past == "cut off":
            known = known[: len(known) // 2]
        jobs = [_moved(job, self.ahead_s) for job in known]
        for some in range(0, len(jobs), 5):
            take(jobs[some : some + 5])
        error = SourceError("sacct: the line broke") if self.past == "cut off" else None
        return Told(calls=(CALL,), error=error)

    def _fine(self) -> Snapshot:
        return self.cluster.snapshot(self.ahead_s)

    def _timeout(self) -> Snapshot:
        self.clock.sleep(20)
        raise SourceTimeout("squeue: no answer within 20 s")

    def _unreachable(self) -> Snapshot:
        raise SourceError("squeue: Unable to contact slurm controller")

    def _format(self) -> Snapshot:
        raise SourceFormatError("squeue: expected JSON, got '<!DOCTYPE'")

    def _bug(self) -> Snapshot:
        raise ZeroDivisionError("a fault in the adapter")

    def _no_nodes(self) -> Snapshot:
        return replace(self._fine(), nodes=())

    def _empty(self) -> Snapshot:
        return replace(self._fine(), pending=(), running=(), finished=())

    def _shrunk(self) -> Snapshot:
        seen = self._fine()
        return replace(
            seen,
            pending=seen.pending[: len(seen.pending) // 10],
            running=seen.running[: len(seen.running) // 10],
        )

    def _again(self) -> Snapshot:
        return self._last[-1] if self._last else self._fine()

    def _older(self) -> Snapshot:
        return self.chance.choice(self._last) if self._last else self._fine()

    def _other_cluster(self) -> Snapshot:
        return replace(self._fine(), cluster="oak")

    def _future(self) -> Snapshot:
        return shifted(self._fine(), self.chance.choice((4_000, DAY_S, 10 * 365 * DAY_S)))

    def _truncated(self) -> Snapshot:
        document = lml.write(self._fine())
        return _parsed(document[: self.chance.randrange(len(document))])

    def _garbage(self) -> Snapshot:
        document = bytearray(lml.write(self._fine()))
        for _ in range(self.chance.choice((1, 10, 100))):
            document[self.chance.randrange(len(document))] = self.chance.randrange(256)
        return _parsed(bytes(document))


def _parsed(document: bytes) -> Snapshot:
    try:
        return lml.read(document, place="the source").snapshot
    except DocumentError as error:
        raise SourceFormatError(str(error)) from error


def _moved(job: FinishedJob, ahead_s: int) -> FinishedJob:
    begun = None if job.started_at is None else job.started_at + ahead_s
    spec_ = replace(job.spec, submitted_at=job.spec.submitted_at + ahead_s)
    return replace(job, spec=spec_, started_at=begun, ended_at=job.ended_at + ahead_s)


_LOOKS: dict[str, Callable[[FaultySource], Snapshot]] = {
    "": FaultySource._fine,
    **{name: getattr(FaultySource, "_" + name.replace(" ", "_")) for name in LOOKS},
}
