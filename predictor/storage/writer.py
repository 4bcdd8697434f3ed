"""Writing a recording: what is acknowledged survives any crash."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice, pairwise
from pathlib import Path
from types import TracebackType
from typing import Self

from predictor import lml
from predictor.clock import AHEAD_S, Clock, SystemClock
from predictor.domain import FinishedJob, Forecast, Provenance, Snapshot
from predictor.domain.instants import LAST_INSTANT
from predictor.errors import StorageError
from predictor.storage.answers import digest, written
from predictor.storage.catalogue import is_ours
from predictor.storage.files import NEW, OS_FILES, Files, cause_of
from predictor.storage.frames import Kind
from predictor.storage.index import Key, outcome_key
from predictor.storage.indexing import synchronised
from predictor.storage.log import Log
from predictor.storage.ownership import Ownership
from predictor.storage.reader import RecordingReader

SYSTEM_CLOCK = SystemClock()
OUTCOMES_AT_ONCE = 5000
"""In one record, so that a document stays small."""


class RecordingWriter:
    """Appends to a recording; made by `open_for_writing`. A context manager.

    Methods raise StorageError when the disk refuses; what was acknowledged before stays, and
    the next call tries anew. They raise RecordingInUse once another process took over.
    """

    def __init__(
        self, folder: Path, clock: Clock, owner: Ownership, log: Log, reader: RecordingReader
    ) -> None:
        self._folder = folder
        self._clock = clock
        self._owner = owner
        self._log = log
        self._reader = reader
        self.cluster = reader.catalogue.cluster
        """The cluster that is recorded; None while there is no snapshot."""
        self.first_at = min(reader.instants, default=None)
        """The instant of the oldest snapshot that was there at the beginning; None: none was."""
        self.last_at = max((at for at in reader.instants if at <= self._latest), default=None)
        """The instant of the newest snapshot; None if there is none.

        What a clock that jumped dated in the future does not count: nothing could be appended
        until then."""
        told = reader.catalogue.answers
        self.told_at = told[-1].entry.taken_at if told else None
        """Of which instant's snapshot the answers are that were committed last by the beginning.

        None: there were none."""
        self._answers: str | None = None
        """The hash of the answers committed last; None: not looked up."""

    @property
    def epoch(self) -> int:
        """Which opening for writing this is, counted from 1."""
        return self._owner.epoch

    def evenly_since(self, hole_s: int) -> int | None:
        """Return from when on no hole is longer than so many seconds, in what was there at first.

        None: there was no snapshot.
        """
        known = [at for at in self._reader.instants if at <= self._latest]
        after = [later for earlier, later in pairwise(known) if later - earlier > hole_s]
        return after[-1] if after else min(known, default=None)

    def append(self, snapshot: Snapshot) -> bool:
        """Return once the snapshot is committed: data and names are on the disk.

        False if the recording has it already, which is no error. Raises StorageError if it is
        of another cluster or era, older than the newest one or, at its instant, another one.
        """
        if not 0 <= snapshot.taken_at <= LAST_INSTANT:
            raise StorageError(f"{self._folder}: {snapshot.taken_at} is no instant of our era")
        if self.cluster not in (None, snapshot.cluster):
            raise StorageError(
                f"{self._folder}: records cluster {self.cluster!r}, not {snapshot.cluster!r}"
            )
        if self.last_at is not None and snapshot.taken_at <= self.last_at <= self._latest:
            self._refuse_unless_stored(snapshot)
            return False
        self._log.commit(Kind.SNAPSHOT, snapshot.taken_at, snapshot.cluster, lml.write(snapshot))
        self.cluster = snapshot.cluster
        self.last_at = snapshot.taken_at
        return True

    def add_outcomes(
        self, outcomes: Iterable[FinishedJob], *, learned_at: int | None = None
    ) -> int:
        """Return how many of these ends were new, once they are committed.

        An end is known by job id, submission and end. `learned_at` is when it became known, by the
        clock of the snapshots; None: now. Raises StorageError also while there is no snapshot,
        which would name the cluster.
        """
        at = int(self._clock.now()) if learned_at is None else learned_at
        new = self._new(outcomes)
        added = 0
        while batch := tuple(islice(new, OUTCOMES_AT_ONCE)):
            self._commit_outcomes(batch, at)
            added += len(batch)
        return added

    def add_answers(self, forecast: Forecast) -> str:
        """Return the hash of what a forecast says, once that is committed.

        Each is kept with the instant and with the hash of the one before. Raises StorageError also
        while there is no snapshot, which would name the cluster.
        """
        document = written(forecast, int(self._clock.now()), self._last_answers())
        self.copy_answers([(forecast.snapshot_at, document)])
        return digest(document)

    def copy_answers(self, documents: Iterable[tuple[int, bytes]]) -> None:
        """Commit what was published, as another recording has it: instant and document."""
        for taken_at, document in documents:
            if self.cluster is None:
                raise StorageError(f"{self._folder}: answers need a snapshot before them")
            self._log.commit(Kind.ANSWERS, taken_at, self.cluster, document)
            self._answers = digest(document)

    def close(self) -> None:
        """Let another process write."""
        self._log.close()
        self._owner.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def _latest(self) -> float:
        """The last instant that a snapshot can be of by now."""
        return self._clock.now() + AHEAD_S

    def _last_answers(self) -> str:
        """Return the hash of the newest answers; empty if there are none that can be read."""
        if self._answers is None:
            newest = self._reader.answers(newest=1)
            self._answers = next((hash_ for _, hash_ in newest), "")
        return self._answers

    def _refuse_unless_stored(self, snapshot: Snapshot) -> None:
        at = snapshot.taken_at
        if at not in self._reader.catalogue.snapshots:
            self._reader.refresh()
        stored = next(self._reader.snapshots(since=at, until=at + 1), None)
        if stored is None:
            raise StorageError(
                f"{self._folder}: a snapshot of {at} comes after one of {self.last_at}"
            )
        if stored != snapshot:
            raise StorageError(f"{self._folder}: has another snapshot of {at} already")

    def _new(self, outcomes: Iterable[FinishedJob]) -> Iterator[FinishedJob]:
        seen: set[Key] = set()
        for job in outcomes:
            key = outcome_key(job)
            if key not in seen and not self._log.knows(key):
                seen.add(key)
                yield job

    def _commit_outcomes(self, jobs: tuple[FinishedJob, ...], learned_at: int) -> None:
        """Write them as a document that holds nothing else."""
        if self.cluster is None:
            raise StorageError(f"{self._folder}: outcomes need a snapshot before them")
        learned = Snapshot(
            cluster=self.cluster,
            taken_at=learned_at,
            provenance=Provenance(source="accounting"),
            finished=jobs,
        )
        self._log.commit(
            Kind.OUTCOMES, learned.taken_at, self.cluster, lml.write(learned), outcomes=jobs
        )


def open_for_writing(
    path: Path, *, clock: Clock = SYSTEM_CLOCK, files: Files = OS_FILES
) -> RecordingWriter:
    """Return the one writer of the recording in the folder `path`, made if need be.

    Drops what a crash left unfinished. Raises RecordingInUse at once if another process
    writes it; StorageError if it cannot be written or is no recording.
    """
    try:
        _prepare(path, files)
        owner = Ownership(path, files)
    except OSError as error:
        raise _unwritable(path, error) from error
    try:
        owner.begin_epoch(lambda: RecordingReader(path, files).catalogue.epoch)
        # Whoever wrote until now has no say any more, so that nothing is missed.
        _remove_unfinished(path, files)
        reader = RecordingReader(path, files)
        log = Log(path, files, owner, reader.catalogue, synchronised(path, files, reader.catalogue))
    except OSError as error:
        owner.release()
        raise _unwritable(path, error) from error
    except BaseException:
        owner.release()
        raise
    return RecordingWriter(path, clock, owner, log, reader)


def _prepare(folder: Path, files: Files) -> None:
    files.make_folder(folder)
    foreign = [name for name in files.names(folder) if not is_ours(name)]
    if foreign:
        raise StorageError(f"{folder}: no recording: it holds {foreign[0]!r}")


def _remove_unfinished(folder: Path, files: Files) -> None:
    """Remove what crashes have left that never got to its place."""
    for name in files.names(folder):
        if name.endswith(NEW):
            with suppress(FileNotFoundError):
                files.unlink(folder / name)


def _unwritable(folder: Path, error: OSError) -> StorageError:
    return StorageError(f"{folder}: cannot be opened for writing: {cause_of(error, folder)}")
