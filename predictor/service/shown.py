"""The last result in a file beside the recording: with it a start has an answer at once.

It is a copy: without it, or if it is damaged or of another version, the last snapshot is read from
the recording and forecast anew.
"""

import hashlib
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path

import zstandard

from predictor import domain
from predictor.domain import Forecast, Snapshot
from predictor.errors import StorageError
from predictor.service.parcels import packed, unpacked_values
from predictor.storage.files import OS_FILES, Files, put_in_place

SUFFIX = ".shown"
LEVEL = 1
"""Quickly written once a tick rather than small."""
LARGEST_BYTES = 2**28


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A result as it was made."""

    snapshot: Snapshot
    """As it was recorded."""
    forecast: Forecast
    made_at: int
    """By our own clock, in UTC epoch seconds."""


def file_of(recording: Path) -> Path:
    """Return the file that belongs to the recording in that folder."""
    return recording.with_name(recording.name + SUFFIX)


def save(file: Path, shown: Shown, files: Files = OS_FILES) -> int:
    """Replace the file; return its size in bytes. Raises StorageError."""
    parcel = packed((shown.snapshot, shown.forecast, shown.made_at))
    compressor = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True)
    content = _form() + compressor.compress(parcel)
    try:
        put_in_place(files, file, content)
    except OSError as error:
        raise StorageError(f"{file}: the result cannot be kept: {error}") from error
    return len(content)


def load(file: Path, files: Files = OS_FILES) -> Shown | None:
    """Return what was kept; None if nothing was, or by another version.

    Raises StorageError if the file is damaged. Nothing but values of the domain is ever made of
    what stands there.
    """
    try:
        content = files.read(file)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StorageError(f"{file}: cannot be read: {error.strerror}") from error
    form = _form()
    if not content.startswith(form):
        return None
    try:
        size = zstandard.frame_content_size(content[len(form) :])
        if not 0 < size <= LARGEST_BYTES:
            raise StorageError(f"{file}: a result of {size} bytes")
        parcel = zstandard.ZstdDecompressor().decompress(content[len(form) :])
        snapshot, forecast, made_at = unpacked_values(parcel, domain.__name__)
        if not isinstance(snapshot, Snapshot) or not isinstance(forecast, Forecast):
            raise StorageError(f"{file}: no result")
        return Shown(snapshot=snapshot, forecast=forecast, made_at=int(made_at))
    except StorageError:
        raise
    except Exception as error:  # who knows what a damaged file makes of a pickle
        raise StorageError(f"{file}: no result: {type(error).__name__}: {error}") from error


def _form() -> bytes:
    """Return what tells apart the files of versions whose values have other fields."""
    kinds = sorted(name for name in domain.__all__ if is_dataclass(getattr(domain, name)))
    told = [f"{name}: {[field.name for field in fields(getattr(domain, name))]}" for name in kinds]
    return b"queuecast shown 1 " + hashlib.sha256("\n".join(told).encode()).digest()
