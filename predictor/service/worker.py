"""A process of its own for the heavy part: bounded in time and memory, replaced when it fails."""

import contextlib
import ctypes
import multiprocessing
import os
import resource
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, inf
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeVar

from predictor.errors import ServiceError
from predictor.garbage import collect_seldom
from predictor.service.parcels import packed, unpacked

R = TypeVar("R")

SPAWN = multiprocessing.get_context("spawn")
M_ARENA_MAX = -8
"""The number by which glibc's `mallopt` knows how many pools of memory there may be."""
MOST_ARENAS = 2
NICENESS = 5
"""Answering people comes before computing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What a worker may use up."""

    cpu_s: int
    """CPU time of one call."""
    deadline_s: float
    """Time on the clock of one call, the start of a new process included."""
    memory_bytes: int
    """The process's address space."""


class WorkerFailed(ServiceError):
    """The worker gave no result. `kind` is one of timeout, died, memory, error, stopped."""

    def __init__(self, kind: str, cause: str) -> None:
        self.kind = kind
        super().__init__(cause)


class Worker(Generic[R]):
    """Runs `task` in a long-lived process, one call at a time.

    `task` must be importable, its arguments and result picklable.
    """

    def __init__(self, task: Callable[..., R], bounds: Bounds) -> None:
        self._task = task
        self._bounds = bounds
        self._lock = threading.Lock()
        self._process: multiprocessing.process.BaseProcess | None = None
        self._line: Connection | None = None
        self._stopped = False

    @property
    def pid(self) -> int | None:
        """The process's id; None while there is none."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Start the process, unless it runs, so that the first call need not wait for it."""
        with self._lock:
            self._ensure()

    def __call__(self, *args: object, within_s: float = inf) -> R:
        """Return `task(*args)`. Raises WorkerFailed; the next call then gets a fresh process.

        `within_s` bounds the time on the clock further than the worker's own deadline.
        """
        deadline_s = min(within_s, self._bounds.deadline_s)
        with self._lock:
            line = self._ensure()
            late = threading.Event()
            alarm = threading.Timer(deadline_s, self._give_up, (late,))
            alarm.start()
            try:
                line.send_bytes(packed(args))
                succeeded, answer = unpacked(line.recv_bytes())
            except (EOFError, OSError):
                code = self._discard()
                raise self._explain(late, deadline_s, code) from None
            finally:
                alarm.cancel()
        if not succeeded:
            raise WorkerFailed(*answer)
        result: R = answer
        return result

    def stop(self) -> None:
        """End the process at once, whatever it is doing. A call in flight raises WorkerFailed."""
        self._stopped = True
        self._kill()
        with self._lock:
            self._discard()

    def _ensure(self) -> Connection:
        if self._stopped:
            raise WorkerFailed("stopped", "the service is ending")
        if self._line is None or self._process is None or not self._process.is_alive():
            self._discard()
            self._line, theirs = SPAWN.Pipe()
            self._process = SPAWN.Process(
                target=_serve, args=(theirs, self._task, self._bounds), daemon=True
            )
            self._process.start()
            theirs.close()
        return self._line

    def _give_up(self, late: threading.Event) -> None:
        late.set()
        self._kill()

    def _kill(self) -> None:
        process = self._process
        if process is not None:
            # Gone already, and collected: all that is wanted.
            with contextlib.suppress(ValueError):
                process.kill()

    def _discard(self) -> int | None:
        """Collect what is left of the process and return its exit code; None without one."""
        if self._line is not None:
            self._line.close()
        process, self._process, self._line = self._process, None, None
        if process is None:
            return None
        process.kill()
        process.join()
        code = process.exitcode
        process.close()
        return code

    def _explain(self, late: threading.Event, deadline_s: float, code: int | None) -> WorkerFailed:
        if self._stopped:
            return WorkerFailed("stopped", "the service is ending")
        if late.is_set():
            return WorkerFailed("timeout", f"not done within {deadline_s:g} s")
        if code == -signal.SIGXCPU:
            return WorkerFailed("timeout", f"not done within {self._bounds.cpu_s} s of CPU time")
        ending = f"by signal {-code}" if code is not None and code < 0 else f"with status {code}"
        return WorkerFailed("died", f"the worker process ended {ending}")


def _serve(line: Connection, task: Callable[..., Any], bounds: Bounds) -> None:
    """Answer calls until the other end closes."""
    # Ctrl-C reaches the whole process group; the parent decides when we end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.nice(NICENESS)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    collect_seldom()
    _share_arenas()
    resource.setrlimit(resource.RLIMIT_AS, (bounds.memory_bytes, bounds.memory_bytes))
    with contextlib.suppress(EOFError, OSError):
        while True:
            args = unpacked(line.recv_bytes())
            _allow_cpu(bounds.cpu_s)
            line.send_bytes(packed(_answer(task, args)))


def _end_with_parent() -> None:
    """Wait for the parent's end, and end in the middle of a call: nobody would hear its result."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)


def _share_arenas() -> None:
    """Let threads share few pools of memory: each pool takes address space, which is bounded."""
    # A C library without pools has no such function.
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, MOST_ARENAS)


def _allow_cpu(seconds: int) -> None:
    """Let the process use so much CPU time from now on, however much it has used."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = ceil(used.ru_utime + used.ru_stime) + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard < 0 else min(soft, hard), hard))


def _answer(task: Callable[..., Any], args: tuple[object, ...]) -> tuple[bool, Any]:
    try:
        return True, task(*args)
    except MemoryError:
        return False, ("memory", "more memory needed than the worker may have")
    except Exception as error:
        return False, ("error", f"{type(error).__name__}: {error}")
