"""A queue of notices to one place, in a thread of its own: bounded, patient, and not for ever."""

import random
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heappop, heappush

from predictor.clock import Clock
from predictor.service.logs import log
from predictor.service.watches.counts import NoticeCounts
from predictor.service.watches.sending import NotSent, Send
from predictor.service.watches.watch import Notice


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long a notice is tried."""

    first_pause_s: float = 5.0
    """Before the second attempt; each pause after is twice as long."""
    longest_pause_s: float = 120.0
    lifetime_s: float = 600.0
    """After so long a notice is given up."""
    most: int = 1_000
    """So many notices may wait."""

    def pause_s(self, attempts: int, chance: float) -> float:
        """Return how long to wait after so many attempts; `chance` in [0, 1) takes off a half."""
        longest = min(self.first_pause_s * 2.0 ** min(attempts - 1, 30), self.longest_pause_s)
        return longest * (1 - chance / 2)


USUAL = Patience()


@dataclass(order=True, slots=True)
class _Waiting:
    """A notice that waits for its turn."""

    due_at: float
    number: int
    until: float = field(compare=False)
    notice: Notice = field(compare=False)
    attempts: int = field(default=0, compare=False)


class Lane:
    """Sends notices to one place. What hangs there delays nobody else's."""

    def __init__(
        self,
        name: str,
        send: Send,
        counts: NoticeCounts,
        clock: Clock,
        patience: Patience = USUAL,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._name = name
        self._send = send
        self._counts = counts
        self._clock = clock
        self._patience = patience
        self._chance = chance
        self._queue: list[_Waiting] = []
        self._number = 0
        self._ending = False
        self._change = threading.Condition()
        self._thread: threading.Thread | None = None

    def put(self, notice: Notice) -> None:
        """Take a notice, or drop it if too many wait. Never waits."""
        now = self._clock.monotonic()
        with self._change:
            if self._ending or len(self._queue) >= self._patience.most:
                self._counts.refused(notice)
                return
            self._number += 1
            until = now + self._patience.lifetime_s
            heappush(
                self._queue, _Waiting(due_at=now, number=self._number, until=until, notice=notice)
            )
            self._counts.queued(notice)
            self._set_out()
            self._change.notify()

    def stop(self) -> None:
        """Begin nothing more. Never waits for what is on its way."""
        with self._change:
            self._ending = True
            self._change.notify()

    def _set_out(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(
                target=self._run, name=f"notices {self._name}", daemon=True
            )
            self._thread.start()

    def _run(self) -> None:
        while (waiting := self._next()) is not None:
            self._attempt(waiting)

    def _next(self) -> _Waiting | None:
        """Wait for the next one that is due and return it; None at the end."""
        with self._change:
            while not self._ending:
                left_s = self._queue[0].due_at - self._clock.monotonic() if self._queue else None
                if left_s is not None and left_s <= 0:
                    return heappop(self._queue)
                self._change.wait(left_s)
            return None

    def _attempt(self, waiting: _Waiting) -> None:
        try:
            self._send(waiting.notice)
        except NotSent as error:
            self._failed(waiting, str(error), again=error.again)
        # A fault of ours must not end the lane.
        except Exception as error:
            log("fault while a notice was sent", level=40, error=error)
            self._failed(waiting, type(error).__name__, again=False)
        else:
            self._counts.sent(waiting.notice)

    def _failed(self, waiting: _Waiting, cause: str, *, again: bool) -> None:
        self._counts.failed(waiting.notice)
        waiting.attempts += 1
        pause_s = self._patience.pause_s(waiting.attempts, self._chance())
        waiting.due_at = self._clock.monotonic() + pause_s
        if again and waiting.due_at <= waiting.until:
            with self._change:
                heappush(self._queue, waiting)
            return
        self._counts.given_up(waiting.notice)
        log(
            "a notice was given up",
            level=30,
            to=self._name,
            kind=waiting.notice.kind.value,
            attempts=waiting.attempts,
            cause=cause,
        )
