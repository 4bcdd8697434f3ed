"""Where experiments are made: one at a time, in a humble process of its own, apart from answers."""

import os
import secrets
import shutil
import signal
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from predictor.cli.terminal import plain
from predictor.clock import Clock
from predictor.domain.durations import HOUR_S
from predictor.errors import StorageError
from predictor.service.logs import log
from predictor.service.longwork.orders import Diff, Replay, Sweep
from predictor.service.longwork.shelf import LOG, Ordered, Shelf
from predictor.service.longwork.steps import DAYS, Command, steps
from predictor.service.longwork.underling import hired

MOST_OPEN = 8
"""So many may wait or be worked on."""
MOST_KEPT = 50
"""So many that are over are kept, the newest."""
LOOK_EVERY_S = 0.2
LONGEST_CAUSE = 300


class Full(Exception):
    """No more may be ordered now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What one command may use up."""

    cpu_s: int = 4 * HOUR_S
    deadline_s: float = 8.0 * HOUR_S
    memory_bytes: int = 4 * 2**30


class Bench:
    """Takes orders and works on the oldest. For several threads at a time."""

    def __init__(self, shelf: Shelf | None, recording: Path, clock: Clock, means: Means) -> None:
        """Take up what was ordered before. `shelf` None: nothing can be ordered."""
        self._shelf = shelf
        self._recording = recording
        self._clock = clock
        self._means = means
        self._change = threading.Condition()
        self._ending = False
        self._cancelled: set[str] = set()
        self._known: dict[str, Ordered] = {}
        self._thread = threading.Thread(target=self._run, name="experiments", daemon=True)

    @property
    def shelf(self) -> Shelf | None:
        """Where they are kept; None: nowhere."""
        return self._shelf

    def start(self) -> None:
        """Begin: what waited goes on waiting, what was worked on was interrupted."""
        if self._shelf is None:
            return
        for one in self._shelf.all():
            told = replace(one, state="interrupted") if one.state == "running" else one
            self._known[told.id] = told
            if told != one:
                self._keep(told)
        self._thread.start()

    def stop(self) -> None:
        """End at once what is worked on; it is told as interrupted."""
        with self._change:
            self._ending = True
            self._change.notify()
        if self._thread.is_alive():
            self._thread.join()

    def all(self) -> Sequence[Ordered]:
        """Return all that are known, the newest first."""
        with self._change:
            return sorted(self._known.values(), key=lambda one: (-one.created_at, one.id))

    def get(self, id_: str) -> Ordered | None:
        """Return one; None: there is none such."""
        with self._change:
            return self._known.get(id_)

    def post(self, order: Replay | Diff | Sweep, by: str, key: str) -> Ordered:
        """Take an order and return it, or the one of the same person and key.

        Raises Full, and StorageError if it cannot be kept.
        """
        with self._change:
            same = (one for one in self._known.values() if key and (one.key, one.by) == (key, by))
            if (before := next(same, None)) is not None:
                return before
            if self._shelf is None or sum(one.open for one in self._known.values()) >= MOST_OPEN:
                raise Full
            one = Ordered(
                id=f"x{secrets.token_hex(8)}",
                order=order,
                by=by,
                key=key,
                created_at=int(self._clock.now()),
            )
            self._shelf.begin(one)
            self._known[one.id] = one
            self._forget_old()
            self._change.notify()
            return one

    def drop(self, id_: str) -> Ordered | None:
        """Cancel one, or forget one that is over; return it, None: there is none such."""
        with self._change:
            one = self._known.get(id_)
            if one is None:
                return None
            if one.state == "running":
                self._cancelled.add(id_)
                return replace(one, state="cancelled")
            if one.state == "queued":
                return self._settle(one, "cancelled")
            self._forget(one)
            return one

    def _forget_old(self) -> None:
        over = sorted(
            (one for one in self._known.values() if not one.open), key=lambda one: one.created_at
        )
        for one in over[: max(0, len(over) - MOST_KEPT)]:
            self._forget(one)

    def _forget(self, one: Ordered) -> None:
        del self._known[one.id]
        if self._shelf is not None:
            self._shelf.remove(one.id)

    def _run(self) -> None:
        while (one := self._next()) is not None:
            try:
                self._work(one)
            # One that fails in an odd way must not end all that come after it.
            except Exception as error:
                log("fault while an experiment was made", level=40, error=error)
                with self._change:
                    self._settle(one, "failed", type(error).__name__)

    def _next(self) -> Ordered | None:
        """Wait for the oldest that waits and return it as one that is worked on; None: the end."""
        with self._change:
            while not self._ending:
                waiting = [one for one in self._known.values() if one.state == "queued"]
                if waiting:
                    one = min(waiting, key=lambda one: one.created_at)
                    begun = replace(one, state="running", begun_at=int(self._clock.now()))
                    self._known[one.id] = begun
                    self._keep(begun)
                    return begun
                self._change.wait()
            return None

    def _work(self, one: Ordered) -> None:
        assert self._shelf is not None  # noqa: S101
        place, state, cause = self._shelf.place(one.id), "finished", ""
        for command in steps(one.order, self._recording, one.created_at):
            state, cause = self._done(one.id, command, place)
            if state != "finished":
                break
        shutil.rmtree(place / DAYS, ignore_errors=True)
        with self._change:
            self._settle(one, state, cause)

    def _done(self, id_: str, command: Command, place: Path) -> tuple[str, str]:
        """Do a command; return what became of it, and why if it failed."""
        means = self._means
        words, environment = hired(means.cpu_s, means.memory_bytes, command)
        with (place / LOG).open("ab") as out:
            process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                cwd=place,
                env=environment,
                start_new_session=True,
            )
        until = self._clock.monotonic() + means.deadline_s
        try:
            while self._clock.monotonic() < until:
                with suppress(subprocess.TimeoutExpired):
                    return self._judged(process.wait(LOOK_EVERY_S), id_)
                if self._ending:
                    return "interrupted", "the service ended"
                if id_ in self._cancelled:
                    return "cancelled", ""
            return "failed", f"not done within {means.deadline_s:g} s"
        finally:
            _end(process)

    def _judged(self, code: int, id_: str) -> tuple[str, str]:
        if code == 0:
            return "finished", ""
        if code == -signal.SIGXCPU:
            return "failed", f"not done within {self._means.cpu_s} s of processor time"
        said = "" if self._shelf is None else plain(self._shelf.progress(id_), LONGEST_CAUSE)
        return "failed", said or f"it ended with {code}"

    def _settle(self, one: Ordered, state: str, cause: str = "") -> Ordered:
        over = replace(one, state=state, cause=cause, ended_at=int(self._clock.now()))
        self._cancelled.discard(one.id)
        self._known[one.id] = over
        self._keep(over)
        return over

    def _keep(self, one: Ordered) -> None:
        try:
            if self._shelf is not None:
                self._shelf.keep(one)
        except StorageError as error:
            log("an experiment is not kept", level=40, cause=str(error))


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process with all that it started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
