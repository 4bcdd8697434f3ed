"""Reading a recording, also while it is being written. What is damaged is named and skipped."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from predictor.domain import FinishedJob, Snapshot
from predictor.errors import StorageError
from predictor.storage.answers import Answered
from predictor.storage.catalogue import Catalogue, Place, catalogue, read_scans, segment_number
from predictor.storage.contents import contents, read_answers, read_snapshots
from predictor.storage.files import OS_FILES, Files, cause_of
from predictor.storage.frames import Damage
from predictor.storage.index import NAME as INDEX
from predictor.storage.index import Key, outcome_key, peek

PERIOD_S = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A stretch without snapshots, between two that are there."""

    since: int
    until: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Ends of jobs that were committed together."""

    mark: tuple[int, int]
    """Where it stands: those that were committed later have higher ones."""
    learned_at: int
    """When the ends became known, by the clock of the snapshots."""
    place: Place


class RecordingReader:
    """A recording as it was when opened or last refreshed."""

    def __init__(self, folder: Path, files: Files, first: int = 0) -> None:
        self._folder = folder
        self._first = first
        self._files = files
        self._unreadable: dict[tuple[str, int], Damage] = {}
        self.catalogue = self._look()
        """Which records there are."""

    @property
    def cluster(self) -> str:
        """The cluster that was recorded; empty if there is no snapshot."""
        return self.catalogue.cluster or ""

    @property
    def instants(self) -> tuple[int, ...]:
        """When the snapshots were taken, ascending."""
        return tuple(self.catalogue.snapshots)

    @property
    def damage(self) -> tuple[Damage, ...]:
        """What cannot be read, as far as known: complete once everything has been read."""
        return self.catalogue.damage + tuple(self._unreadable.values())

    @property
    def size_bytes(self) -> int:
        """How many bytes the segments take on the disk."""
        return self.catalogue.size_bytes

    @property
    def segments(self) -> int:
        """How many segments there are."""
        return len(self.catalogue.scans)

    def refresh(self) -> None:
        """Look again at what is there by now. Raises StorageError."""
        self.catalogue = self._look()

    def gaps(self, period_s: int = PERIOD_S) -> tuple[Gap, ...]:
        """Return where more than two periods passed between snapshots."""
        return tuple(
            Gap(since=a, until=b) for a, b in pairwise(self.instants) if b - a > 2 * period_s
        )

    def latest(self, until: float = math.inf) -> Snapshot | None:
        """Return the newest snapshot that can be read, of those before `until`; None: none is."""
        self.refresh()
        known = self.catalogue.snapshots.items()
        newest_first = reversed([place for at, place in known if at < until])
        return next((found for place in newest_first for found in self._read([place])), None)

    def snapshots(self, since: int | None = None, until: int | None = None) -> Iterator[Snapshot]:
        """Yield the snapshots taken at `since` or later and before `until`, oldest first."""
        yield from self._read(self._between(since, until))

    def count(self, since: int | None = None, until: int | None = None) -> int:
        """Return how many snapshots were taken at `since` or later and before `until`."""
        return sum(1 for _ in self._between(since, until))

    def documents(
        self, since: int | None = None, until: int | None = None
    ) -> Iterator[tuple[int, bytes]]:
        """Yield instant and document of the same snapshots, as they were recorded."""
        for place, content in contents(
            self._folder, self._files, self._between(since, until), self._lost
        ):
            yield place.entry.taken_at, content

    def outcomes(self) -> Iterator[FinishedJob]:
        """Yield how jobs ended, each end once, in the order in which it was learned."""
        seen: set[Key] = set()
        for learned in self._read(self.catalogue.outcomes):
            for job in learned.finished:
                if outcome_key(job) not in seen:
                    seen.add(outcome_key(job))
                    yield job

    def notices(self, after: tuple[int, int] = (0, 0)) -> tuple[Notice, ...]:
        """Return where ends of jobs stand, behind a mark, in the order of their marks."""
        found = (
            Notice(
                mark=(segment_number(place.segment) or 0, place.entry.offset),
                learned_at=place.entry.taken_at,
                place=place,
            )
            for place in self.catalogue.outcomes
        )
        return tuple(notice for notice in found if notice.mark > after)

    def ends(self, notice: Notice) -> tuple[FinishedJob, ...]:
        """Return the ends of that notice; none if it cannot be read any more."""
        return tuple(job for told in self._read([notice.place]) for job in told.finished)

    def answers(self, *, newest: int | None = None) -> Iterator[tuple[Answered, str]]:
        """Yield what was published, in that order, each with its hash; or only the newest."""
        places = self.catalogue.answers
        if newest is not None:
            places = places[max(0, len(places) - newest) :]
        yield from read_answers(self._folder, self._files, places, self._lost)

    def answer_documents(
        self, since: int | None = None, until: int | None = None
    ) -> Iterator[tuple[int, bytes]]:
        """Yield what was published of the snapshots of that time, as it was recorded."""
        places = (p for p in self.catalogue.answers if _within(p.entry.taken_at, since, until))
        for place, content in contents(self._folder, self._files, places, self._lost):
            yield place.entry.taken_at, content

    def _between(self, since: int | None, until: int | None) -> Iterable[Place]:
        for taken_at, place in self.catalogue.snapshots.items():
            if _within(taken_at, since, until):
                yield place

    def _read(self, places: Iterable[Place]) -> Iterator[Snapshot]:
        return read_snapshots(self._folder, self._files, places, self._lost)

    def _lost(self, damage: Damage) -> None:
        self._unreadable[damage.segment, damage.offset] = damage

    def _is_wanted(self, segment: str) -> bool:
        return (segment_number(segment) or 0) >= self._first

    def _look(self) -> Catalogue:
        try:
            known = peek(self._folder / INDEX, self._is_wanted)
            return catalogue(read_scans(self._folder, self._files, known, self._first))
        except OSError as error:
            cause = cause_of(error, self._folder)
            raise StorageError(f"{self._folder}: no recording can be read: {cause}") from error


def _within(at: int, since: int | None, until: int | None) -> bool:
    return (since is None or since <= at) and (until is None or at < until)


def open_for_reading(path: Path, *, files: Files = OS_FILES, first: int = 0) -> RecordingReader:
    """Return a reader of the recording in the folder `path`, from segment number `first` on.

    Raises StorageError if there is none. Takes no lock; a writer may go on meanwhile.
    """
    return RecordingReader(path, files, first)
