"""The lines of slurm.conf and its kin: comments, continuations, `Key=Value` pairs.

Source: slurm.conf(5), and what slurmctld 22.05.8 makes of such lines. Whoever writes it wins over
whoever documents it: `#` begins a comment even within quotes, and a backslash before any character
takes away what is special about it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

LONGEST_LINE = 2**20
"""More characters in one line, continuations included, are a mistake or an attack."""
LONGEST_QUOTE = 80
BLANKS = " \t\r\f\v"

_CODE = re.compile(r"(?:[^\\#]+|\\.)*")
_ESCAPED = re.compile(r"\\(.)")
_PAIR = re.compile(r'\s*([A-Za-z0-9_.]+)\s*[-+*/]?=\s*(?:"([^"]*)"|(\S*))(?=\s|$)', re.ASCII)
_INCLUDE = re.compile(r"include\s+(\S.*)", re.ASCII | re.IGNORECASE)
_BLANK = re.compile(r"\s*", re.ASCII)
_PLAIN = re.compile(r"[^\s\"]+", re.ASCII)
_KEY = re.compile(r"[A-Za-z0-9_.]+")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a line begins."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Pair:
    """A key and its value, both as written, the value without its quotes."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Line:
    """The pairs that stand on one line."""

    pairs: tuple[Pair, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Remark:
    """What is wrong with a line, or strange about it."""

    place: Place
    cause: str

    def __str__(self) -> str:
        return f"{self.place}: {self.cause}"


@dataclass(frozen=True, slots=True)
class Inclusion:
    """A line that names another file, which stands in its place."""

    name: str
    place: Place


Item = Line | Inclusion | Remark


def items(text: str, file: str) -> Iterator[Item]:
    """Yield what the lines of a file say, in order; what cannot be read as a Remark."""
    for number, line in _logical(text.removeprefix("\ufeff")):
        place = Place(file, number)
        if len(line) > LONGEST_LINE:
            yield Remark(place, f"a line of more than {LONGEST_LINE} characters; left out")
            continue
        code = _ESCAPED.sub(r"\1", _code_of(line)).strip(BLANKS)
        if "\0" in code:
            yield Remark(place, f"a NUL byte in {_quoted(code)}; left out")
        elif code:
            yield from _statement(code, place)


def printed(lines: Iterable[Line]) -> str:
    """Return text that reads as the same pairs, one line each.

    Raises ValueError for what no such file can say: quotes and line ends in a value.
    """
    return "".join(" ".join(map(_written, line.pairs)) + "\n" for line in lines)


def _logical(text: str) -> Iterator[tuple[int, str]]:
    """Yield the number of the first line and the text of each line with its continuations."""
    begun = 1
    parts: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line and not parts:
            begun = number + 1
            continue
        parts.append(line)
        bare = line.rstrip(BLANKS)
        if (len(bare) - len(bare.rstrip("\\"))) % 2:
            parts[-1] = bare[:-1]
            continue
        yield begun, "".join(parts)
        begun, parts = number + 1, []
    if parts:
        yield begun, "".join(parts)


def _code_of(line: str) -> str:
    """Return the line without its comment."""
    match = _CODE.match(line)
    return match[0] if match else ""


def _statement(code: str, place: Place) -> Iterator[Item]:
    if included := _INCLUDE.fullmatch(code):
        yield Inclusion(included[1].strip('"'), place)
        return
    if "\ufffd" in code:
        yield Remark(place, f"bytes that are no UTF-8 in {_quoted(code)}")
    pairs, end = _pairs(code)
    if pairs:
        yield Line(pairs, place)
    if end < len(code):
        yield Remark(place, f"expected Key=Value, not {_quoted(code[end:])}; left out")


def _pairs(code: str) -> tuple[tuple[Pair, ...], int]:
    """Return the pairs, and where the part begins that is none."""
    found: list[Pair] = []
    at = 0
    while match := _PAIR.match(code, at):
        found.append(Pair(match[1], match[3] if match[2] is None else match[2]))
        at = match.end()
    blank = _BLANK.match(code, at)
    return tuple(found), blank.end() if blank else at


def _written(pair: Pair) -> str:
    if not _KEY.fullmatch(pair.key):
        raise ValueError(f"not a key: {_quoted(pair.key)}")
    if set(pair.value) & {'"', "\n", "\0"}:
        raise ValueError(f"{pair.key}: no file can say {_quoted(pair.value)}")
    value = pair.value if _PLAIN.fullmatch(pair.value) else f'"{pair.value}"'
    return f"{pair.key}={value}".replace("\\", r"\\").replace("#", r"\#")


def _quoted(text: str) -> str:
    return repr(text[:LONGEST_QUOTE])
