"""What was learned, in a file beside the recording: replaced in one step, set aside if damaged."""

import json
from dataclasses import dataclass
from pathlib import Path

from predictor.errors import StorageError
from predictor.storage.answers import TOO_MUCH
from predictor.storage.codec import pack, unpack
from predictor.storage.files import OS_FILES, Files, put_in_place

SCHEMA = "queuecast.experience/1"
SUFFIX = ".experience"
DAMAGED = ".damaged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What was learned of one cluster."""

    cluster: str
    until: int
    """The instant of the last snapshot it was learned from."""
    state: object
    """As the experience gives it, and as it is restored from."""
    told: tuple[int, int] = (0, 0)
    """The mark of the last notice of ended jobs it was learned from."""


def file_of(recording: Path) -> Path:
    """Return the file that belongs to the recording in that folder."""
    return recording.with_name(recording.name + SUFFIX)


def save(file: Path, memory: Memory, files: Files = OS_FILES) -> int:
    """Replace the file; return its size in bytes. Raises StorageError."""
    body = {
        "schema": SCHEMA,
        "cluster": memory.cluster,
        "until": memory.until,
        "told": memory.told,
        "state": memory.state,
    }
    # ASCII only: a strange name may hold a lone surrogate.
    packed = pack(json.dumps(body, separators=(",", ":")).encode("ascii"), None)
    try:
        put_in_place(files, file, packed)
    except OSError as error:
        raise StorageError(f"{file}: what was learned cannot be kept: {error}") from error
    return len(packed)


def load(file: Path, cluster: str, files: Files = OS_FILES) -> Memory | None:
    """Return what was kept; None if nothing was.

    Raises StorageError if the file is damaged, or holds something else: a cluster's, another's.
    """
    try:
        packed = files.read(file)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StorageError(f"{file}: cannot be read: {error.strerror}") from error
    try:
        body = json.loads(unpack(packed, None))
        if body["schema"] != SCHEMA:
            raise StorageError(f"a form that is not known, {str(body['schema'])[:40]!r}")
        if body["cluster"] != cluster:
            raise StorageError("of another cluster")
        segment, offset = body["told"]
        return Memory(
            cluster=cluster,
            until=int(body["until"]),
            told=(int(segment), int(offset)),
            state=body["state"],
        )
    except (StorageError, ValueError, TypeError, KeyError, *TOO_MUCH) as error:
        raise StorageError(f"{file}: not what was learned of {cluster}: {error}") from error


def set_aside(file: Path, files: Files = OS_FILES) -> Path:
    """Rename the file, so that it is no longer read, and return its new name.

    One that was set aside before is replaced. Raises StorageError.
    """
    aside = file.with_name(file.name + DAMAGED)
    try:
        files.rename(file, aside)
        files.fsync_folder(file.parent)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise StorageError(f"{file}: cannot be set aside: {error.strerror}") from error
    return aside
