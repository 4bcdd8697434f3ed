"""The daemon in a simulated machine: its code is the real one, its timer and processes are not."""

from collections.abc import Callable
from concurrent.futures import Future
from copy import deepcopy
from dataclasses import dataclass, field, replace
from math import ceil, inf
from pathlib import Path
from random import Random
from typing import Any

from campaigns.simulated_cluster import FaultySource, VirtualClock
from campaigns.simulated_disk import MemoryDisk

from predictor.domain import Cause, Forecast, Outlook, Prediction, Snapshot
from predictor.errors import StorageError
from predictor.experience import Experience
from predictor.outlooks import Told, likely
from predictor.service.answering import Newest
from predictor.service.forecaster import Question, Reply
from predictor.service.means import Means
from predictor.service.patience import PatientSource
from predictor.service.rounds import Rounds, Surroundings
from predictor.service.tick import TickReport
from predictor.service.watches.noticing import Noticing, Seeing
from predictor.service.watches.store import Watches, file_of
from predictor.service.watches.watch import Kind, Notice, Watch
from predictor.service.worker import Bounds, WorkerFailed
from predictor.site import Site
from predictor.storage.answers import written

INTERVAL_S = 60
STALE_S = 300
KEEP_DAYS = 1
WATCHES = tuple(
    Watch(
        id=user,
        owner=user,
        job=None,
        kinds=frozenset(Kind),
        soon_s=600,
        webhook=None,
        created_at=0,
    )
    for user in ("ada", "bob", "eve")
)


def site_of(folder: Path, **more: Any) -> Site:
    """The site of all simulations: a look a minute, and what is older than a day is not kept."""
    tables: dict[str, Any] = {
        "recording": {"path": str(folder / "recording"), "keep_days": KEEP_DAYS},
        "service": {"interval_s": INTERVAL_S, "stale_after_s": STALE_S},
        "access": {"anonymous": "jobs"},
        "forecast": {"draws": 4},
    }
    return Site.model_validate(tables | more)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What the real predictor said of a snapshot, and by what it had learned."""

    snapshot_at: int
    state: object
    document: bytes


@dataclass
class Oracle:
    """Forecasts: by the real predictor once in a while, else by a plan that anyone can check."""

    real_every: int
    """So often, in looks; 0: never."""
    looks: int = 0
    said: list[Said] = field(default_factory=list)

    def means(self) -> Means:
        return Means(
            fresh=Experience.of,
            restored=Experience.restored,
            likely=self.likely,
            with_outlooks=self.with_outlooks,
        )

    def likely(self, snapshot: Snapshot, site: Site, experience: Experience) -> Forecast:
        self.looks += 1
        if not self.real_every or self.looks % self.real_every:
            return planned(snapshot)
        made = likely(snapshot, site, experience)
        if len(self.said) < 2:
            self.said.append(
                Said(
                    snapshot_at=snapshot.taken_at,
                    state=deepcopy(experience.state()),
                    document=written(made, 0, ""),
                )
            )
        return made

    def with_outlooks(
        self,
        made: Forecast,
        snapshot: Snapshot,
        site: Site,
        experience: Experience,
        *,
        clock: VirtualClock,
        budget_s: float,
    ) -> Told:
        told = tuple(_with_outlook(one) for one in made.predictions)
        return Told(forecast=replace(made, predictions=told), sayings=(), draws=1)


def planned(snapshot: Snapshot) -> Forecast:
    """One after the other, each where enough nodes are free first, running jobs to their limits."""
    now = snapshot.taken_at
    free_at = {node.name: now for node in snapshot.nodes}
    for job in snapshot.running:
        for share in job.allocation:
            if share.node in free_at:
                free_at[share.node] = max(now + 1, job.started_at + (job.spec.request.limit_s or 0))
    told = []
    for rank, job in enumerate(snapshot.pending, start=1):
        request = job.spec.request
        names = sorted(free_at, key=lambda name: (free_at[name], name))[: request.nodes]
        start_at = max((free_at[name] for name in names), default=now)
        end_at = start_at + (request.limit_s or 0)
        free_at |= dict.fromkeys(names, end_at)
        told.append(
            Prediction(
                job_id=job.spec.id,
                start_at=start_at,
                end_at=end_at,
                partition="batch",
                node_names=tuple(names),
                cause=Cause.STARTS_NOW if start_at == now else Cause.RESOURCES,
                rank=rank,
            )
        )
    return Forecast(
        cluster=snapshot.cluster,
        snapshot_at=now,
        policy="planned",
        fingerprint=snapshot.fingerprint,
        predictions=tuple(told),
        abstentions=(),
    )


def _with_outlook(one: Prediction) -> Prediction:
    low, high = one.start_at, one.start_at + 600
    sure = Outlook(
        likely_at=one.start_at,
        low_at=low,
        high_at=high,
        by_at=high + 60,
        quantiles=((0.1, low), (0.5, one.start_at), (0.9, high), (0.95, high + 60)),
        basis="a simulation",
    )
    return replace(one, outlook=sure)


class InlineWorker:
    """Stands for the worker's process: a copy of the task that is lost when it dies."""

    def __init__(
        self,
        task: Callable[[Question], Reply],
        bounds: Bounds,
        clock: VirtualClock,
        fault: Callable[[], str],
        shared: tuple[object, ...],
    ) -> None:
        self._task = task
        self._bounds = bounds
        self._clock = clock
        self._fault = fault
        self._shared = shared
        self._process: Callable[[Question], Reply] | None = None

    pid = None

    def start(self) -> None:
        if self._process is None:
            self._process = deepcopy(self._task, {id(one): one for one in self._shared})

    def __call__(self, *args: Question, within_s: float = inf) -> Reply:
        self.start()
        assert self._process is not None
        fault = self._fault()
        if fault == "dies":
            self._process = None
            raise WorkerFailed("died", "the worker process ended by signal 9")
        if fault == "hangs":
            self._process = None
            self._clock.sleep(min(within_s, self._bounds.deadline_s))
            raise WorkerFailed("timeout", "not done in time")
        if fault == "memory":
            raise WorkerFailed("memory", "more memory needed than the worker may have")
        self._clock.sleep(40 if fault == "slow" else 0.25)
        try:
            reply = self._process(*args)
        except Exception as error:
            raise WorkerFailed("error", f"{type(error).__name__}: {error}") from error
        if fault == "dies after":
            self._process = None
            raise WorkerFailed("died", "the worker process ended by signal 9")
        return reply

    def stop(self) -> None:
        self._process = None


