"""Who has ended: by the server's history, which is told as a whole or not at all."""

import math
from collections.abc import Callable
from functools import partial

from collectors import commands
from collectors.commands import Run
from collectors.pbs.jobs import parse_jobs
from collectors.pbs.questions import HISTORY
from collectors.pbs.requests import Surroundings
from predictor.clock import Clock
from predictor.domain import Call, FinishedJob, Quarantined
from predictor.domain.source import TakeEnded, Told
from predictor.errors import SourceError

MOST_BYTES = 64 * 2**20
"""In one answer; that is about 15,000 jobs."""
BOUNDED: Run = partial(commands.run, most_bytes=MOST_BYTES)
FRESH_S = 600.0
"""So long an answer stands for the history, up to when it was given."""
AT_ONCE = 1000
"""So many jobs are handed on together."""


class Past:
    """The server's history: asked for seldom, told slice by slice."""

    def __init__(self, run: Run, clock: Clock, timeout_s: float) -> None:
        self._run = run
        self._clock = clock
        self._timeout_s = timeout_s
        self._asked_at = -math.inf
        self._told_until = 0
        self._jobs: tuple[FinishedJob, ...] = ()
        self._bad: tuple[Quarantined, ...] = ()

    def ended(
        self, since: int, until: int, take: TakeEnded, around: Callable[[int], Surroundings]
    ) -> Told:
        """Hand on who ended in that time, as `predictor.domain.source.Accounting` says.

        `around` gives what must be known to read jobs at an instant.
        """
        calls: tuple[Call, ...] = ()
        is_fresh = self._clock.monotonic() - self._asked_at <= FRESH_S
        if is_fresh and until > self._told_until:
            # All of it once more, for the last few minutes, would burden the server.
            return Told(error=SourceError(f"{HISTORY.command}: asked within {FRESH_S:g} s"))
        if not is_fresh:
            call, error = self._ask(around)
            if error is not None:
                return Told(calls=(call,), error=error)
            calls = (call,)
        found = [job for job in self._jobs if since <= job.ended_at < until]
        for at in range(0, len(found), AT_ONCE):
            take(found[at : at + AT_ONCE])
        return Told(calls=calls, quarantined=self._bad if calls else ())

    def _ask(self, around: Callable[[int], Surroundings]) -> tuple[Call, SourceError | None]:
        begun, now = self._clock.monotonic(), int(self._clock.now())
        try:
            printed = self._run(HISTORY.argv, self._timeout_s)
            HISTORY.refuse(printed)
            jobs, self._bad = parse_jobs(printed.output, around(now))
        except SourceError as error:
            spent_s = self._clock.monotonic() - begun
            failed = Call(
                name=HISTORY.name, duration_s=spent_s, size_bytes=0, ok=False, kind=error.kind
            )
            return failed, error
        self._asked_at, self._told_until, self._jobs = begun, now, jobs.finished
        return Call(
            name=HISTORY.name, duration_s=printed.duration_s, size_bytes=printed.size_bytes
        ), None
