"""Appending documents to a recording's folder, safely, in segments of bounded size."""

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from predictor.domain import FinishedJob
from predictor.errors import StorageError
from predictor.storage.catalogue import (
    Catalogue,
    catalogue,
    read_scans,
    segment_name,
    segment_number,
)
from predictor.storage.files import Files, cause_of
from predictor.storage.frames import Entry, Kind
from predictor.storage.index import NAME, Index, Key, peek
from predictor.storage.indexing import synchronised
from predictor.storage.ownership import Ownership
from predictor.storage.segment import new_segment, reopened


class Log:
    """The end of a recording, where documents are appended."""

    def __init__(
        self,
        folder: Path,
        files: Files,
        owner: Ownership,
        found: Catalogue,
        index: Index | None,
    ) -> None:
        """Continue the newest segment, if it is sound. Raises OSError."""
        self._folder = folder
        self._files = files
        self._owner = owner
        self._index = index
        newest = found.scans[-1] if found.scans else None
        if newest is not None and newest.cluster != found.cluster:
            newest = None
        self._segment = None if newest is None else reopened(files, folder / newest.segment, newest)

    def knows(self, outcome: Key) -> bool:
        """Return whether this outcome is in the recording. Raises StorageError.

        An index that failed, as on a full disk, is made to agree with the segments first.
        """
        try:
            if self._index is None:
                self._index = self._remade()
            if self._index is not None:
                return self._index.knows(outcome)
        except (sqlite3.Error, OSError) as error:
            self._drop_index()
            raise StorageError(f"{self._folder}: the index cannot be read: {error}") from error
        raise StorageError(f"{self._folder}: the index is lost, and cannot be remade")

    def _remade(self) -> Index | None:
        found = catalogue(read_scans(self._folder, self._files, peek(self._folder / NAME)))
        return synchronised(self._folder, self._files, found)

    def commit(
        self,
        kind: Kind,
        taken_at: int,
        cluster: str,
        document: bytes,
        outcomes: Sequence[FinishedJob] = (),
    ) -> None:
        """Return once the document would survive a loss of power. Raises StorageError.

        After a failure nothing is known of the segment's end, so the next call begins a new
        one; readers take the later of two records of one instant.
        """
        try:
            self._owner.check()
            entry = self._append(kind, taken_at, cluster, document)
            # Who took over while we wrote may not have seen it.
            self._owner.check()
        except OSError as error:
            self._abandon()
            cause = cause_of(error, self._folder)
            raise StorageError(f"{self._folder}: cannot be written: {cause}") from error
        self._note(cluster, entry, outcomes)

    def close(self) -> None:
        """Give files and index back."""
        if self._segment is not None:
            self._segment.close()
            self._segment = None
        self._drop_index()

    def _append(self, kind: Kind, taken_at: int, cluster: str, document: bytes) -> Entry:
        if self._segment is not None and not self._segment.full:
            return self._segment.append(kind, taken_at, self._owner.epoch, document)
        if self._segment is not None:
            self._segment.close()
            self._segment = None
        path = self._folder / segment_name(self._next_number())
        self._segment, entry = new_segment(
            self._files, path, cluster, kind, taken_at, self._owner, document
        )
        return entry

    def _next_number(self) -> int:
        numbers = (segment_number(name) for name in self._files.names(self._folder))
        return max((number for number in numbers if number is not None), default=0) + 1

    def _abandon(self) -> None:
        if self._segment is None:
            return
        with suppress(OSError, StorageError):
            self._owner.check()  # what another process wrote is not ours to cut
            self._segment.cut_back()
        self._segment.close()
        self._segment = None

    def _note(self, cluster: str, entry: Entry, outcomes: Sequence[FinishedJob]) -> None:
        """Keep the index up. It may fail: the document is safe, and the index can be remade."""
        if self._index is None or self._segment is None:
            return
        try:
            self._index.add(self._segment.name, cluster, entry, outcomes)
        except sqlite3.Error:
            self._drop_index()

    def _drop_index(self) -> None:
        if self._index is not None:
            self._index.close()
            self._index = None
