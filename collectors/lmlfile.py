"""LML files as a source: whoever looks at the cluster replaces them, we read them."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from predictor.domain import Observation
from predictor.errors import DocumentError, SiteError, SourceError, SourceFormatError
from predictor.lml import Document, read, read_sections
from predictor.lml.guard import MOST_BYTES

KEYS = frozenset({"path"})
"""What the source can be told in a site file."""
ENDINGS = (".xml", ".lml")
MOST_FILES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class LmlFile:
    """A file that holds the newest snapshot, or a folder with its sections."""

    path: Path

    def observe(self) -> Observation:
        """Return what the file says now, or those in the folder. Raises SourceError."""
        try:
            document = self._document()
        except OSError as error:
            raise SourceError(f"{error.filename or self.path}: {error.strerror}") from error
        except DocumentError as error:
            raise SourceFormatError(str(error)) from error
        return Observation(snapshot=document.snapshot)

    def _document(self) -> Document:
        if self.path.is_dir():
            return read_sections(self._sections())
        return read(_content(self.path), place=str(self.path))

    def _sections(self) -> Iterator[tuple[str, bytes]]:
        """Yield the documents in the folder, by name. Raises DocumentError if they are too much."""
        files = sorted(file for file in self.path.iterdir() if file.suffix in ENDINGS)
        size = sum(file.stat().st_size for file in files)
        if not files or len(files) > MOST_FILES or size > MOST_BYTES:
            cause = f"{len(files)} documents of {size} bytes; expected 1 to {MOST_FILES}"
            raise DocumentError(f"{cause}, of {MOST_BYTES} at most", place=str(self.path))
        for file in files:
            yield str(file), _content(file)


def _content(path: Path) -> bytes:
    """Return what the file holds or, of one that is too large, enough for a reader to refuse it."""
    # Without blocking: somebody else writes there, and a pipe in the file's place must not keep
    # all looks waiting for ever.
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
        return file.read(MOST_BYTES + 1)


def from_settings(settings: Mapping[str, object]) -> LmlFile:
    """Return the source for the file or folder `path`. Raises SiteError."""
    path = settings.get("path")
    if not isinstance(path, str) or settings.keys() - KEYS:
        raise SiteError(f'source "lml-file": expected path = "FILE" alone, got {dict(settings)}')
    return LmlFile(path=Path(path))
