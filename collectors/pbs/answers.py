"""What PBS's commands print with `-F json`: decoded, and each value as the text it was."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from collectors.pbs.mending import mended
from predictor.errors import SourceFormatError

NOT_READ = frozenset(
    {
        "Variable_List",
        "Submit_arguments",
        "argument_list",
        "executable",
        "Error_Path",
        "Output_Path",
        "jobdir",
        "Mail_Users",
        "exec_host",
    }
)
"""Much of every answer, private to users, and of no use."""

LONGEST_TEXT = 1024
"""A value that is not one of the long ones is at most so long, and so is a name."""

_TIMESTAMP = re.compile(r'"timestamp"\s*:\s*([0-9]{1,11})\b')
HEAD_BYTES = 4096
_BLANKS = " \t\r\n"


class Attributes:
    """The attributes of one record. Numbers and strings alike are texts."""

    __slots__ = ("_values",)

    def __init__(self, values: object) -> None:
        """Take the values. Raises ValueError if they are no attributes."""
        if not isinstance(values, dict):
            raise ValueError(f"expected attributes, got {str(values)[:40]!r}")
        self._values: dict[str, object] = values

    def text(self, key: str, default: str = "") -> str:
        """Return a value as it stood there; `default` where nothing is said.

        Raises ValueError for one of more than LONGEST_TEXT characters.
        """
        found = self.long_text(key, default)
        if len(found) > LONGEST_TEXT:
            raise ValueError(f"{key}: more than {LONGEST_TEXT} characters")
        return found

    def long_text(self, key: str, default: str = "") -> str:
        """Return a value of any length; `default` where nothing is said."""
        value = self._values.get(key)
        if isinstance(value, list):
            value = ",".join(map(str, value))
        if value is None or isinstance(value, dict):
            return default
        return str(value) if str(value).isascii() else _encodable(str(value))

    def part(self, key: str) -> "Attributes":
        """Return the values that belong together under a key; none for no such key."""
        value = self._values.get(key)
        return Attributes(value if isinstance(value, dict) else {})

    def texts(self) -> dict[str, str]:
        """Return all plain values by key. Raises ValueError for a long one."""
        if any(len(key) > LONGEST_TEXT for key in self._values):
            raise ValueError(f"a name of more than {LONGEST_TEXT} characters")
        return {key: self.text(key) for key in self._values}

    def names(self) -> tuple[str, ...]:
        """Return the keys under which anything is said."""
        return tuple(self._values)

    def has(self, key: str) -> bool:
        """Return whether anything is said under the key."""
        return key in self._values


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One command's answer."""

    version: str
    server: str
    records: Mapping[str, object]
    """By id or name, in the order of the answer."""


def given_at(text: str) -> int | None:
    """Return when an answer was given, in UTC epoch seconds; None: it does not begin with that."""
    found = _TIMESTAMP.search(text, 0, HEAD_BYTES)
    return int(found[1]) if found else None


def read(text: str, section: str, place: str) -> Answer:
    """Return the answer's records of that section; none if the server has none.

    Lines before and after the answer are passed over: sites wrap these commands. Raises
    SourceFormatError if there is no whole answer.
    """
    found = _decoded(text, place)
    head = Attributes(found)
    records = found.get(section, {})
    if not isinstance(records, dict) or not head.has("pbs_version"):
        raise SourceFormatError(f"{place}: not an answer of PBS: {text[:40]!r}")
    return Answer(
        version=head.long_text("pbs_version")[:LONGEST_TEXT],
        server=head.long_text("pbs_server")[:LONGEST_TEXT],
        records=records,
    )


def _decoded(text: str, place: str) -> dict[str, object]:
    problems = []
    ways: tuple[Callable[[str], str], ...] = (str, mended)
    for way in ways:
        try:
            return _object(way(text))
        except (ValueError, RecursionError) as error:
            problems.append(str(error)[:200])
    raise SourceFormatError(f"{place}: not an answer we can read: {problems[0]}")


def _object(text: str) -> dict[str, object]:
    start = next((at for at in _line_starts(text) if text.startswith("{", at)), None)
    if start is None:
        raise ValueError(f"no JSON in it: {text[:40]!r}")
    decoder = json.JSONDecoder(
        object_pairs_hook=_joined, parse_int=str, parse_float=str, parse_constant=str, strict=False
    )
    found: dict[str, object] = decoder.raw_decode(text, start)[0]
    return found


def _line_starts(text: str) -> Iterator[int]:
    """Yield where the first sign of each line is."""
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        line = text[at : end if end >= 0 else len(text)]
        yield at + len(line) - len(line.lstrip(_BLANKS))
        at = end + 1 if end >= 0 else len(text)


def _joined(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return the pairs, those of one key together: limits come as one pair each."""
    found: dict[str, object] = {}
    for key, value in pairs:
        known = found.get(key)
        if key in NOT_READ:
            continue
        if isinstance(known, dict) and isinstance(value, dict):
            known |= value
        elif isinstance(known, str) and isinstance(value, str) and known != value:
            found[key] = f"{known},{value}"
        else:
            found[key] = value
    return found


def _encodable(text: str) -> str:
    return text.encode(errors="replace").decode()
