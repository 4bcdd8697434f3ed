"""The folder of a sweep: what it rests on, what came out so far, and whether it goes on."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from predictor.clock import Clock
from predictor.errors import RecordingInUse, StorageError
from predictor.outfile import replace_file
from predictor.storage.files import OS_FILES, Files
from predictor.storage.ownership import Ownership
from verification.sweep.lines import Appending, read_lines
from verification.sweep.manifest import Manifest
from verification.sweep.results import Result, as_row, newest

MANIFEST = "manifest.json"
GRID = "grid.toml"
RESULTS = "results.jsonl"
ALIVE = "alive.json"
REPORT = "report"
ATTEMPTS = 10
BETWEEN_S = 0.1
ROOM_BYTES = 4_096
"""So much of the disk is kept for what is told of a sweep: a last word finds room on a full one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What the folder shows to whoever looks, whether its sweep runs or not."""

    path: Path
    manifest: Manifest
    results: Mapping[int, Result]
    """The last result of each run that has one, by the run's number."""
    alive: Mapping[str, Any] | None
    """What the sweep last told of itself; None: nothing yet."""
    damage: Sequence[str]
    """A sentence for each line that cannot be read."""


def look(path: Path, files: Files = OS_FILES) -> Seen:
    """Return what the folder shows. Raises StorageError if it is no sweep's, or unreadable."""
    try:
        manifest = _json(path / MANIFEST)
        found = read_lines(path / RESULTS, files)
        alive = _json(path / ALIVE) if (path / ALIVE).exists() else None
    except FileNotFoundError:
        raise StorageError(f"{path}: not the folder of a sweep: it has no {MANIFEST}") from None
    except OSError as error:
        raise StorageError(f"{error.filename}: cannot be read: {error.strerror}") from error
    return Seen(
        path=path,
        manifest=manifest,
        results=newest(found.rows),
        alive=alive,
        damage=found.damage,
    )


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise StorageError(f"{path}: not JSON: {error}") from error
    if not isinstance(found, dict):
        raise StorageError(f"{path}: expected a JSON object")
    return found


class Owned:
    """The folder in the hands of the one process that may write to it."""

    def __init__(self, path: Path, owner: Ownership, files: Files) -> None:
        """Begin the file of results, if there is none. Raises OSError."""
        self.path = path
        self._owner = owner
        self._results = Appending(path / RESULTS, files)

    def keep(self, result: Result) -> None:
        """Return once the result would survive a loss of power. Raises StorageError."""
        try:
            self._owner.check()
        except RecordingInUse:
            raise _in_use(self.path) from None
        self._results.append(as_row(result))

    def tell(self, alive: Mapping[str, Any]) -> None:
        """Let others see how it goes.

        On a full disk that is written over what was told before; if it does not fit, that stays.
        """
        path, told = self.path / ALIVE, _text(alive).ljust(ROOM_BYTES)
        try:
            replace_file(path, told)
        except OSError:
            with suppress(OSError):
                _overwrite(path, told)

    def write(self, name: str, content: bytes) -> None:
        """Put a file into the folder, whole or not at all. Raises OSError."""
        replace_file(self.path / name, content)

    def close(self) -> None:
        """Give the files back."""
        self._results.close()


@contextmanager
def owned(path: Path, clock: Clock, files: Files = OS_FILES) -> Iterator[Owned]:
    """Yield the folder, which is made if there is none, for this process alone.

    Raises StorageError, after a moment if another process has it.
    """
    try:
        files.make_folder(path)
        owner = _owner(path, files, clock)
    except RecordingInUse:
        raise _in_use(path) from None
    except OSError as error:
        raise StorageError(f"{path}: cannot be written: {error.strerror}") from error
    try:
        owner.begin_epoch(lambda: 0)
        folder = Owned(path, owner, files)
    except OSError as error:
        owner.release()
        raise StorageError(f"{path}: cannot be written: {error.strerror}") from error
    try:
        yield folder
    finally:
        folder.close()
        owner.release()


def _owner(path: Path, files: Files, clock: Clock) -> Ownership:
    for _ in range(ATTEMPTS):
        try:
            return Ownership(path, files)
        except RecordingInUse:
            # The workers of a sweep that was killed hold on to what they inherited until they end.
            clock.sleep(BETWEEN_S)
    return Ownership(path, files)


def begin(folder: Owned, manifest: Manifest, grid: bytes) -> None:
    """Write down what a new sweep rests on. Raises OSError."""
    folder.write(GRID, grid)
    folder.write(MANIFEST, _text(manifest))


def _text(found: Mapping[str, Any]) -> bytes:
    return json.dumps(found, indent=2).encode() + b"\n"


def _overwrite(path: Path, content: bytes) -> None:
    """Write content that ends in blanks over a file's own, which it may not outgrow."""
    room = path.stat().st_size
    with path.open("r+b", buffering=0) as file:
        if len(content.rstrip()) <= room:
            file.write(content.rstrip().ljust(room))


def _in_use(path: Path) -> StorageError:
    return StorageError(
        f"{path}: another sweep is at work on it; `queuecast sweep status {path}` tells how far"
    )
