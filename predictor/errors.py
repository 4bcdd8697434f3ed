"""The errors that queuecast raises on purpose.

QueuecastError
├── DocumentError      an LML document cannot be read
├── SourceError        the batch system cannot be asked
│   ├── SourceTimeout      it did not answer in time
│   ├── SourceOverflow     its answer is longer than allowed
│   └── SourceFormatError  its answer makes no sense
├── SiteError          a site configuration is wrong
│   └── SettingError       one setting of a source is, whatever the others are
├── FormulaError       a priority formula is wrong
├── StorageError       a recording cannot be read or written
│   └── RecordingInUse     another process writes it
└── ServiceError       the daemon cannot be reached or refuses
"""

from collections.abc import Sequence
from typing import ClassVar, Final

LONGEST: Final = 4096
"""An error says no more characters than this, for what it quotes may be as long as any input."""


class QueuecastError(Exception):
    """Base of all errors that are shown to a person as one line."""

    def __str__(self) -> str:
        said = super().__str__()
        return said if len(said) <= LONGEST else f"{said[: LONGEST - 1]}\u2026"


class DocumentError(QueuecastError):
    """An LML document cannot be read. Carries where and why."""

    def __init__(self, cause: str, *, place: str = "", line: int | None = None) -> None:
        self.cause = cause
        self.place = place
        self.line = line
        where = ":".join(part for part in (place, "" if line is None else str(line)) if part)
        super().__init__(f"{where}: {cause}" if where else cause)


class SourceError(QueuecastError):
    """The batch system could not be asked; the message names the command or address."""

    kind: ClassVar[str] = "unreachable"
    """A word for what went wrong, to be counted by."""
    calls: Sequence[object] = ()
    """The `Call`s that it took until then, where they are known."""


class SourceTimeout(SourceError):
    """The batch system did not answer before the deadline."""

    kind = "timeout"


class SourceOverflow(SourceError):
    """The batch system's answer is longer than allowed."""


class SourceFormatError(SourceError):
    """The batch system's answer does not have the form we know; the message quotes it."""

    kind = "format"


class SiteError(QueuecastError):
    """A site configuration is wrong; the message names file, key, line and what would be right."""


class SettingError(SiteError):
    """A setting cannot be used; what is wrong with others is not known yet."""

    def __init__(self, cause: str, *, key: str) -> None:
        self.key = key
        super().__init__(cause)


class FormulaError(QueuecastError):
    """A priority formula is wrong; the message points at the place in the formula."""


class StorageError(QueuecastError):
    """A recording cannot be read or written; the message names the file."""


class RecordingInUse(StorageError):
    """Another process has the recording open for writing."""


class ServiceError(QueuecastError):
    """The daemon cannot be reached or refused; the message names the address."""
