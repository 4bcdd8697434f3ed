"""Tables for a terminal."""

from collections.abc import Iterator, Sequence

from predictor.cli.terminal import plain

NARROWEST = 40
"""No terminal counts as narrower."""
Row = Sequence[str]


def table(heading: Row, rows: Sequence[Row], width: int) -> Iterator[str]:
    """Yield a table: the first column to the left, the others to the right, cut to the width."""
    cells = [[plain(cell) for cell in row] for row in (heading, *rows)]
    sizes = [max(len(row[column]) for row in cells) for column in range(len(heading))]
    first = max(4, min(sizes[0], width - 2 - sum(size + 2 for size in sizes[1:])))
    for row in cells:
        texts = [cell.rjust(size) for cell, size in zip(row[1:], sizes[1:], strict=True)]
        line = "  ".join([plain(row[0], first).ljust(first), *texts])
        yield plain(f"  {line}", width)
