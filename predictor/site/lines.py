"""Find the line on which each key of a TOML text stands; the standard library does not tell."""

import re
import tomllib
from collections.abc import Mapping

Place = tuple[str | int, ...]
"""Keys and, within arrays, positions from 0; () is the document."""

BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
KEY = re.compile(r"""[ \t]*([A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')[ \t]*""")
TEXT = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"{3,5}'
    r"|'''(?:[^']|'(?!''))*'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
PLAIN = re.compile(r"[^\s,\]}#]+(?: [0-9][^\s,\]}#]*)?")


def lines_of(text: str) -> Mapping[Place, int]:
    """Return the line, from 1, of every table, key and array element. Linear in `text`.

    The text must be valid TOML: this reads it without checking it.
    """
    return _Scan(text).lines


class _Scan:
    """One pass over a document; `lines` is the result."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Place, int] = {(): 1}
        self._text = text
        self._at = 0
        self._line = 1
        self._counted = 0
        self._arrays: dict[Place, int] = {}
        self._statements()

    def _statements(self) -> None:
        table: Place = ()
        self._skip(BLANK)
        while self._at < len(self._text):
            if self._follows("["):
                table = self._header()
            else:
                self._pair(table)
            self._skip(BLANK)

    def _header(self) -> Place:
        is_array = self._follows("[[")
        self._at += 2 if is_array else 1
        place = self._key(())
        self._at += 2 if is_array else 1
        if is_array:
            self._arrays[place] = self._arrays.get(place, -1) + 1
            self._mark(place)
            place = (*place, self._arrays[place])
        self._mark(place)
        return place

    def _pair(self, table: Place) -> None:
        line = self._here()
        place = self._key(table)
        for length in range(len(table) + 1, len(place) + 1):
            self.lines.setdefault(place[:length], line)
        self._at += 1
        self._value(place)

    def _key(self, start: Place) -> Place:
        place = start
        while True:
            place = (*self._latest(place), _bare(self._skip(KEY).strip()))
            if not self._follows("."):
                return place
            self._at += 1

    def _latest(self, place: Place) -> Place:
        # `[a.b]` after `[[a]]` continues the last element of a.
        return (*place, self._arrays[place]) if place in self._arrays else place

    def _value(self, place: Place) -> None:
        self._skip(BLANK)
        if self._follows("["):
            self._list(place)
        elif self._follows("{"):
            self._inline_table(place)
        elif not self._skip(TEXT):
            self._skip(PLAIN)

    def _list(self, place: Place) -> None:
        self._open()
        position = 0
        while not self._follows("]"):
            self._mark((*place, position))
            self._value((*place, position))
            self._separator()
            position += 1
        self._at += 1

    def _inline_table(self, place: Place) -> None:
        self._open()
        while not self._follows("}"):
            self._pair(place)
            self._separator()
        self._at += 1

    def _open(self) -> None:
        self._at += 1
        self._skip(BLANK)

    def _separator(self) -> None:
        self._skip(BLANK)
        if self._follows(","):
            self._open()

    def _mark(self, place: Place) -> None:
        self.lines.setdefault(place, self._here())

    def _here(self) -> int:
        self._line += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._line

    def _follows(self, sign: str) -> bool:
        return self._text.startswith(sign, self._at)

    def _skip(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._at)
        if match is None:
            return ""
        self._at = match.end()
        return match.group()


def _bare(key: str) -> str:
    return next(iter(tomllib.loads(f"{key} = 0")))
