"""Who may write a recording: one process at a time, told by a lock and by a number.

The lock alone does not do on a network file system that loses it, so whoever opens a recording
also counts its epoch up, and nobody writes once a higher one is there.
"""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from predictor.errors import RecordingInUse, StorageError
from predictor.storage.files import Files, put_in_place

LOCK = "lock"
EPOCH = "epoch"


class Ownership:
    """The right to write a recording, until released."""

    def __init__(self, folder: Path, files: Files) -> None:
        """Take the lock. Raises RecordingInUse at once if another process has it; OSError."""
        self._folder = folder
        self._files = files
        self.epoch = 0
        """Which opening for writing this is, counted from 1; 0: not yet begun."""
        try:
            self._lock = files.lock(folder / LOCK)
        except BlockingIOError as error:
            raise RecordingInUse(f"{folder}: another process writes this recording") from error

    def begin_epoch(self, highest_seen: Callable[[], int]) -> None:
        """Count the epoch up; `highest_seen` tells it where the number was lost. Raises OSError."""
        written = self._written()
        before = highest_seen() if written is None else written
        put_in_place(self._files, self._folder / EPOCH, b"%d\n" % (before + 1))
        self.epoch = before + 1

    def check(self) -> None:
        """Raise RecordingInUse if another process took the recording over; OSError.

        Raises StorageError if the folder was moved or deleted: what is written to files without
        a name is lost.
        """
        written = self._written()
        if written is None:
            raise StorageError(f"{self._folder / EPOCH}: gone; was the recording moved or deleted?")
        if written > self.epoch:
            raise RecordingInUse(
                f"{self._folder}: taken over by another process (epoch {written} after"
                f" {self.epoch}); does its file system keep locks?"
            )

    def release(self) -> None:
        """Let another process write."""
        with suppress(OSError):
            self._files.close(self._lock)

    def _written(self) -> int | None:
        try:
            text = self._files.read(self._folder / EPOCH)
        except FileNotFoundError:
            return None
        try:
            return int(text)
        except ValueError as error:
            raise StorageError(f"{self._folder / EPOCH}: expected a number") from error
