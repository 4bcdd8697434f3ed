"""The encoder for CSV: no cell is taken for a formula, and each record is one line."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from predictor.cli.terminal import plain

FORMULA_STARTS = tuple("=+-@＝＋－＠")  # noqa: RUF001 - some spreadsheets take wide ones alike
NOT_AVAILABLE = "N/A"
"""What stands where nothing is known."""
Value = str | int | float | None


def table(columns: Sequence[str], records: Iterable[Mapping[str, Value]]) -> str:
    """Return the columns of the records as CSV by RFC 4180, with a head. None: an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows([cell(record[column]) for column in columns] for record in records)
    return out.getvalue()


def cell(value: Value) -> Value:
    """Return a value as it may stand in a cell; text that looks like a formula after a `'`.

    Characters that cannot be shown become `?`, tab and line ends among them.
    """
    if not isinstance(value, str):
        return value
    shown = plain(value)
    # A spreadsheet may trim a cell before it looks what that is.
    return f"'{shown}" if shown.lstrip().startswith(FORMULA_STARTS) else shown
