"""Slurm's text forms: `Key=value` records and tables with `|` between columns."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

Record = Mapping[str, str]

_KEY = re.compile(r"(?:^|\s)([A-Z][\w/:.\[\]-]*)=")


def records(
    text: str, first_key: str, free: Mapping[str, tuple[str, ...]] | None = None
) -> list[Record]:
    """Return the records of `scontrol show`, on one line each (`-o`) or over several.

    `free` names the keys whose values may hold blanks and `=`; such a value ends where one of
    the keys given for it begins, or with the record.
    """
    starts = [m.start() for m in re.finditer(rf"^{first_key}=", text, re.MULTILINE)]
    return [
        key_values(" ".join(text[start:end].split()), free or {})
        for start, end in pairwise([*starts, len(text)])
    ]


def key_values(line: str, free: Mapping[str, tuple[str, ...]]) -> Record:
    """Return the `Key=value` pairs of one record; of a repeated key the first counts."""
    found: dict[str, str] = {}
    for key, start, end in _spans(line, free):
        found.setdefault(key, line[start:end].strip())
    return found


def _spans(line: str, free: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, int, int]]:
    open_key, open_at = "", 0
    for match in _KEY.finditer(line):
        if open_key in free and match[1] not in free[open_key]:
            continue
        if open_key:
            yield open_key, open_at, match.start()
        open_key, open_at = match[1], match.end()
    if open_key:
        yield open_key, open_at, len(line)


def table(text: str) -> list[Record]:
    """Return the rows of a table with a heading (`-P`).

    A row whose number of columns differs from the heading's is kept as an empty record, so that
    whoever reads it counts it as bad.
    """
    lines = text.splitlines()
    if not lines:
        return []
    heading = [name.strip() for name in lines[0].split("|")]
    rows = (line.split("|") for line in lines[1:] if line.strip())
    width = len(heading)
    return [dict(zip(heading, row, strict=True)) if len(row) == width else {} for row in rows]


def needed(record: Record, key: str) -> str:
    """Return the value of a key that every such record has. Raises ValueError."""
    try:
        return record[key]
    except KeyError:
        raise ValueError(f"no {key}") from None
