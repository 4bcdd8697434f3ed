"""Tables whose columns are parted by a mark that nobody can foresee, read as they come."""

import codecs
import secrets
from collections.abc import Iterator, Sequence

from collectors.slurm.text.records import Record
from predictor.errors import SourceFormatError

LONGEST_ROW = 2**20
"""Characters. A task list or a list of nodes may be long."""


def new_mark() -> str:
    """Return a mark for one call: a user would have to guess 48 bits to fake a column.

    Short, for it stands between all columns.
    """
    return f"~{secrets.token_urlsafe(6)}"


class MarkedRows:
    """Cuts what comes in pieces into rows; memory is that of one row and one piece.

    Texts in the middle may hold anything, newlines too; the first and the last column none.
    """

    def __init__(self, columns: Sequence[str], mark: str) -> None:
        self._columns = tuple(columns)
        self._mark = mark
        self._decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode
        self._left = ""
        self._fields: list[str] = []

    def feed(self, piece: bytes) -> Iterator[Record]:
        """Yield the rows that end in this piece. Raises SourceFormatError."""
        *whole, self._left = (self._left + self._decode(piece)).split(self._mark)
        if len(self._left) > LONGEST_ROW:
            raise SourceFormatError(f"a row of more than {LONGEST_ROW} characters")
        for field in whole:
            yield from self._field(field)
        yield from self._last()

    def end(self) -> None:
        """Raise SourceFormatError if the table ends in the middle of a row."""
        left = self._left + self._decode(b"", final=True)
        if self._fields or left:
            raise SourceFormatError(f"cut off in a row: {left[:40]!r}")

    def _field(self, field: str) -> Iterator[Record]:
        if len(self._fields) == len(self._columns) - 1:
            # Between two marks stand the last column of a row and the first one of the next.
            last, newline, field = field.partition("\n")
            if not newline or "\n" in field:
                raise SourceFormatError(f"columns are not parted as asked: {field[:40]!r}")
            yield self._row(last)
        self._fields.append(field)

    def _last(self) -> Iterator[Record]:
        """Yield the row that ends here, so that nobody waits for what follows."""
        if len(self._fields) == len(self._columns) - 1 and self._left.endswith("\n"):
            yield self._row(self._left[:-1])
            self._left = ""

    def _row(self, last: str) -> Record:
        row = dict(zip(self._columns, (*self._fields, last), strict=True))
        self._fields.clear()
        return row
