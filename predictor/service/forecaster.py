"""What the worker process does: learn, answer, and keep what was learned.

It holds what was learned between the calls. A process that begins anew takes up what was kept,
and learns from the recording what it missed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from predictor.clock import Clock
from predictor.domain import FinishedJob, Forecast, Snapshot
from predictor.domain.durations import DAY_S
from predictor.errors import ServiceError, StorageError
from predictor.service import memory, shown
from predictor.service.catchup import CatchUp
from predictor.service.means import Means
from predictor.service.memory import Memory
from predictor.service.shown import Shown
from predictor.site import Site, overlay
from predictor.storage import open_for_reading
from predictor.storage.files import OS_FILES, Files
from predictor.windows.drift import Alarm

if TYPE_CHECKING:
    from predictor.experience import Experience

SAVE_EVERY_S = 120
AHEAD_S = DAY_S
"""What was learned so long after now cannot be taken up."""
LEAST_S = 0.1
"""In less time no windows are begun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """Asks for the point answer to a snapshot."""

    snapshot: Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Sure:
    """Asks for the windows of the last snapshot."""

    budget_s: float
    """The time for them, learning included that is left over from before."""
    told: bool = False
    """Whether the recording has been told of jobs that ended unseen, since the last answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Save:
    """Asks to keep what was learned."""


Question = Look | Sure | Save


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the worker says."""

    forecast: Forecast | None = None
    """None: there is none, or none was asked for."""
    draws: int = 0
    """How many courses its windows rest on."""
    alarms: tuple[Alarm, ...] = ()
    """Since when, and for whom, answers are other than they were."""
    notes: tuple[str, ...] = ()
    """What the log should hold, a sentence each."""
    saved_bytes: int | None = None
    """The size of what was kept just now; None: nothing was."""
    learned_until: int | None = None
    """The instant of the last snapshot that was learned from; None: nothing was learned yet."""


