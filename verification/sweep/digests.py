"""Hashes of what a sweep rests on: the content of its inputs, and the code that works on them."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from predictor.engine.kind import ROOT
from predictor.storage.catalogue import segment_number

BLOCK_BYTES = 1 << 20
IDLE = (
    "predictor/cli/",
    "predictor/service/",
    "predictor/web/",
    "verification/cli/",
    "verification/report/",
)
"""Folders of code that decides nothing about a run's outcome."""
PACKAGES = ("predictor", "verification", "collectors")
SUFFIXES = (".py", ".pxd", ".pyx")


def digest_of_file(path: Path) -> str:
    """Return the SHA-256 of the file's bytes. Raises OSError."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(BLOCK_BYTES):
            found.update(block)
    return found.hexdigest()


def digest_of_recording(path: Path) -> str:
    """Return a SHA-256 over the segments of a recording, whatever else lies there. Raises OSError.

    A recording that is still written changes with each snapshot.
    """
    segments = (file for file in path.iterdir() if segment_number(file.name) is not None)
    return _of_files(path, segments)


def digest_of_code() -> str:
    """Return a SHA-256 over the sources of all that may decide about the outcome of a run."""
    files = (
        file
        for package in PACKAGES
        for file in (ROOT / package).rglob("*")
        if file.suffix in SUFFIXES and not str(file.relative_to(ROOT)).startswith(IDLE)
    )
    return _of_files(ROOT, files)


def _of_files(root: Path, files: Iterable[Path]) -> str:
    told = sorted((str(file.relative_to(root)), digest_of_file(file)) for file in files)
    text = "".join(f"{name}\0{digest}\n" for name, digest in told)
    return hashlib.sha256(text.encode()).hexdigest()
