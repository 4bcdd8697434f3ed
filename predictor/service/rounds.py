"""What the daemon does when its time has come: look, answer, ask accounting, prune.

It keeps no time and has no thread of its own: who makes it says when, and no two at a time.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from predictor import storage
from predictor.clock import AHEAD_S, Clock
from predictor.domain import FinishedJob, Forecast, Observation, Snapshot, Source
from predictor.domain.durations import DAY_S
from predictor.domain.instants import rfc3339
from predictor.errors import QueuecastError, StorageError
from predictor.service import ledger, shown
from predictor.service.accounts import Accounts
from predictor.service.doubt import Gate
from predictor.service.forecasting import Forecasting, Hire
from predictor.service.logs import log
from predictor.service.means import Means
from predictor.service.metrics import Metrics
from predictor.service.patience import PatientSource
from predictor.service.pausing import pause_s
from predictor.service.probation import Probation
from predictor.service.published import Board, Published, Terms, Trouble
from predictor.service.reporting import tell, tell_asked
from predictor.service.room import room
from predictor.service.scoring import Scoring
from predictor.service.shown import Shown
from predictor.service.slips import remembered
from predictor.service.tick import UNDISTURBED, Desk, Stage, TickReport, recall, revive, tick
from predictor.service.week import Week
from predictor.service.week import file_of as week_file_of
from predictor.service.worker import Worker
from predictor.site import Site, overlay, without_private_text, without_private_texts
from predictor.storage.files import OS_FILES, Files

TOLD_BEFORE = 120
"""So many of the newest answers are looked at for what jobs were told before a restart."""
MOST_TOLD = 50_000
"""No more single answers than about so many are looked at for that."""
LOOK_DEADLINE_S = 120
"""Sources have deadlines of their own; this one is for those that break their word."""

Connect = Callable[[Site], Source]


class Agenda(Protocol):
    """When the next look is due."""

    def put_off(self, wait_s: float) -> None:
        """Have the next look in so many seconds."""
        ...

    def left_s(self) -> float:
        """Return the seconds until the next look."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What of the machine a daemon touches."""

    clock: Clock
    files: Files = OS_FILES
    chance: Callable[[], float] = random.random
    """Draws from [0, 1)."""
    hire: Hire = Worker
    """Makes what computes forecasts."""
    patient: Callable[[Source, float], PatientSource] = PatientSource
    """Asks a source, for so many seconds at most."""