class Forecaster:
    """Answers one question after the other. It is sent to its process before the first."""

    def __init__(self, site: Site, means: Means, clock: Clock, files: Files = OS_FILES) -> None:
        self._files = files
        self._site = site
        self._means = means
        self._clock = clock
        self._experience: Experience | None = None
        self._until: int | None = None
        self._told = (0, 0)
        self._behind: CatchUp | None = None
        self._seen: Snapshot | None = None
        self._made: Forecast | None = None
        self._saved_at = clock.monotonic()
        self._notes: list[str] = []

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Arrive in the process, and have there what forecasts take before the first question."""
        self.__dict__.update(state)
        self._means.prepare()

    def __call__(self, question: Question) -> Reply:
        """Return the answer. Raises what the means raise, ServiceError for windows of nothing."""
        match question:
            case Look(snapshot=snapshot):
                reply = Reply(forecast=self._look(snapshot))
            case Sure(budget_s=budget_s, told=told):
                # Working windows out takes most of the time between two looks: who is stopped
                # meanwhile shall not have to begin with an older result, or with none.
                begun = self._clock.monotonic()
                self._keep(self._made)
                reply = self._sure(budget_s - (self._clock.monotonic() - begun), told=told)
                self._keep(reply.forecast)
                if self._clock.monotonic() - self._saved_at >= SAVE_EVERY_S:
                    reply = replace(reply, saved_bytes=self._save())
            case Save():
                reply = Reply(saved_bytes=self._save())
        notes, self._notes = tuple(self._notes), []
        return replace(reply, notes=notes, learned_until=self._until)

    @property
    def _file(self) -> Path:
        return memory.file_of(self._site.recording.path)

    def _look(self, snapshot: Snapshot) -> Forecast:
        experience = self._experience or self._begin(snapshot)
        if self._until is not None and self._until > snapshot.taken_at + AHEAD_S:
            self._forget("it was learned in the future: a clock was wrong")
            experience = self._start(self._means.fresh(self._site))
        self._seen, self._made = snapshot, None
        try:
            if self._behind is None and snapshot.taken_at != self._until:
                self._learn(snapshot)
            made = self._means.likely(snapshot, self._site, experience)
        except MemoryError:
            raise
        except Exception as error:
            # If it is due to what was learned, that must not keep anybody from an answer.
            fresh = self._means.fresh(self._site)
            made = self._means.likely(snapshot, self._site, fresh)
            self._forget(f"{type(error).__name__}: {error}")
            self._start(fresh)
        self._made = made
        return made

    def _sure(self, budget_s: float, *, told: bool) -> Reply:
        begun = self._clock.monotonic()
        experience, seen, made = self._experience, self._seen, self._made
        if experience is None or seen is None or made is None:
            raise ServiceError("the process that made the forecast is gone")
        if told and self._behind is None:
            self._behind = self._way()
        if self._behind is not None:
            self._catch_up(self._behind, budget_s / 2)
        left_s = budget_s - (self._clock.monotonic() - begun)
        if not self._site.forecast.draws or left_s < LEAST_S:
            return Reply(alarms=experience.alarms())
        sure = self._means.with_outlooks(
            made, seen, self._site, experience, clock=self._clock, budget_s=left_s
        )
        if self._until == seen.taken_at:
            experience.heard(sure.sayings)
        return Reply(forecast=sure.forecast, draws=sure.draws, alarms=experience.alarms())

    def _keep(self, forecast: Forecast | None) -> None:
        """Keep the result, so that the next start has it at once."""
        if self._seen is None or forecast is None:
            return
        result = Shown(snapshot=self._seen, forecast=forecast, made_at=int(self._clock.now()))
        try:
            shown.save(shown.file_of(self._site.recording.path), result, self._files)
        except StorageError as error:
            self._notes.append(str(error))

    def _begin(self, snapshot: Snapshot) -> "Experience":
        """Take up what was kept, or know nothing; what happened since is learned bit by bit."""
        try:
            kept = memory.load(self._file, snapshot.cluster, self._files)
            if kept is not None and kept.until > snapshot.taken_at + AHEAD_S:
                raise StorageError("it was learned in the future: a clock was wrong")
            if kept is not None:
                restored = self._means.restored(self._site, kept.state)
                return self._start(restored, kept.until, kept.told)
        except Exception as error:  # who knows what a damaged file makes of a restoration
            self._forget(f"{type(error).__name__}: {error}")
        return self._start(self._means.fresh(self._site))

    def _start(
        self, experience: "Experience", since: int = 0, told: tuple[int, int] = (0, 0)
    ) -> "Experience":
        self._experience = experience
        self._until = since or None
        self._told = told
        self._behind = self._way()
        return experience

    def _way(self) -> CatchUp | None:
        """Return the way to the end of the recording; None if it cannot be read."""
        try:
            # What stands before the last notice was learned from. Most of a recording does: a
            # daemon that looked at all of it at each notice would be slower from day to day.
            path, first = self._site.recording.path, self._told[0]
            reader = open_for_reading(path, files=self._files, first=first)
            return CatchUp(reader, self._until or 0, self._clock, self._told)
        except StorageError as error:
            self._notes.append(f"nothing is learned from the recording: {error}")
            return None

    def _forget(self, cause: str) -> None:
        try:
            aside = memory.set_aside(self._file, self._files)
            self._notes.append(f"learning begins anew, what was kept is now {aside}: {cause}")
        except StorageError as error:
            self._notes.append(f"learning begins anew: {cause}; {error}")

    def _catch_up(self, behind: CatchUp, budget_s: float) -> None:
        try:
            if behind.go_on(self._learn, budget_s, self._hear):
                self._behind = None
        except StorageError as error:
            self._behind = None
            self._notes.append(f"no more is learned from the recording: {error}")
        self._told = behind.told

    def _hear(self, ended: Sequence[FinishedJob]) -> None:
        """Learn from jobs that no snapshot showed after their ends."""
        if self._experience is None or self._seen is None:
            return
        try:
            self._experience.told(ended, overlay(self._site, self._seen))
        except MemoryError:
            raise
        except Exception as error:  # strange jobs must not cost what was learned
            self._notes.append(f"accounting teaches nothing: {type(error).__name__}: {error}")

    def _learn(self, snapshot: Snapshot) -> None:
        if self._experience is None:
            return
        self._until = snapshot.taken_at
        try:
            self._experience.learn(overlay(self._site, snapshot))
        except MemoryError:
            raise
        except Exception as error:  # one strange snapshot must not cost what was learned
            self._notes.append(f"a snapshot teaches nothing: {type(error).__name__}: {error}")

    def _save(self) -> int | None:
        self._saved_at = self._clock.monotonic()
        if self._experience is None or self._until is None or self._seen is None:
            return None
        kept = Memory(
            cluster=self._seen.cluster,
            until=self._until,
            told=self._told,
            state=self._experience.state(),
        )
        try:
            return memory.save(self._file, kept, self._files)
        except StorageError as error:
            self._notes.append(str(error))
            return None
