"""Who may write a recording: one process at a time, told by a lock and by a number.

The lock alone does not do on a network file system that loses it, so whoever opens a recording
also counts its epoch up and signs it, and nobody writes once somebody else has done so. Who was
held up meanwhile notices before anything is acknowledged.
"""

import secrets
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
        self.mark = secrets.token_hex(4)
        """Tells this opening from any other one, also where two counted to the same number."""
        try:
            self._lock = files.lock(folder / LOCK)
        except BlockingIOError as error:
            raise RecordingInUse(f"{folder}: another process writes this recording") from error

    def begin_epoch(self, highest_seen: Callable[[], int]) -> None:
        """Count the epoch up; `highest_seen` tells it where the number was lost. Raises OSError."""
        written = self._written()
        self.epoch = 1 + (highest_seen() if written is None else written[0])
        signed = f"{self.epoch} {self.mark}\n".encode()
        put_in_place(self._files, self._folder / EPOCH, signed, mark=f".{self.mark}")

    def check(self) -> None:
        """Raise RecordingInUse if another process took the recording over; OSError.

        Raises StorageError if the folder was moved or deleted: what is written to files without
        a name is lost.
        """
        written = self._written()
        if written is None:
            raise StorageError(f"{self._folder / EPOCH}: gone; was the recording moved or deleted?")
        if written != (self.epoch, self.mark):
            raise RecordingInUse(
                f"{self._folder}: taken over by another process (epoch {written[0]} after"
                f" {self.epoch}); does its file system keep locks?"
            )

    def release(self) -> None:
        """Let another process write."""
        with suppress(OSError):
            self._files.close(self._lock)

    def _written(self) -> tuple[int, str] | None:
        """Return the epoch that stands there, and the mark of who wrote it; None: there is none."""
        try:
            text = self._files.read(self._folder / EPOCH).decode(errors="replace")
        except FileNotFoundError:
            return None
        number, _, mark = text.strip().partition(" ")
        try:
            return int(number), mark
        except ValueError as error:
            raise StorageError(f"{self._folder / EPOCH}: expected a number") from error
