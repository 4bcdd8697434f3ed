"""The daemon's own life: ticks on time, a site file that may change, a clean end."""

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from apscheduler.events import (
    EVENT_JOB_ERROR,
    EVENT_JOB_MAX_INSTANCES,
    EVENT_JOB_MISSED,
    EVENT_JOB_SUBMITTED,
    JobEvent,
    JobSubmissionEvent,
)
from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler

from predictor.clock import Clock
from predictor.domain.durations import HOUR_S
from predictor.service.logs import log
from predictor.service.means import Means
from predictor.service.metrics import Metrics
from predictor.service.published import Board
from predictor.service.rounds import Connect, Rounds, Surroundings
from predictor.site import Site

TICK = "tick"
PRUNE_EVERY_S = 6 * HOUR_S
PRUNE_AFTER_S = 600
"""First so long after the start: who is started often must not grow without bound."""


class Daemon:
    """Goes its rounds in a thread of its own, and hangs the results on `board`."""

    def __init__(self, site: Site, *, connect: Connect, means: Means, clock: Clock) -> None:
        """Open the recording and make the source. Raises SiteError or StorageError."""
        # One thread: ticks, reloads and pruning never meet.
        self._scheduler = BackgroundScheduler(
            executors={"default": ThreadPoolExecutor(1)},
            job_defaults={"coalesce": True, "max_instances": 1},
            timezone=UTC,
        )
        self._scheduler.add_listener(self._beat, EVENT_JOB_SUBMITTED | EVENT_JOB_MAX_INSTANCES)
        self._scheduler.add_listener(self._missed, EVENT_JOB_MAX_INSTANCES | EVENT_JOB_MISSED)
        self._scheduler.add_listener(self._broken, EVENT_JOB_ERROR)
        self._overdue = False
        """Whether the next tick was due while the last one had not ended."""
        self._due_at = 0.0
        """When the next look is due, by the machine's clock."""
        around = Surroundings(clock=clock)
        self._rounds = Rounds(site, connect=connect, means=means, around=around, agenda=self)

    @property
    def board(self) -> Board:
        """Where the results hang."""
        return self._rounds.board

    @property
    def metrics(self) -> Metrics:
        """What is counted."""
        return self._rounds.metrics

    @property
    def worker_pid(self) -> int | None:
        """The id of the process that computes forecasts; None while there is none."""
        return self._rounds.worker_pid

    def start(self) -> None:
        """Begin: first the recording's last snapshot, then a look at once and at every interval."""
        self._rounds.start()
        now = datetime.now(UTC)
        self._scheduler.add_job(self._rounds.revive, next_run_time=now, misfire_grace_time=None)
        self._scheduler.add_job(self._tick, id=TICK, next_run_time=now, **self._every())
        self._scheduler.add_job(
            self._rounds.prune,
            "interval",
            seconds=PRUNE_EVERY_S,
            next_run_time=now + timedelta(seconds=PRUNE_AFTER_S),
            misfire_grace_time=None,
        )
        self._scheduler.start()

    def stop(self) -> None:
        """End at once: break off look and forecast, finish a commit, close the recording."""
        self._rounds.break_off()
        if self._scheduler.running:
            self._scheduler.shutdown(wait=True)
        self._rounds.close()

    def reload(self, read: Callable[[], Site]) -> None:
        """Take over the site that `read` returns, between two ticks; keep the old if it raises."""
        self._scheduler.add_job(self._reload, args=(read,), misfire_grace_time=None)

    def put_off(self, wait_s: float) -> None:
        """Have the next look in so many seconds."""
        next_run = datetime.now(UTC) + timedelta(seconds=wait_s)
        self._scheduler.modify_job(TICK, next_run_time=next_run)
        self._due_at = next_run.timestamp()

    def left_s(self) -> float:
        """Return the seconds until the next look."""
        # Never asked of the scheduler: while it ends, it waits for us with its lock held.
        left_s = self._due_at - time.time()
        return left_s if left_s > 0 else self._rounds.site.service.interval_s

    def _tick(self) -> None:
        """Look; and again if that was due meanwhile: better a little late than not at all."""
        for _ in range(2):
            self._overdue = False
            report = self._rounds.tick()
            if not self._overdue or self._rounds.ending or report.outcome == "error":
                return

    def _every(self) -> Mapping[str, Any]:
        interval_s = self._rounds.site.service.interval_s
        return {
            "trigger": "interval",
            "seconds": interval_s,
            "misfire_grace_time": max(1, interval_s // 2),
        }

    def _reload(self, read: Callable[[], Site]) -> None:
        if self._rounds.reload(read):
            every = self._every()
            self._scheduler.modify_job(TICK, misfire_grace_time=every["misfire_grace_time"])
            self._scheduler.reschedule_job(TICK, trigger="interval", seconds=every["seconds"])

    def _beat(self, event: JobSubmissionEvent) -> None:
        if event.job_id == TICK:
            begun_at = event.scheduled_run_times[-1].timestamp()
            self._due_at = begun_at + self._rounds.site.service.interval_s

    def _missed(self, event: JobEvent) -> None:
        if event.job_id == TICK:
            self._overdue = True
            self.metrics.missed("late")
            log("tick late: the one before is still running or the machine slept", level=30)

    def _broken(self, event: JobEvent) -> None:
        if not self._rounds.ending:
            log("fault outside of a tick", level=40, error=event.exception)
