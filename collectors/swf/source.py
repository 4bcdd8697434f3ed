"""A trace played as a live cluster: who waits and runs at its second t, as it has it itself."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from collectors.settings import number_of, path_of, refuse_unknown
from collectors.swf.jobs import Stream, TraceJob
from collectors.swf.pool import Pool
from collectors.swf.telling import finished, queue_of, running, spec_of
from predictor.clock import Clock, SystemClock
from predictor.domain import (
    Call,
    Fact,
    Hidden,
    JobSpec,
    Observation,
    Partition,
    PendingJob,
    Provenance,
    Quarantined,
    SchedulerSettings,
    Snapshot,
)
from predictor.errors import SiteError, SourceError

SYSTEM_CLOCK = SystemClock()
KIND = "swf"
KEYS = frozenset({"path", "speed", "skip_s", "procs", "cpus_per_node"})
"""What the source can be told in a site file."""
FASTEST = 3600
MOST_CPUS = 10_000_000
MOST_NODES = 200_000
RECENT_S = 300
"""So long those stay visible who are over, or until the next look if that is longer."""
MOST_QUEUES = 1000
OTHERS = "others"
"""The queue of all jobs in further ones."""
SETTINGS = SchedulerSettings(multifactor=False, memory_is_consumable=False, min_job_age_s=RECENT_S)
_HIDDEN = tuple(
    Hidden(fact=fact, why="a trace does not tell")
    for fact in Fact
    if fact not in (Fact.JOBS, Fact.NODES, Fact.PARTITIONS)
)


class TracePlayer:
    """Plays a trace once. Memory holds who waits, runs or has just ended, whatever its length.

    At another speed than 1 looks are further apart in the trace; within each of them durations
    stay what they are.
    """

    def __init__(
        self,
        stream: Stream,
        *,
        cpus: int,
        cpus_per_node: int,
        speed: float,
        skip_s: float,
        clock: Clock,
    ) -> None:
        """Begin now, `skip_s` seconds into the trace."""
        self._name = stream.path.name.partition(".")[0]
        self._left_out = stream.left_out
        self._coming: Iterator[TraceJob] | None = stream.jobs(cpus)
        self._next: TraceJob | None = None
        self._pool = Pool(cpus, cpus_per_node)
        self._cpus_per_node = cpus_per_node
        self._clock = clock
        self._speed = speed
        self._skip_s = skip_s
        self._began = clock.monotonic()
        self._looked_s = int(skip_s)
        self._waiting: dict[int, TraceJob] = {}
        self._running: dict[int, TraceJob] = {}
        self._over: list[tuple[TraceJob, tuple[str, ...]]] = []
        self._queues: dict[str, None] = {}

    def observe(self) -> Observation:
        """Look at the trace now. Raises SourceError, also when it is over."""
        began = self._clock.monotonic()
        now_s = int(self._skip_s + (began - self._began) * self._speed)
        self._play(now_s)
        self._looked_s = now_s
        if self._coming is None and not (self._waiting or self._running or self._over):
            raise SourceError(f"the trace {self._name} is over{self._why()}")
        snapshot = self._snapshot(now_s, taken_at=int(self._clock.now()))
        call = Call(name=KIND, duration_s=self._clock.monotonic() - began, size_bytes=0)
        return Observation(snapshot=snapshot, calls=(call,))

    def _play(self, now_s: int) -> None:
        """Go on to that second: who is submitted, who leaves, who starts."""
        shown_from_s = min(self._looked_s, now_s - RECENT_S)
        self._over = [(job, nodes) for job, nodes in self._over if job.end_s > shown_from_s]
        for job in self._submitted(now_s):
            if job.number in self._waiting or job.number in self._running:
                self._left_out.add(job.line, f"job {job.number} again")
            elif job.end_s > shown_from_s:
                self._waiting[job.number] = job
        for number in _leaving(self._running, now_s):
            self._over.append((self._running.pop(number), self._pool.release(number)))
        for number in _leaving(self._waiting, now_s):
            self._over.append((self._waiting.pop(number), ()))
        for number in _starting(self._waiting, now_s):
            job = self._running[number] = self._waiting.pop(number)
            self._pool.take(number, job.cpus)

    def _submitted(self, now_s: int) -> Iterator[TraceJob]:
        """Yield who is submitted by now, as far as nobody stands before them who is not."""
        while self._coming is not None:
            self._next = self._next or next(self._coming, None)
            if self._next is None:
                self._coming = None
            elif self._next.submit_s > now_s:
                return
            else:
                yield self._next
                self._next = None

    def _snapshot(self, now_s: int, taken_at: int) -> Snapshot:
        delta_s = taken_at - now_s
        pending = [PendingJob(spec=self._spec(job, delta_s)) for job in self._waiting.values()]
        runs = [
            running(job, self._spec(job, delta_s), self._pool.shares(number), delta_s)
            for number, job in self._running.items()
        ]
        over = [
            finished(job, self._spec(job, delta_s), nodes, delta_s) for job, nodes in self._over
        ]
        return Snapshot(
            cluster=self._name,
            taken_at=taken_at,
            provenance=Provenance(source=KIND, hidden=_HIDDEN, quarantined=self._quarantined()),
            nodes=self._pool.nodes(),
            partitions=tuple(
                Partition(name=name, node_names=self._pool.names) for name in self._queues
            ),
            pending=tuple(pending),
            running=tuple(runs),
            finished=tuple(over),
            settings=SETTINGS,
        )

    def _spec(self, job: TraceJob, delta_s: int) -> JobSpec:
        name = queue_of(job)
        if name not in self._queues:
            name = OTHERS if len(self._queues) >= MOST_QUEUES else name
            self._queues[name] = None
        return spec_of(job, name, self._cpus_per_node, delta_s)

    def _why(self) -> str:
        """Return what was left out: of a trace without waits, such as a made one, it is all."""
        left = self._left_out
        return f"; of its lines {left.count} were left out: {left.example}" if left.count else ""

    def _quarantined(self) -> tuple[Quarantined, ...]:
        left = self._left_out
        bad = Quarantined(fact=Fact.JOBS, count=left.count, example=left.example)
        return (bad,) if left.count else ()


def _leaving(jobs: Mapping[int, TraceJob], now_s: int) -> list[int]:
    return [number for number, job in jobs.items() if job.end_s <= now_s]


def _starting(waiting: Mapping[int, TraceJob], now_s: int) -> list[int]:
    due = ((j.start_s, n) for n, j in waiting.items() if j.start_s is not None)
    return [number for start_s, number in sorted(due) if start_s <= now_s]


def from_settings(settings: Mapping[str, object], *, clock: Clock = SYSTEM_CLOCK) -> TracePlayer:
    """Return a source from `path`, a trace, perhaps compressed with gzip. Raises SiteError.

    Further settings: `speed` (1), `skip_s` (0), `procs` and `cpus_per_node`: what the header says,
    by MaxProcs and MaxNodes; without MaxNodes a node has one CPU.
    """
    refuse_unknown(KIND, settings, KEYS)
    path = path_of(KIND, settings, "path")
    if path is None:
        raise SiteError(f'source "{KIND}": path: expected a trace')
    speed = number_of(KIND, settings, "speed", 1, wanted="a number")
    if speed > FASTEST:
        raise SiteError(f'source "{KIND}": speed: expected at most {FASTEST}, got {speed:g}')
    stream = Stream(path=Path(path))
    try:
        header = stream.header()
    except SourceError as error:
        raise SiteError(f'source "{KIND}": path: {error}') from error
    cpus = _whole(settings, "procs", header.max_procs or header.max_nodes or 0)
    if not cpus:
        raise SiteError(f'source "{KIND}": procs: needed, for the trace has no MaxProcs')
    nodes = header.max_nodes or cpus
    cpus_per_node = _whole(settings, "cpus_per_node", -(-cpus // nodes)) or 1
    if cpus > MOST_NODES * cpus_per_node:
        raise SiteError(f'source "{KIND}": cpus_per_node: more than {MOST_NODES} nodes of so few')
    return TracePlayer(
        stream,
        cpus=cpus,
        cpus_per_node=cpus_per_node,
        speed=speed,
        skip_s=number_of(KIND, settings, "skip_s", 0, or_none=True),
        clock=clock,
    )


def _whole(settings: Mapping[str, object], key: str, default: int) -> int:
    value = settings.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST_CPUS:
        wanted = f"a whole number up to {MOST_CPUS}"
        raise SiteError(f'source "{KIND}": {key}: expected {wanted}, got {value!r}')
    return value
