"""Making a recording smaller: whole segments go, the oldest first, the newest never."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from predictor.errors import StorageError
from predictor.storage.catalogue import Catalogue
from predictor.storage.files import OS_FILES, Files
from predictor.storage.frames import Kind, Scan
from predictor.storage.reader import open_for_reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """What was removed."""

    segments: int
    size_bytes: int
    begins_at: int | None = None
    """The instant of the oldest snapshot that is left, in UTC epoch seconds; None: none is."""


def prune(
    path: Path,
    *,
    before: int | None = None,
    max_bytes: int | None = None,
    files: Files = OS_FILES,
) -> Pruned:
    """Remove segments whose snapshots are all older than `before`; more until `max_bytes` are kept.

    None: no such bound. Works beside a writer, which touches the newest segment only. Cut off
    halfway it leaves a recording that merely begins earlier. Raises StorageError.
    """
    found = open_for_reading(path, files=files).catalogue
    gone = list(_surplus(found, before, max_bytes))
    try:
        for each in gone:
            _remove(files, path / each.segment)
        if gone:
            files.fsync_folder(path)
    except OSError as error:
        raise StorageError(f"{path}: cannot be pruned: {error}") from error
    return Pruned(
        segments=len(gone),
        size_bytes=sum(each.size for each in gone),
        begins_at=_oldest(found.scans[len(gone) :]),
    )


def _surplus(found: Catalogue, before: int | None, max_bytes: int | None) -> Iterator[Scan]:
    kept_bytes = found.size_bytes
    for each in found.scans[:-1]:
        too_old = before is not None and _all_before(each, before)
        too_much = max_bytes is not None and kept_bytes > max_bytes
        # What follows is newer: the first segment worth keeping ends it, so no hole arises.
        if not (too_old or too_much):
            return
        kept_bytes -= each.size
        yield each


def _oldest(scans: Iterable[Scan]) -> int | None:
    entries = (entry for each in scans for entry in each.entries)
    return min((one.taken_at for one in entries if one.kind is Kind.SNAPSHOT), default=None)


def _all_before(found: Scan, instant: int) -> bool:
    # An import dates outcomes long after the snapshots beside them, which alone tell the age.
    snapshots = [entry for entry in found.entries if entry.kind is Kind.SNAPSHOT]
    return all(entry.taken_at < instant for entry in snapshots or found.entries)


def _remove(files: Files, path: Path) -> None:
    with suppress(FileNotFoundError):  # another pruning was faster
        files.unlink(path)