WORKER_FAULTS = ("dies", "dies after", "hangs", "memory", "slow")


class Prompt(PatientSource):
    """Asks without a thread: a simulated source hangs on the simulated clock only."""

    def _patiently(self, ask: Callable[[Future], Any]) -> Any:
        return ask(Future())


class Agenda:
    """Counts intervals on the clock that never jumps."""

    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock
        self.due_at = clock.monotonic()

    def put_off(self, wait_s: float) -> None:
        self.due_at = self._clock.monotonic() + wait_s

    def left_s(self) -> float:
        """As an interval trigger does that leaves out what it missed."""
        late_s = self._clock.monotonic() - self.due_at
        if late_s > 0:
            self.due_at += INTERVAL_S * ceil(late_s / INTERVAL_S)
        return self.due_at - self._clock.monotonic()

    def ticked(self) -> None:
        self.due_at += INTERVAL_S


class Witnessed(Rounds):
    """Tells what was acknowledged, at once."""

    acknowledged: Callable[[Snapshot], None]
    kept: Callable[[int, bytes], None]

    def _commit(self, snapshot: Snapshot) -> None:
        super()._commit(snapshot)
        self.acknowledged(snapshot)

    def _keep(self, forecast: Forecast) -> None:
        hash_ = self._recording.add_answers(forecast)
        self.kept(forecast.snapshot_at, hash_)


class Hearing(Noticing):
    """Hands notices to a list instead of threads."""

    heard: list[Notice]

    def _hand_over(self, notice: Notice) -> None:
        self.heard.append(notice)


@dataclass
class Ledger:
    """What was acknowledged to have been kept."""

    snapshots: dict[int, Snapshot] = field(default_factory=dict)
    answers: list[tuple[int, str]] = field(default_factory=list)
    watches: set[str] = field(default_factory=set)
    notices: list[str] = field(default_factory=list)

    def acknowledge(self, snapshot: Snapshot) -> None:
        self.snapshots[snapshot.taken_at] = snapshot

    def keep(self, snapshot_at: int, hash_: str) -> None:
        self.answers.append((snapshot_at, hash_))


class Life:
    """A daemon from its start to its end; raises what a failing start raises."""

    def __init__(
        self,
        site: Site,
        disk: MemoryDisk,
        clock: VirtualClock,
        source: FaultySource,
        oracle: Oracle,
        ledger: Ledger,
        chance: Random,
        worker_fault: Callable[[], str] = lambda: "",
    ) -> None:
        self.clock = clock
        self.ledger = ledger
        self.agenda = Agenda(clock)
        self.means = oracle.means()
        shared = (clock, disk, site, self.means, oracle)
        around = Surroundings(
            clock=clock,
            files=disk,
            chance=chance.random,
            patient=Prompt,
            hire=lambda task, bounds: InlineWorker(task, bounds, clock, worker_fault, shared),
        )
        self.rounds = Witnessed(
            site, connect=lambda _: source, means=self.means, around=around, agenda=self.agenda
        )
        self.rounds.acknowledged = ledger.acknowledge
        self.rounds.kept = ledger.keep
        self.watches = Watches(file_of(site.recording.path), disk)
        self.noticing = Hearing(
            self.rounds.board, self.watches, {}, self.rounds.metrics.notices, clock, Seeing(site)
        )
        self.noticing.heard = []
        self.newest = Newest(self.rounds.board, clock, open_=True)
        self.rounds.start()
        self.pruned_at = clock.monotonic()

    def revive(self) -> TickReport | None:
        return self.rounds.revive()

    def tick(self) -> TickReport:
        """One round: the look, what is to be told of it, and the next one planned."""
        self.agenda.ticked()
        report = self.rounds.tick()
        self.noticing.look()
        return report

    def watch(self) -> None:
        """Have users watch all their jobs."""
        for watch in WATCHES:
            if watch.id not in self.ledger.watches:
                try:
                    self.watches.add(watch)
                    self.ledger.watches.add(watch.id)
                except StorageError:
                    pass

    def stop(self) -> None:
        """End cleanly."""
        self.rounds.break_off()
        self.rounds.close()
