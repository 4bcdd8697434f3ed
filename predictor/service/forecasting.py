"""The worker as the daemon uses it: its answers, its notes in the log, its failures counted."""

from collections.abc import Callable
from math import ceil, inf
from pathlib import Path
from typing import Protocol

from predictor.clock import Clock
from predictor.domain import Forecast, Snapshot
from predictor.errors import StorageError
from predictor.processors import processors
from predictor.service import memory
from predictor.service.forecaster import Forecaster, Look, Question, Reply, Save, Sure
from predictor.service.logs import log
from predictor.service.means import Means
from predictor.service.metrics import Metrics
from predictor.service.worker import Bounds, Worker, WorkerFailed
from predictor.site import Site
from predictor.storage.files import OS_FILES, Files

MIB = 2**20
GRACE_S = 30
"""So much longer than asked windows may take, twice, before the process is given up."""
SAVE_WITHIN_S = 20
DEADLY = frozenset({"died", "timeout", "memory"})
MOST_DEATHS = 3
"""So often in a row the process may fail before what was learned is suspected."""

Hire = Callable[[Callable[[Question], Reply], Bounds], "Hired"]
"""Makes a worker for a task."""


class Hired(Protocol):
    """What forecasts are asked of: `Worker`, or whatever stands for it."""

    @property
    def pid(self) -> int | None:
        """The process's id; None while there is none."""
        ...

    def start(self) -> None:
        """Be ready for a question."""
        ...

    def __call__(self, *args: Question, within_s: float = inf) -> Reply:
        """Return the task's answer. Raises WorkerFailed."""
        ...

    def stop(self) -> None:
        """End at once."""
        ...


class Forecasting:
    """Asks a worker process, replaced when it fails, on behalf of one site."""

    def __init__(
        self,
        site: Site,
        means: Means,
        clock: Clock,
        metrics: Metrics,
        *,
        files: Files = OS_FILES,
        hire: Hire = Worker,
    ) -> None:
        self._file: Path = memory.file_of(site.recording.path)
        self._files = files
        self._worker = hire(Forecaster(site, means, clock, files), _bounds(site))
        self._draws = site.forecast.draws
        self._metrics = metrics
        self._deaths = 0
        self._told = False

    @property
    def pid(self) -> int | None:
        """The id of the process; None while there is none."""
        return self._worker.pid

    def start(self) -> None:
        """Start the process, so that the first answer need not wait for it."""
        self._worker.start()

    def stop(self) -> None:
        """End the process at once; what it learned since it last kept it is in the recording."""
        self._worker.stop()

    def look(self, snapshot: Snapshot) -> Forecast:
        """Return the point answer. Raises WorkerFailed."""
        made = self._ask(Look(snapshot=snapshot)).forecast
        if made is None:
            raise WorkerFailed("error", "the worker made no forecast")
        return made

    def sure(self, budget_s: float) -> Reply:
        """Return the last answer with windows, if there are any. Raises WorkerFailed."""
        told, self._told = self._told, False
        return self._ask(Sure(budget_s=budget_s, told=told), within_s=2 * (budget_s + GRACE_S))

    def told(self, ends: int) -> None:
        """Let the worker know that the recording holds so many more ends of jobs."""
        self._told = self._told or ends > 0

    def save(self) -> None:
        """Have kept what was learned. A failure is a line in the log."""
        try:
            self._ask(Save(), within_s=SAVE_WITHIN_S)
        except WorkerFailed as error:
            log("what was learned is not kept", level=40, cause=str(error))

    def _ask(self, question: Question, within_s: float = inf) -> Reply:
        try:
            reply = self._worker(question, within_s=within_s)
        except WorkerFailed as error:
            self._suspect(error)
            raise
        if isinstance(question, Sure) and (reply.forecast is not None or not self._draws):
            self._deaths = 0
        for note in reply.notes:
            log("learning", level=30, note=note)
        self._metrics.learned(reply)
        return reply

    def _suspect(self, error: WorkerFailed) -> None:
        """Set aside what was learned if the process fails again and again."""
        self._deaths += error.kind in DEADLY
        if self._deaths < MOST_DEATHS:
            return
        self._deaths = 0
        try:
            aside = memory.set_aside(self._file, self._files)
            log("learning begins anew", level=40, cause=str(error), set_aside=str(aside))
        except StorageError as failed:
            log("learning cannot begin anew", level=40, cause=str(failed))


def _bounds(site: Site) -> Bounds:
    table = site.service.worker
    # Windows are drawn on all of them.
    drawing_s = ceil(site.drawing_s) * processors()
    return Bounds(
        cpu_s=table.cpu_s + drawing_s,
        deadline_s=2 * table.cpu_s + 10,
        memory_bytes=table.memory_mb * MIB,
    )
