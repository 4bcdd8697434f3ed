"""Read a trace of the Standard Workload Format: its header, and its jobs as columns of numbers."""

import zlib
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from predictor.errors import DocumentError
from predictor.swf import FIELDS, LONGEST_LINE_BYTES, Header, content, header_entry
from verification.traces.scanner import Scanner

BLOCK_BYTES: Final = 128 * 1024
QUOTED_BYTES: Final = 80


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trace:
    """A trace as it stands in its file."""

    path: Path
    header: Header
    columns: Mapping[str, memoryview]
    """Whole numbers (`q`, read-only) of the fields asked for, one per job, in the file's order."""
    skipped: int = 0
    """So many bad lines were left out."""


def read(path: Path, fields: Sequence[str] = FIELDS, *, skip_bad_lines: bool = False) -> Trace:
    """Read `fields` of a trace, which may be compressed with gzip.

    All 18 fields of every line are checked; decimals are left out. Memory grows by 8 bytes per job
    and field asked for, whatever the file holds. Raises DocumentError with the place if the file
    cannot be read or, unless `skip_bad_lines`, if a line is not what it should be.
    """
    reading = _Reading(path, fields, skip_bad_lines)
    try:
        with path.open("rb") as raw, content(raw) as file:
            while block := file.read(BLOCK_BYTES):
                reading.take(block)
            reading.take(b"\n")
    except (OSError, EOFError, zlib.error) as error:
        cause = getattr(error, "strerror", None) or error
        raise DocumentError(f"cannot be read: {cause}", place=str(path)) from error
    return reading.trace()


class _Reading:
    """What was read so far."""

    def __init__(self, path: Path, fields: Sequence[str], skip_bad_lines: bool) -> None:
        self.path = path
        self.skip_bad_lines = skip_bad_lines
        self.scanner = Scanner(
            [FIELDS.index(field) for field in fields], BLOCK_BYTES + LONGEST_LINE_BYTES
        )
        self.columns = {field: array("q") for field in fields}
        self.header: dict[str, int] = {}
        self.rest = b""
        self.line = 1
        self.skipped = 0
        self.jobs = 0

    def take(self, block: bytes) -> None:
        """Read the next piece of the file, keeping back a line that does not end in it."""
        text = self.rest + block
        end = text.rfind(b"\n") + 1
        self.rest = text[end:]
        place = 0
        while place < end:
            place = self.scanner.scan(text, place, end)
            self._keep_rows()
            if place < end:
                after = text.index(b"\n", place) + 1
                self._other_line(text[place:after])
                self.line += 1
                place = after
        if len(self.rest) > LONGEST_LINE_BYTES:
            raise self._bad_line(f"longer than {LONGEST_LINE_BYTES} bytes", self.rest)

    def _keep_rows(self) -> None:
        self.line += self.scanner.lines
        self.jobs += self.scanner.rows
        cells = memoryview(self.scanner.cells)
        for index, column in enumerate(self.columns.values()):
            first = index * self.scanner.capacity
            column.frombytes(cells[first : first + self.scanner.rows].cast("B"))

    def _other_line(self, line: bytes) -> None:
        if self.scanner.at_comment():
            if self.jobs == 0:
                self.header |= header_entry(line)
        elif self.skip_bad_lines:
            self.skipped += 1
        else:
            raise self._bad_line(self.scanner.fault(), line)

    def _bad_line(self, cause: str, line: bytes) -> DocumentError:
        quoted = line[:QUOTED_BYTES].decode("ascii", "backslashreplace").rstrip()
        return DocumentError(f"{cause}: {quoted!r}", place=str(self.path), line=self.line)

    def trace(self) -> Trace:
        """Return all that was read."""
        columns = {name: memoryview(column).toreadonly() for name, column in self.columns.items()}
        return Trace(
            path=self.path,
            header=Header(**self.header),
            columns=MappingProxyType(columns),
            skipped=self.skipped,
        )
