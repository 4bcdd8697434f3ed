"""Read a trace of the Standard Workload Format: its header, and its jobs as columns of numbers."""

import zlib
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from predictor.errors import DocumentError
from predictor.swf import FIELDS, LONGEST_LINE_BYTES, Header, content, header_entry
from verification.traces.scanner import Scanner

BLOCK_BYTES: Final = 32 * 1024
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
    reading = Reading(path, fields, None if not skip_bad_lines else _pass_over)
    columns = {field: array("q") for field in fields}
    for block in reading.blocks():
        for column, part in zip(columns.values(), block, strict=True):
            column.frombytes(part.cast("B"))
    told = {name: memoryview(column).toreadonly() for name, column in columns.items()}
    return Trace(
        path=path,
        header=reading.header,
        columns=MappingProxyType(told),
        skipped=reading.skipped,
    )


def _pass_over(fault: DocumentError) -> None:
    """Say nothing of a bad line."""


class Reading:
    """A trace that is read piece by piece, in memory that does not grow with it."""

    def __init__(
        self,
        path: Path,
        fields: Sequence[str] = FIELDS,
        bad_line: Callable[[DocumentError], None] | None = None,
    ) -> None:
        """Read `fields`; `bad_line` is told of lines to be left out, None: the first is raised."""
        self.path = path
        self.bad_line = bad_line
        self.scanner = Scanner(
            [FIELDS.index(field) for field in fields], BLOCK_BYTES + LONGEST_LINE_BYTES
        )
        self.fields = len(fields)
        self.told: dict[str, int] = {}
        self.rest = b""
        self.endless = False
        """Whether what comes belongs to a line that is left out."""
        self.line = 1
        self.skipped = 0
        self.jobs = 0

    @property
    def header(self) -> Header:
        """Return what was said before the first job; whole once that has been yielded."""
        return Header(**self.told)

    def blocks(self) -> Iterator[list[memoryview]]:
        """Yield columns (`q`) of some jobs, one per field; they hold until the next are asked for.

        Raises DocumentError with the place if the file cannot be read or has a bad line.
        """
        try:
            with self.path.open("rb") as raw, content(raw) as file:
                while block := file.read(BLOCK_BYTES):
                    yield from self._taken(block)
                yield from self._taken(b"\n")
        except (OSError, EOFError, zlib.error) as error:
            cause = getattr(error, "strerror", None) or error
            raise DocumentError(f"cannot be read: {cause}", place=str(self.path)) from error

    def _taken(self, block: bytes) -> Iterator[list[memoryview]]:
        """Read the next piece of the file, keeping back a line that does not end in it."""
        if self.endless:
            _, ended, block = block.partition(b"\n")
            self.endless = not ended
            self.line += len(ended)
        text = self.rest + block
        end = text.rfind(b"\n") + 1
        self.rest = text[end:]
        place = 0
        while place < end:
            place = self.scanner.scan(text, place, end)
            self.line += self.scanner.lines
            if self.scanner.rows:
                self.jobs += self.scanner.rows
                yield self._rows()
            if place < end:
                after = text.index(b"\n", place) + 1
                self._other_line(text[place:after])
                self.line += 1
                place = after
        if len(self.rest) > LONGEST_LINE_BYTES:
            self._leave_out(f"longer than {LONGEST_LINE_BYTES} bytes", self.rest)
            self.rest, self.endless = b"", True

    def _rows(self) -> list[memoryview]:
        cells, rows = memoryview(self.scanner.cells), self.scanner.rows
        firsts = (index * self.scanner.capacity for index in range(self.fields))
        return [cells[first : first + rows] for first in firsts]

    def _other_line(self, line: bytes) -> None:
        if self.scanner.at_comment():
            if self.jobs == 0:
                self.told |= header_entry(line)
        else:
            self._leave_out(self.scanner.fault(), line)

    def _leave_out(self, cause: str, line: bytes) -> None:
        """Tell of a line that is left out; raise that if nobody wants to know."""
        quoted = line[:QUOTED_BYTES].decode("ascii", "backslashreplace").rstrip()
        fault = DocumentError(f"{cause}: {quoted!r}", place=str(self.path), line=self.line)
        if self.bad_line is None:
            raise fault
        self.skipped += 1
        self.bad_line(fault)