class Rounds:
    """Looks at one cluster, and hangs the results on `board`."""

    def __init__(
        self, site: Site, *, connect: Connect, means: Means, around: Surroundings, agenda: Agenda
    ) -> None:
        """Open the recording and make the source. Raises SiteError or StorageError."""
        self.board = Board()
        self.metrics = Metrics(self.board)
        self._connect = connect
        self._means = means
        self._around = around
        self._clock = around.clock
        self._agenda = agenda
        self._ending = False
        self._failures = 0
        self._gate = Gate()
        self._scoring = Scoring()
        self._set_out(site)
        path = site.recording.path
        self._recording = storage.open_for_writing(path, clock=self._clock, files=around.files)
        self._probation = Probation(
            self._clock, self._recording.last_at, self._recording.evenly_since(AHEAD_S)
        )
        self._last: Snapshot | None = None
        """The snapshot that was committed last."""
        self._recalled: Shown | None = None
        """The result of before the restart, until there has been a look or a newer one."""
        self._week = Week(week_file_of(path), around.files)
        self._accounts = Accounts(
            ledger.file_of(path), self._clock, self._recording.first_at, around.files
        )

    @property
    def site(self) -> Site:
        """The site as it is now."""
        return self._site

    @property
    def ending(self) -> bool:
        """Whether it was told to end."""
        return self._ending

    @property
    def worker_pid(self) -> int | None:
        """The id of the process that computes forecasts; None while there is none."""
        return self._forecasting.pid

    def start(self) -> None:
        """Start the worker, so that the first answer need not wait for it."""
        self._forecasting.start()

    def break_off(self) -> None:
        """Make a look or forecast in progress fail at once, and begin no other."""
        self._ending = True
        self._source.stop()
        self._forecasting.stop()

    def close(self) -> None:
        """Close the recording."""
        self._week.save()
        self._recording.close()

    def revive(self) -> TickReport | None:
        """Answer from before the restart; None: there is nothing. Raises StorageError.

        The last result is shown as it was, and what was told until then is taken up; without it,
        or where the recording has a newer snapshot, the last one of that is forecast anew, and
        shown in its place.
        """
        report, self._recalled = self._recall()
        reader = storage.open_for_reading(self._site.recording.path, files=self._around.files)
        told = reader.answers(newest=self._told_before())
        history = remembered(answered for answered, _ in told)
        self.board.remember(history)
        self._scoring = Scoring(history)
        self._last = None if self._recalled is None else self._recalled.snapshot
        if self._last is None or self._last.taken_at != self._recording.last_at:
            newest = reader.latest(until=self._clock.now() + AHEAD_S)
            # What was recorded last may be damaged.
            if newest and (self._last is None or newest.taken_at > self._last.taken_at):
                self._last, self._recalled = newest, None
        if self._recalled is None and self._last is not None:
            report = revive(self._last, self._desk)
            self._told(report)
        return report

    def _recall(self) -> tuple[TickReport | None, Shown | None]:
        """Hang up the last result, if it was kept, and return it."""
        try:
            kept = shown.load(shown.file_of(self._site.recording.path), self._around.files)
        except StorageError as error:
            log("the last result cannot be shown", level=30, cause=str(error))
            return None, None
        if kept is None or not self._is_ours(kept.snapshot):
            return None, None
        kept = replace(kept, snapshot=without_private_texts(kept.snapshot, self._site.privacy))
        report = recall(kept, self._desk)
        self._told(report)
        return report, kept

    def _is_ours(self, snapshot: Snapshot) -> bool:
        """Whether that snapshot is the recording's last one, or was the last that was told of.

        The latter if we were stopped between a look and its answers. If neither, a newer one may
        have been shown; or a clock may have been set since, and how old this one is by now would
        not be known.
        """
        last_at, told_at = self._recording.last_at, self._recording.told_at
        if snapshot.cluster != self._recording.cluster or last_at is None:
            return False
        return snapshot.taken_at in (last_at, told_at) and snapshot.taken_at <= last_at

    def _told_before(self) -> int:
        """Return how many of the newest answers are looked at: fewer, if they are long."""
        result = self.board.current
        return min(TOLD_BEFORE, MOST_TOLD // max(len(result.rows), 1)) if result else TOLD_BEFORE

    def tick(self) -> TickReport:
        """Look once, and do all that follows from it. What fails is told in the report."""
        report = tick(self._observe, self._commit, self._desk, self._agenda.left_s())
        self._told(report)
        if any(stage.kind == "storage" for stage in report.failures):
            self._make_room()
        if not self._ending:
            self._plan_next(report.stages[0])
        if not report.stages[0].kind:
            self._ask_accounting()
        elif self._recalled is not None and not self._ending:
            # Perhaps the site file says something else now than when that was made.
            kept = self._recalled
            self._told(revive(kept.snapshot, self._desk, kept.made_at))
        self._recalled = None
        return report

    def prune(self) -> None:
        """Remove from the recording what the site does not keep. Raises StorageError."""
        table, now = self._site.recording, int(self._clock.now())
        before = None if table.keep_days is None else now - table.keep_days * DAY_S
        if before is not None and not self._probation.over():
            log("nothing is pruned by age: the clock was set, or nothing ran for long", level=30)
            before = None
        gone = storage.prune(
            table.path, before=before, max_bytes=table.max_bytes, files=self._around.files
        )
        begins = None if gone.begins_at is None else rfc3339(gone.begins_at)
        log("pruned", segments=gone.segments, bytes=gone.size_bytes, begins=begins)

    def _make_room(self) -> None:
        """After a disk refused, drop at once what is not kept: it may be full."""
        try:
            self.prune()
        except StorageError as error:
            log("nothing could be pruned", level=40, cause=str(error))

    def reload(self, read: Callable[[], Site]) -> bool:
        """Take over the site that `read` returns; False, and the old one holds on, if it raises."""
        old_site, old_source, old_worker = self._site, self._source, self._forecasting
        try:
            self._set_out(read())
        except QueuecastError as error:
            self.metrics.reloaded(accepted=False)
            log("reload refused, the old site file holds on", level=40, cause=str(error))
            return False
        if self._site.source != old_site.source:
            self._gate.forget()
        old_source.stop()
        old_worker.save()
        old_worker.stop()
        self._forecasting.start()
        self.metrics.reloaded(accepted=True)
        log("reloaded", restart_for=_needing_restart(old_site, self._site))
        return True

    def _set_out(self, site: Site) -> None:
        """Make what follows from the site. Raises SiteError, having changed nothing."""
        source = self._around.patient(self._connect(site), LOOK_DEADLINE_S)
        self._site = site
        self._source = source
        self._forecasting = Forecasting(
            site,
            self._means,
            self._clock,
            self.metrics,
            files=self._around.files,
            hire=self._around.hire,
        )
        self._desk = Desk(
            complete=partial(overlay, site),
            predict=self._forecasting.look,
            windows=self._forecasting.sure,
            keep=self._keep,
            board=self.board,
            clock=self._clock,
            terms=Terms(
                interval_s=site.service.interval_s, stale_after_s=site.service.stale_after_s
            ),
            drawing_s=site.drawing_s if site.forecast.draws else 0,
            gate=self._gate,
            score=self._score,
        )
        self.metrics.source(site.source.kind)

    def _observe(self) -> Observation:
        seen = self._source.observe()
        return replace(seen, snapshot=without_private_texts(seen.snapshot, self._site.privacy))

    def _commit(self, snapshot: Snapshot) -> None:
        # What it left open is noted first: after a crash in between it is merely noted again.
        if self._recording.cluster in (None, snapshot.cluster):
            try:
                self._accounts.looked(self._last, snapshot, self._source.past_s)
            except StorageError as error:
                log("the ledger of the past is not kept", level=40, cause=str(error))
        self._recording.append(snapshot)
        self._last = snapshot

    def _keep(self, forecast: Forecast) -> None:
        kept = self._recording.add_answers(forecast)
        log("answers kept", snapshot_at=forecast.snapshot_at, sha256=kept)

    def _score(self, published: Published) -> None:
        """Judge the answers before, remember the week, and measure the room for what comes."""
        scores = self._scoring.take(published)
        self.metrics.scored(scores, published)
        self.board.week = self._week.take(published, scores.waits)
        self.metrics.stored(room(self._site.recording.path))

    def _ask_accounting(self) -> None:
        """Ask who ended unseen, if that is due; what fails is a line in the log."""
        try:
            asked = self._accounts.ask(self._source, self._learn_ends)
        except QueuecastError as error:
            if not self._ending:
                log("accounting was not taken in", level=40, cause=str(error))
            return
        self.board.past = self._accounts.state
        self.metrics.past(self._accounts.state)
        if asked is not None:
            tell_asked(asked, self.metrics, self._clock.now())
            self._forecasting.told(asked.new)

    def _learn_ends(self, jobs: Sequence[FinishedJob]) -> int:
        ends = (without_private_text(job, self._site.privacy) for job in jobs)
        at = None if self._last is None else self._last.taken_at
        return self._recording.add_outcomes(ends, learned_at=at)

    def _plan_next(self, look: Stage) -> None:
        """After a look that failed leave the batch system alone for a while, and say so."""
        if not look.kind or look.kind == "unchanged":
            self._failures = 0
            if self.board.trouble is not None:
                self.board.note(None)
            return
        self._failures += 1
        if look.kind not in UNDISTURBED:
            interval_s = self._site.service.interval_s
            self._agenda.put_off(pause_s(self._failures, interval_s, self._around.chance()))
        self.board.note(
            Trouble(
                looks=self._failures,
                kind=look.kind,
                cause=look.cause,
                next_at=self._clock.now() + self._agenda.left_s(),
            )
        )

    def _told(self, report: TickReport) -> None:
        if not self._ending:
            tell(report, self.metrics, self._clock.now())


def _needing_restart(old: Site, new: Site) -> list[str]:
    """Return the keys whose new values take effect after a restart only."""
    pairs = {
        "service.host": (old.service.host, new.service.host),
        "service.port": (old.service.port, new.service.port),
        "service.tcp": (old.service.tcp, new.service.tcp),
        "service.socket": (old.service.socket, new.service.socket),
        "service.allowed_hosts": (old.service.allowed_hosts, new.service.allowed_hosts),
        "service.connections_per_peer": (
            old.service.connections_per_peer,
            new.service.connections_per_peer,
        ),
        "service.prefix": (old.service.prefix, new.service.prefix),
        "service.experiments": (old.service.experiments, new.service.experiments),
        "forecast.probes": (old.forecast.probes, new.forecast.probes),
        "access": (old.access, new.access),
        "notices": (old.notices, new.notices),
        "recording.path": (old.recording.path, new.recording.path),
    }
    return [key for key, (before, after) in pairs.items() if before != after]
