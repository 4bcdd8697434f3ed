"""Slurm's text forms: `Key=value` records and tables with `|` between columns."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from collectors.untrusted import LONGEST_NAME
from predictor.errors import SourceFormatError

Record = Mapping[str, str]

_NOTHING = re.compile(r"No [a-z]+ (?:in the system|configured|found)|Unable to find jobs ")
"""So Slurm's commands begin what they say where there is nothing to tell."""
_KEY = re.compile(r"(?:^|\s)([A-Z][\w/:.\[\]-]*)=")


def records(
    text: str, first_key: str, free: Mapping[str, tuple[str, ...]] | None = None
) -> list[Record]:
    """Return the records of `scontrol show`, on one line each (`-o`) or over several.

    `free` names the keys whose values may hold blanks and `=`; such a value ends where one of
    the keys given for it begins, or with the record. Raises SourceFormatError if there is no
    record, unless the text says so: what we do not understand is not an empty answer.
    """
    found = some_records(text, first_key, free)
    if not found and not says_nothing(text):
        raise SourceFormatError(f"no {first_key}=... in {text[:80]!r}")
    return found


def says_nothing(text: str) -> bool:
    """Return whether a command says that there is nothing to tell."""
    return _NOTHING.match(text) is not None


def some_records(
    text: str, first_key: str, free: Mapping[str, tuple[str, ...]] | None = None
) -> list[Record]:
    """Return the records that begin with that key; perhaps there are none."""
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


def table(text: str, column: str) -> list[Record]:
    """Return the rows of a table with a heading (`-P`), which always has that column.

    Raises SourceFormatError if there is no such heading.
    """
    if column not in map(str.strip, text.partition("\n")[0].split("|")):
        raise SourceFormatError(f"no heading with {column} in {text[:80]!r}")
    return some_rows(text)


def some_rows(text: str) -> list[Record]:
    """Return the rows of a table with any heading, or of none.

    A row whose number of columns differs from the heading's is kept as an empty record, so that
    whoever reads it counts it as bad.
    """
    first, *others = text.splitlines() or [""]
    heading = [name.strip() for name in first.split("|")]
    rows = (line.split("|") for line in others if line.strip())
    width = len(heading)
    return [dict(zip(heading, row, strict=True)) if len(row) == width else {} for row in rows]


def needed(record: Record, key: str) -> str:
    """Return the value of a key that every such record has. Raises ValueError, as `name_in`."""
    if key not in record:
        raise ValueError(f"no {key}")
    return name_in(record, key)


def name_in(record: Record, key: str) -> str:
    """Return a name or word; empty if there is none. Raises ValueError for an endless one."""
    word = record.get(key, "")
    if len(word) > LONGEST_NAME:
        raise ValueError(f"a {key} of {len(word)} characters")
    return word
