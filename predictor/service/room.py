"""How large the recording is, and how much room is left for it."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from predictor.errors import StorageError


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """Sizes in bytes."""

    recording: int
    free: int
    """Of the file system that the recording lies on, as far as we may use it."""
    total: int


def room(recording: Path) -> Room:
    """Return the sizes as they are now. Raises StorageError."""
    try:
        with os.scandir(recording) as entries:
            size = sum(entry.stat().st_size for entry in entries if entry.is_file())
        usage = shutil.disk_usage(recording)
    except OSError as error:
        raise StorageError(f"{recording}: its room is not known: {error.strerror}") from error
    return Room(recording=size, free=usage.free, total=usage.total)
