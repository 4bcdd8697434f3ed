"""Who makes the runs: processes of this machine, one for each run, or the workers of Dask.

A run whose worker dies brings `Lost`, and harms no other.
"""

import ctypes
import gc
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from predictor.errors import QueuecastError
from verification.clusters import DaskPool, dask_pool

if TYPE_CHECKING:
    from verification.sweep.runs import Run

PR_SET_PDEATHSIG = 1
"""The number by which Linux's `prctl` knows what a process is sent when its parent dies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """Whoever made the run died over it."""

    cause: str


Item = TypeVar("Item")
Work = Callable[[Item], Any]
"""Makes a run, or whatever else there is to do. To go to other machines, it must be picklable."""
Ended = tuple[Item, Any]
"""A run, and what the work returned, or `Lost`."""


class Crew(Protocol):
    """Makes runs, several at a time."""

    @property
    def width(self) -> int:
        """How many runs may be under way at a time."""
        ...

    @property
    def words(self) -> str:
        """Who it is, for a person."""
        ...

    @property
    def inherits(self) -> bool:
        """Whether what this process has read need not be read again."""
        ...

    def begin(self, run: "Run") -> None:
        """Begin a run. Raises QueuecastError."""
        ...

    def ended(self, within_s: float) -> "Sequence[Ended[Run]]":
        """Return what ended, once something did; after so many seconds nothing.

        Raises QueuecastError if nobody is left to make runs.
        """
        ...


class Local(Generic[Item]):
    """Processes of this machine: a copy of this one for each run."""

    inherits = True

    def __init__(self, work: Work[Item], width: int) -> None:
        self._work = work
        self.width = width
        self.words = f"{width} local processes" if width > 1 else "one local process"
        self._context = get_context("fork")
        self._under_way: dict[Connection, tuple[Item, BaseProcess]] = {}

    def begin(self, run: Item) -> None:
        """Begin a run. What this process has read already need not be read again."""
        receiving, sending = self._context.Pipe(duplex=False)
        given = (self._work, run, sending, os.getpid())
        process = self._context.Process(target=_make, args=given, daemon=True)
        process.start()
        sending.close()
        self._under_way[receiving] = (run, process)

    def ended(self, within_s: float) -> Sequence[Ended[Item]]:
        """Return what ended, once something did; after so many seconds nothing."""
        channels = [
            one for one in wait([*self._under_way], within_s) if isinstance(one, Connection)
        ]
        return [self._received(channel) for channel in channels]

    def _received(self, channel: Connection) -> Ended[Item]:
        run, process = self._under_way.pop(channel)
        try:
            result = channel.recv()
        except (EOFError, OSError):
            process.join()
            result = Lost(cause=f"its process {_death(process.exitcode)}")
        channel.close()
        process.join()
        return run, result

    def close(self) -> None:
        """End what is under way."""
        for _, process in self._under_way.values():
            process.terminate()
        for channel, (_, process) in self._under_way.items():
            process.join()
            channel.close()
        self._under_way.clear()


def _make(work: Work[Item], run: Item, sending: Connection, parent: int) -> None:
    """Make a run in a process of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal tells everybody; we are ended
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with suppress(AttributeError, OSError):  # elsewhere than on Linux an orphan works to its end
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        return
    gc.freeze()  # to search what was inherited for garbage would copy it
    sending.send(work(run))


def _death(code: int | None) -> str:
    if code is None or code >= 0:
        return f"ended by itself with {code}"
    with suppress(ValueError):
        return f"was killed by {signal.Signals(-code).name}"
    return f"was killed by signal {-code}"


class OnDask:
    """The workers of a Dask cluster, which must see the inputs at the same paths."""

    inherits = False

    def __init__(self, work: "Work[Run]", pool: DaskPool, words: str) -> None:
        self._work = work
        self._pool = pool
        self.words = words
        self._under_way: dict[Any, Run] = {}

    @property
    def width(self) -> int:
        """How many runs may be under way: as many as there are threads by now, and one more each.

        Who has ended a run need not wait for us then.
        """
        return 2 * self._pool.width

    def begin(self, run: "Run") -> None:
        """Begin a run."""
        self._under_way[self._pool.submit(self._work, run)] = run

    def ended(self, within_s: float) -> "Sequence[Ended[Run]]":
        """Return what ended, once something did; after so many seconds nothing."""
        done = self._pool.ended([*self._under_way], within_s)
        return [(self._under_way.pop(future), self._result(future)) for future in done]

    def _result(self, future: Any) -> Any:
        from distributed import KilledWorker

        error = future.exception()
        if isinstance(error, KilledWorker):
            return Lost(cause=f"its Dask worker died: {error.last_worker}")
        if error is not None or future.cancelled():
            raise QueuecastError(f"the Dask cluster gave no answer: {error or 'it is gone'}")
        return future.result()


@contextmanager
def local_crew(work: Work[Item], width: int) -> Iterator[Local[Item]]:
    """Yield up to `width` processes of this machine; in the end none is left."""
    crew = Local(work, width)
    try:
        yield crew
    finally:
        crew.close()


@contextmanager
def dask_crew(work: "Work[Run]", where: str, jobs: int) -> Iterator[OnDask]:
    """Yield the workers of a Dask cluster, as `dask_pool` has it. Raises QueuecastError."""
    with dask_pool(where, jobs, deaths=0) as pool:
        words = {"local": f"{jobs} processes of Dask", "slurm": f"up to {jobs} batch jobs"}
        yield OnDask(work, pool, words.get(where, f"the Dask cluster at {where}"))
