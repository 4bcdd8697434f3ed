"""The one seam to the file system: a recording, and what lies beside it, go through here."""

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import Protocol

GROUP_READS = 0o640


def cause_of(error: OSError, place: Path) -> str:
    """Return why a call failed, for a message that names `place`: with the file, if another."""
    cause = error.strerror or str(error)
    if error.filename is None or str(error.filename) == str(place):
        return cause
    return f"{error.filename}: {cause}"


class Files(Protocol):
    """The calls that are made. Each raises OSError when the system refuses."""

    def make_folder(self, path: Path) -> None:
        """Create the folder and those above it; no error if it exists."""
        ...

    def names(self, folder: Path) -> list[str]:
        """Return the names in the folder, sorted."""
        ...

    def size(self, path: Path) -> int:
        """Return the file's length in bytes."""
        ...

    def read(self, path: Path) -> bytes:
        """Return all of the file."""
        ...

    def create(self, path: Path, mode: int = GROUP_READS) -> int:
        """Create the file, which must not exist, and return a descriptor that appends."""
        ...

    def append(self, path: Path) -> int:
        """Return a descriptor that appends to the existing file."""
        ...

    def write(self, descriptor: int, data: bytes) -> int:
        """Write some of `data` and return how many bytes that were."""
        ...

    def truncate(self, descriptor: int, size: int) -> None:
        """Cut the file to `size` bytes."""
        ...

    def fsync(self, descriptor: int) -> None:
        """Return once the file's data would survive a loss of power."""
        ...

    def close(self, descriptor: int) -> None:
        """Give the descriptor back."""
        ...

    def rename(self, old: Path, new: Path) -> None:
        """Put `old` in the place of `new` in one step."""
        ...

    def unlink(self, path: Path) -> None:
        """Remove the file."""
        ...

    def fsync_folder(self, folder: Path) -> None:
        """Return once the folder's names would survive a loss of power."""
        ...

    def lock(self, path: Path) -> int:
        """Return a descriptor that holds the lock file until closed.

        Raises BlockingIOError at once if another process holds it.
        """
        ...


class OsFiles:
    """The operating system's files."""

    def make_folder(self, path: Path) -> None:
        """Create the folder and those above it; no error if it exists."""
        path.mkdir(parents=True, exist_ok=True)

    def names(self, folder: Path) -> list[str]:
        """Return the names in the folder, sorted."""
        return sorted(entry.name for entry in folder.iterdir())

    def size(self, path: Path) -> int:
        """Return the file's length in bytes."""
        return path.stat().st_size

    def read(self, path: Path) -> bytes:
        """Return all of the file."""
        return path.read_bytes()

    def create(self, path: Path, mode: int = GROUP_READS) -> int:
        """Create the file, which must not exist, and return a descriptor that appends."""
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, mode)

    def append(self, path: Path) -> int:
        """Return a descriptor that appends to the existing file."""
        return os.open(path, os.O_WRONLY | os.O_APPEND)

    def write(self, descriptor: int, data: bytes) -> int:
        """Write some of `data` and return how many bytes that were."""
        return os.write(descriptor, data)

    def truncate(self, descriptor: int, size: int) -> None:
        """Cut the file to `size` bytes."""
        os.ftruncate(descriptor, size)

    def fsync(self, descriptor: int) -> None:
        """Return once the file's data would survive a loss of power."""
        os.fsync(descriptor)

    def close(self, descriptor: int) -> None:
        """Give the descriptor back."""
        os.close(descriptor)

    def rename(self, old: Path, new: Path) -> None:
        """Put `old` in the place of `new` in one step."""
        old.rename(new)

    def unlink(self, path: Path) -> None:
        """Remove the file."""
        path.unlink()

    def fsync_folder(self, folder: Path) -> None:
        """Return once the folder's names would survive a loss of power."""
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def lock(self, path: Path) -> int:
        """Return a descriptor that holds the lock file until closed."""
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, GROUP_READS)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            raise
        return descriptor


OS_FILES = OsFiles()


def write_all(files: Files, descriptor: int, data: bytes) -> None:
    """Write all of `data`, however many calls that takes. Raises OSError."""
    while data:
        written = files.write(descriptor, data)
        if written == 0:
            raise OSError("the file system takes no more bytes")
        data = data[written:]


NEW = ".new"
"""Ends the names of files that are not yet in their place."""


def put_in_place(
    files: Files,
    path: Path,
    data: bytes,
    mode: int = GROUP_READS,
    *,
    mark: str = "",
    replace: bool = True,
) -> None:
    """Make `path` hold `data`, all of it or none, surviving a loss of power.

    Where another process may write the same file, our `mark` keeps apart what is not yet in its
    place. Raises OSError; then it holds what it held before, or `data`. That is FileExistsError if
    something is there that is not to be replaced.
    """
    new = path.with_name(path.name + mark + NEW)
    with suppress(FileNotFoundError):
        files.unlink(new)  # what a crash has left
    try:
        _write_new(files, new, data, mode)
        if not replace and is_there(files, path):
            raise FileExistsError(f"{path}: another process made it meanwhile")
        files.rename(new, path)
    except OSError:
        with suppress(OSError):
            files.unlink(new)  # a full disk has no room for leftovers
        raise
    files.fsync_folder(path.parent)


def is_there(files: Files, path: Path) -> bool:
    """Return whether there is such a file. Raises OSError if that cannot be told."""
    try:
        files.size(path)
    except FileNotFoundError:
        return False
    return True


def _write_new(files: Files, path: Path, data: bytes, mode: int) -> None:
    descriptor = files.create(path, mode)
    try:
        write_all(files, descriptor, data)
        files.fsync(descriptor)
    finally:
        files.close(descriptor)
