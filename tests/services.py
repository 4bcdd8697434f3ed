"""A service in pieces, for tests: a clock that stands still, results, and an app to ask."""

import asyncio
import os
import threading
import time
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from clusters import NOW, array, cluster, running, waiting
from starlette.types import ASGIApp

from predictor.domain import (
    Abstention,
    Cause,
    Forecast,
    Hold,
    Lately,
    Observation,
    Outlook,
    Prediction,
    Snapshot,
    Unpredictable,
    Untrusted,
)
from predictor.errors import SourceError
from predictor.service.answering import Newest
from predictor.service.api import application
from predictor.service.asking.viewers import ANONYMOUS, Viewer
from predictor.service.forecaster import Reply
from predictor.service.longwork.bench import Bench, Means
from predictor.service.longwork.checking import Checking
from predictor.service.metrics import Metrics
from predictor.service.neighbours import Neighbours
from predictor.service.published import Board, Published, Terms, Trouble, publication
from predictor.service.tick import Desk
from predictor.service.watches.reception import Reception
from predictor.service.watches.store import Watches
from predictor.service.whatif.asking import Supposing
from predictor.site import default
from predictor.web.backstage import Backstage
from predictor.web.routes import pages
from predictor.windows.drift import Alarm, Figure

TERMS = Terms(interval_s=60, stale_after_s=300)
HOSTILE = "<script>alert(1)</script>\x1b[2J\u202e\ud800"


def neighbours(most: int = 500) -> Neighbours:
    """Room for so many connections of everybody, through whom nobody else asks."""
    return Neighbours(most, lambda peer: False)


@dataclass
class StandingClock:
    """Tells the same time until it is set."""

    at: float = NOW + 20
    slept: list[float] = field(default_factory=list)
    steady_s: float | None = None
    """What no setting of the clock moves; None: it goes with it."""

    def now(self) -> float:
        return self.at

    def monotonic(self) -> float:
        return self.at if self.steady_s is None else self.steady_s

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


def scene(**more) -> Snapshot:
    """A queue with a plain job, an array, a held job of bob's, and one that runs."""
    return cluster(
        4,
        waiting("11", 2, of_job={"name": Untrusted(HOSTILE), "account": "physics"}),
        array("12", 6, at_once=2),
        waiting("13", hold=Hold.USER, of_job={"user": "bob"}),
        running("10", "n1 n2", 30),
        **more,
    )


def said(snapshot: Snapshot) -> Forecast:
    """What a predictor could say: held jobs abstained from, the others an hour apart."""
    free = [job.spec for job in snapshot.pending if job.hold is Hold.NONE]
    held = [job.spec for job in snapshot.pending if job.hold is not Hold.NONE]
    return Forecast(
        cluster=snapshot.cluster,
        snapshot_at=snapshot.taken_at,
        policy="easy",
        fingerprint=snapshot.fingerprint,
        predictions=tuple(
            Prediction(
                job_id=spec.id,
                start_at=snapshot.taken_at + 3_600 * rank,
                end_at=snapshot.taken_at + 3_600 * rank + 600,
                partition=spec.partitions[0],
                node_names=("n1", "n2"),
                cause=Cause.RESOURCES if rank == 1 else Cause.PRIORITY,
                rank=rank,
                last_start_at=None if spec.array is None else snapshot.taken_at + 9 * 3_600,
            )
            for rank, spec in enumerate(free, start=1)
        ),
        abstentions=tuple(
            Abstention(job_id=spec.id, cause=Unpredictable.HELD, detail="its user holds it")
            for spec in held
        ),
    )


def sure(made: Forecast, likely_s: int = 0) -> Forecast:
    """The same with windows, half an hour before to an hour after the start moved by so much."""
    return replace(
        made,
        predictions=tuple(
            replace(told, outlook=outlook(told.start_at + likely_s)) for told in made.predictions
        ),
    )


def outlook(likely_at: int) -> Outlook:
    low_at, high_at, by_at = likely_at - 1_800, likely_at + 3_600, likely_at + 5_400
    return Outlook(
        likely_at=likely_at,
        low_at=low_at,
        high_at=high_at,
        by_at=by_at,
        quantiles=((0.1, low_at), (0.5, likely_at), (0.9, high_at), (0.95, by_at)),
        basis="as the last 9 jobs of this user: half of them 12 min or less",
        lately=LATELY,
    )


TROUBLE = Trouble(
    looks=3,
    kind="unreachable",
    cause=f"squeue: no contact {HOSTILE}",
    next_at=NOW + 300,
)
"""What may keep newer answers away; commands may say anything."""
LATELY = Lately(
    like="jobs of batch said to start in 1 to 4 h",
    jobs=340,
    since_at=NOW - 7 * 86_400,
    typical_error_s=1_320,
    held80=0.8235,
)


