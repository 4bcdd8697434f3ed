"""A file of JSON lines that loses nothing: a line that was appended survives a loss of power."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from predictor.errors import StorageError
from predictor.storage.files import Files, write_all

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What stands in such a file."""

    rows: Sequence[Row]
    """Of all sound lines, in order."""
    sound_bytes: int
    """Up to the end of the last complete line."""
    damage: Sequence[str]
    """A sentence for each line that is not what it should be."""


def read_lines(path: Path, files: Files) -> Found:
    """Return what stands in the file; nothing if there is none. Raises OSError."""
    try:
        content = files.read(path)
    except FileNotFoundError:
        content = b""
    sound_bytes = content.rfind(b"\n") + 1
    rows, damage = [], []
    for number, line in enumerate(content[:sound_bytes].split(b"\n")[:-1], start=1):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if isinstance(row, dict):
            rows.append(row)
        else:
            damage.append(f"{path}:{number}: no JSON object, left out")
    if torn := len(content) - sound_bytes:
        damage.append(f"{path}: the last line was not finished, {torn} bytes are left out")
    return Found(rows=rows, sound_bytes=sound_bytes, damage=damage)


class Appending:
    """The end of such a file; the only one there may be at a time."""

    def __init__(self, path: Path, files: Files) -> None:
        """Cut off a line that was not finished; begin the file if there is none. Raises OSError."""
        self._path = path
        self._files = files
        self._bytes = read_lines(path, files).sound_bytes
        try:
            self._descriptor = files.append(path)
        except FileNotFoundError:
            self._descriptor = files.create(path)
            files.fsync_folder(path.parent)
        files.truncate(self._descriptor, self._bytes)

    def append(self, row: Row) -> None:
        """Return once the row would survive a loss of power.

        Raises StorageError, the file then ends as before: what stands in it is safe.
        """
        line = json.dumps(row, allow_nan=False).encode() + b"\n"
        try:
            write_all(self._files, self._descriptor, line)
            self._files.fsync(self._descriptor)
        except OSError as error:
            with suppress(OSError):
                self._files.truncate(self._descriptor, self._bytes)
            cause = error.strerror or error
            raise StorageError(f"{self._path}: cannot be written: {cause}") from error
        self._bytes += len(line)

    def close(self) -> None:
        """Give the file back."""
        with suppress(OSError):
            self._files.close(self._descriptor)
