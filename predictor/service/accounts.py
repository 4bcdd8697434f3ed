"""Asking accounting, a slice of time at most once in a tick, for what no look has shown."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from predictor.clock import Clock
from predictor.domain import Call, FinishedJob, Snapshot
from predictor.domain.source import Accounting, Told
from predictor.errors import SourceError, SourceOverflow, SourceTimeout
from predictor.service import ledger
from predictor.service.fairness import Fairness
from predictor.service.past import (
    HISTORY,
    OVERLAP_S,
    Past,
    Slice,
    begun,
    given_up,
    looked,
    narrowed,
    next_slice,
    single_ids,
    told,
)
from predictor.storage.files import OS_FILES, Files

FIRST_PAUSE_S = 60.0
LONGEST_PAUSE_S = 1_800.0
"""After failures we ask again in twice the time, this at most."""

BELIEVED = 3
"""So often in a row accounting must say that nobody ended before we believe it."""

Record = Callable[[Sequence[FinishedJob]], int]
"""Commits how jobs ended and returns how many of these ends were new. Raises StorageError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """How much of the past is known."""

    behind_s: int = 0
    """So much time accounting is still to be asked about."""
    missing: int = 0
    """So many are gone of whom nobody has told yet how they ended."""
    repaired: int = 0
    """Of so many it was told later, since the service began."""
    unrepaired: int = 0
    """On so many it gave up."""
    error: str = ""
    """Why accounting did not answer when it was asked last; empty: it did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How one question to accounting went."""

    slice: Slice
    calls: tuple[Call, ...]
    jobs: int
    """So many were told of."""
    new: int
    """Of so many the recording did not know."""
    quarantined: int
    error: Exception | None
    state: State


class Accounts:
    """Keeps the ledger of the past, and asks by it. Not for several threads at a time."""

    def __init__(
        self, file: Path, clock: Clock, first_at: int | None, files: Files = OS_FILES
    ) -> None:
        """Begin with what `file` holds. `first_at`: the instant of the oldest recorded snapshot."""
        self._file = file
        self._files = files
        self._clock = clock
        self._first_at = first_at
        self._past: Past | None = None
        self._is_kept = False
        """Whether the file holds what is known."""
        self._now = 0
        self._rests_until = 0.0
        self._pause_s = FIRST_PAUSE_S
        self._empty = 0
        """So often in a row it was said of the next slice that nobody ended in it."""
        self.state = State()

    def looked(self, before: Snapshot | None, snapshot: Snapshot, past_s: float) -> None:
        """Note what a look left open; `before` is the one before it. Before it is committed.

        Raises StorageError if that cannot be kept; it is known all the same.
        """
        if not past_s:
            return
        now = self._now = snapshot.taken_at
        past = self._past or self._taken_up(snapshot, int(past_s))
        open_ = looked(past, before, snapshot, int(past_s))
        left = given_up(open_, now)
        self._note(past, left, unrepaired=len(open_.missing) - len(left.missing))

    def ask(self, source: Accounting, record: Record) -> Asked | None:
        """Ask for the next slice, if one is due, and commit what comes. Never raises SourceError.

        Raises StorageError; what was committed until then is safe, the rest is asked for again.
        """
        if self._past is None or not source.past_s or self._clock.monotonic() < self._rests_until:
            return None
        asked = next_slice(self._past, self._now)
        if asked is None:
            return None
        thin = asked.of == HISTORY and asked.until <= self._past.first_at
        taking = _Taking(record, self._past.missing, thin=thin)
        try:
            answer = source.ended(asked.since, asked.until, taking)
        except SourceError as error:  # it broke its word, or nobody waits for it any more
            answer = Told(error=error)
        if not self._doubts(answer, taking.jobs):
            self._conclude(self._past, asked, answer, taking.found)
        return Asked(
            slice=asked,
            calls=answer.calls,
            jobs=taking.jobs,
            new=taking.new,
            quarantined=sum(bad.count for bad in answer.quarantined),
            error=answer.error,
            state=self.state,
        )

    def _taken_up(self, snapshot: Snapshot, past_s: int) -> Past:
        now, first_at = snapshot.taken_at, self._first_at
        kept = ledger.load(self._file, snapshot.cluster, self._files)
        return kept or begun(snapshot.cluster, now, past_s, now if first_at is None else first_at)

    def _doubts(self, answer: Told, jobs: int) -> bool:
        """Return whether to ask once more before we believe that nobody ended.

        Slurm's database now and then says so, without an error, of a time in which many did.
        """
        self._empty = self._empty + 1 if answer.error is None and not jobs else 0
        doubted = 0 < self._empty < BELIEVED
        self._empty = self._empty if doubted else 0
        return doubted

    def _conclude(self, past: Past, asked: Slice, answer: Told, ids: set[str]) -> None:
        error = answer.error
        if isinstance(error, SourceOverflow | SourceTimeout):
            self._too_much(past, asked, error)
        elif error is not None:
            self._failed(error)
        else:
            size_bytes = sum(call.size_bytes for call in answer.calls)
            took_s = sum(call.duration_s for call in answer.calls)
            after = told(past, asked, ids, self._now, size_bytes=size_bytes, took_s=took_s)
            self._pause_s, self._rests_until = FIRST_PAUSE_S, 0.0
            self.state = replace(self.state, error="")
            self._note(past, after, repaired=len(past.missing) - len(after.missing))

    def _too_much(self, past: Past, asked: Slice, error: SourceError) -> None:
        less = narrowed(past, asked)
        if less is None and isinstance(error, SourceOverflow):
            # What has come is all that there will be.
            less = told(past, asked, (), self._now, size_bytes=0, took_s=0)
        if less is None or isinstance(error, SourceTimeout):
            self._failed(error)
        self.state = replace(self.state, error=str(error))
        self._note(past, less or past)

    def _failed(self, error: SourceError) -> None:
        self._rests_until = self._clock.monotonic() + self._pause_s
        self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)
        self.state = replace(self.state, error=str(error))

    def _note(self, before: Past, after: Past, *, repaired: int = 0, unrepaired: int = 0) -> None:
        self._past = after
        self.state = replace(
            self.state,
            behind_s=after.behind_s,
            missing=len(after.missing),
            repaired=self.state.repaired + repaired,
            unrepaired=self.state.unrepaired + unrepaired,
        )
        if after != before or not self._is_kept:
            self._is_kept = False
            ledger.save(self._file, after, self._files)
            self._is_kept = True


class _Taking:
    """Commits what accounting tells, a few jobs at a time, and notes who had been missing."""

    def __init__(
        self, record: Record, missing: Mapping[str, tuple[int, int]], *, thin: bool
    ) -> None:
        self._record = record
        self._missing = missing
        self._fairness = Fairness() if thin else None
        self.found: set[str] = set()
        self.jobs = self.new = 0

    def __call__(self, jobs: Sequence[FinishedJob]) -> None:
        self.jobs += len(jobs)
        kept = jobs if self._fairness is None else self._fairness.of(jobs)
        if kept:
            self.new += self._record(kept)
        for job in jobs:
            self.found.update(id_ for id_ in single_ids(job.spec) if self._misses(id_, job))

    def _misses(self, id_: str, job: FinishedJob) -> bool:
        # A run that ended before was not the one that we missed.
        return id_ in self._missing and job.ended_at >= self._missing[id_][0] - OVERLAP_S
