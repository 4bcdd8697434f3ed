"""An LML file as a source: whoever looks at the cluster replaces the file, we read it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from predictor.domain import Observation
from predictor.errors import DocumentError, SiteError, SourceError, SourceFormatError
from predictor.lml import read

KEYS = frozenset({"path"})
"""What the source can be told in a site file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LmlFile:
    """A file that holds the newest snapshot."""

    path: Path

    def observe(self) -> Observation:
        """Return what the file says now. Raises SourceError."""
        try:
            document = read(self.path.read_bytes(), place=str(self.path))
        except OSError as error:
            raise SourceError(f"{self.path}: {error.strerror}") from error
        except DocumentError as error:
            raise SourceFormatError(str(error)) from error
        return Observation(snapshot=document.snapshot)


def from_settings(settings: Mapping[str, object]) -> LmlFile:
    """Return the source for the file `path`. Raises SiteError."""
    path = settings.get("path")
    if not isinstance(path, str) or settings.keys() - KEYS:
        raise SiteError(f'source "lml-file": expected path = "FILE" alone, got {dict(settings)}')
    return LmlFile(path=Path(path))