ALARM = Alarm(
    what=Figure.HELD,
    whom="jobs of batch",
    since_at=NOW - 7_200,
    raised_at=NOW - 600,
    before=0.82,
    after=0.55,
)


def result(
    snapshot: Snapshot | None = None, at: float = NOW + 5, *, windows: bool = False
) -> Published:
    seen = scene() if snapshot is None else snapshot
    made = sure(said(seen)) if windows else said(seen)
    return publication(seen, made, TERMS, at, at + 1)


def without_jobs(snapshot: Snapshot) -> Snapshot:
    return replace(snapshot, pending=(), running=())


@dataclass
class Scripted:
    """A source that gives what it was told to, in turn; the last for ever."""

    script: list[Snapshot | Exception]
    looks: int = 0

    def observe(self) -> Observation:
        self.looks += 1
        answer = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(answer, Exception):
            raise answer
        return Observation(snapshot=answer)


def desk(
    predict=said,
    complete=lambda snapshot: snapshot,
    keep=lambda forecast: None,
    windows=lambda budget_s: Reply(),
) -> Desk:
    return Desk(
        complete=complete,
        predict=predict,
        windows=windows,
        drawing_s=20,
        keep=keep,
        board=Board(),
        clock=StandingClock(),
        terms=TERMS,
    )


def answer(number: int) -> int:
    """For workers: tasks must be importable."""
    return 2 * number


def hang(_number: int) -> int:
    time.sleep(60)
    return 0


def burn(_number: int) -> int:
    while True:
        pass


def devour(_number: int) -> int:
    return len(bytearray(4 * 2**30))


def break_down(number: int) -> int:
    raise ValueError(f"no answer to {number}")


def process_id(_number: int) -> int:
    return os.getpid()


@dataclass
class Tally:
    """Sums up what it is told, in the process that it was sent to."""

    total: int = 0

    def __call__(self, number: int) -> int:
        self.total += number
        return self.total


def space_of_threads(number: int) -> int:
    """Return by how many bytes the address space grows while so many threads hold memory."""
    before = _address_space()
    threading.stack_size(2**16)
    meet = threading.Barrier(number + 1)

    def hold() -> None:
        held = bytearray(2**12)
        meet.wait()
        meet.wait()
        del held

    threads = [threading.Thread(target=hold) for _ in range(number)]
    for thread in threads:
        thread.start()
    meet.wait()
    grown = _address_space() - before
    meet.wait()
    for thread in threads:
        thread.join()
    return grown


def _address_space() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * os.sysconf("SC_PAGE_SIZE")


UNREACHABLE = SourceError("squeue: Unable to contact slurm controller")


@dataclass
class Client:
    """Asks an app by a loopback name, without a network."""

    app: ASGIApp

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.ask("GET", path, headers)

    def ask(self, method: str, path: str, headers=None, content=None) -> httpx.Response:
        async def exchange() -> httpx.Response:
            wire = httpx.ASGITransport(self.app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=wire, base_url="http://localhost") as line:
                return await line.request(method, path, headers=headers, content=content)

        return asyncio.run(exchange())


def app(
    board: Board,
    clock: StandingClock,
    metrics: Metrics | None = None,
    *,
    viewer: Viewer = ANONYMOUS,
    open_: bool = True,
    hosts: frozenset[str] = frozenset(),
    supposing: Supposing | None = None,
    recording: Path = Path("there-is-none"),
    experiments: Path | None = None,
    reception: Reception | None = None,
    bench: Bench | None = None,
) -> ASGIApp:
    """The application as somebody sees it; jobs that are not private are `open_` to all."""
    newest = Newest(board, clock, open_=open_)
    supposing = supposing or Supposing(default(), clock)
    metrics = metrics or Metrics(board)
    reception = reception or Reception(Watches(None), default().notices, clock)
    bench = bench or Bench(None, recording, clock, Means())
    checking = Checking()
    behind = Backstage(
        registry=metrics.registry,
        recording=recording,
        experiments=experiments,
        bench=bench,
        checking=checking,
    )
    return application(
        newest,
        metrics,
        clock,
        hosts,
        pages(newest, supposing, reception, behind),
        known_by=partial(As, viewer=viewer),
        supposing=supposing,
        reception=reception,
        bench=bench,
        checking=checking,
    )


@dataclass
class As:
    """Lets everybody be taken for somebody."""

    app: ASGIApp
    viewer: Viewer

    async def __call__(self, scope, receive, send) -> None:
        scope["state"] = {"viewer": self.viewer}
        await self.app(scope, receive, send)


def client(
    board: Board,
    clock: StandingClock,
    metrics: Metrics | None = None,
    **more: Any,
) -> Client:
    return Client(app(board, clock, metrics, **more))


def board(published: Published | None = None) -> Board:
    full = Board()
    if published is not None:
        full.put(published)
    return full
