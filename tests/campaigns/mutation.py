"""Hostile inputs made from good ones: the same ones for the same seed.

Bytes are flipped, cut, doubled, moved, spliced and replaced by words of a dictionary; values inside
of JSON also by values of other kinds, keys said twice among them. What was answered in a way not
met before becomes one of the good ones: so that the search goes on from where it got.
"""

import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

LONGEST = 2**16
"""No input grows beyond that, but for the huge ones."""
HUGE = 2**18
HUGE_ONE_IN = 2_000
MOST_KNOWN = 400
"""So many inputs are gone on from; which ones beyond is left to chance."""

WORDS = tuple(
    word.encode("utf-8", "surrogatepass")
    for word in (
        *("0", "-1", "1", "007", "-0", "4294967295", "4294967296", "9223372036854775808"),
        *(
            "1e9",
            "1e999",
            "-1e999",
            "0x10",
            "1_000",
            "9" * 30,
            "9" * 400,
            "9" * 5_000,
            "0." + "3" * 99,
        ),
        *(
            "NaN",
            "nan",
            "Infinity",
            "inf",
            "-inf",
            "null",
            "None",
            "true",
            "True",
            "{}",
            "[]",
            '""',
        ),
        *(
            "UNLIMITED",
            "INFINITE",
            "(null)",
            "N/A",
            "Unknown",
            "NONE",
            "INVALID",
            "Partition_Limit",
        ),
        *("1970-01-01T00:00:00", "9999-12-31T23:59:59"),
        *("0001-01-01T00:00:00+23:59", "2026-02-30"),
        *(
            "2026-11-21T02:17:32",
            "99999-01-01T00:00:00",
            "1-00:00:00",
            "365-23:59:60",
            "-1:-1",
            "12:",
        ),
        *("n[1-4]", "n[1-99999999]", "n[", "n[1-2"),
        *("n[2-1]", "n[1-4,", "a[1-9]b[1-9]c[1-9]", "[]"),
        *("1_[0-9999999]", "1_[1-5%2]", "1_[", "12+3"),
        *("1[]", "1,,,", "1..4000000", "0-9:2", "%"),
        *(
            "=",
            "==",
            "|",
            "||",
            ",",
            ";",
            ":",
            "\\",
            "\\\\",
            '"',
            "'",
            "`",
            "\t",
            " ",
            "  ",
            "\r\n",
        ),
        *(
            "\n",
            "\n\n",
            "\0",
            "\x1b[2J",
            "\x7f",
            "\x85",
            "\u2028",
            "\ufeff",
            "\ufffe",
            "\U0010ffff",
        ),
        *(
            "\ud800",
            "\\ud800",
            "\\udfff",
            "\\u0000",
            "\u0661\u0662",
            "\uff11",
            "\u00b2",
            "\u202e",
            "é",
        ),
        *(
            "<",
            ">",
            "&",
            "&amp;",
            "&#0;",
            "&#xD800;",
            "&x;",
            "<!DOCTYPE x>",
            "<![CDATA[",
            "]]>",
            "<!--",
        ),
        *(
            "{",
            "}",
            "[",
            "]",
            "(",
            ")",
            "{{7*7}}",
            "${x}",
            "%n",
            "%s",
            "../../etc/passwd",
            "/",
            "~",
        ),
        *(
            "#",
            "# ",
            "--",
            "-",
            "+",
            "*",
            "**",
            "@",
            "!",
            "$(id)",
            "=cmd|' /C calc'!A0",
            "__class__",
        ),
    )
)
ODD_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**63, 2**70),
    *(-(2**70), 10**400, 1.5, -0.0, 1e308, 1e999),
    *(float("nan"), "", "x", "\ud800", "\0", "é" * 300, "9" * 40, "9" * 5_000, "n[1-99999999]"),
    *(
        [],
        {},
        [None],
        [[]],
        [[[[[[[[]]]]]]]],
        {"": ""},
        {"set": True, "infinite": True, "number": 0},
    ),
    *({"set": False}, {"number": "x"}, {"set": True, "number": -1}),
    *("UNLIMITED", "INFINITE", "N/A"),
    *("2026-11-21T02:17:32", "1-00:00:00", "(null)"),
    *("=1+1", "<b>", "\x1b[2J", "../..", "1e999"),
)
_WORD = re.compile(rb"[A-Za-z0-9_.+\x80-\xff-]+|[^\sA-Za-z0-9]")
_OPENERS = (
    b"[",
    b"{",
    b"(",
    b'{"a":',
    b"[@",
    b"<a>",
    b"-",
    b"not ",
    b"1,",
    b" ",
    b"\n",
    b'"',
    b"\\",
)

Change = Callable[["Mutator", bytes], bytes]


class Mutator:
    """Makes inputs. `words` belong to the format besides those that are odd everywhere."""

    def __init__(
        self, seeds: Sequence[bytes], words: Sequence[bytes], rng: Random, *, longest: int = LONGEST
    ) -> None:
        self._known = [seed[:longest] for seed in seeds] or [b""]
        self._words = (*WORDS, *words, *words)
        self._longest = longest
        self._rng = rng
        self._chance = rng.random
        self._trees: dict[int, Any] = {}
        self._json = any(seed.lstrip()[:1] in (b"{", b"[") for seed in self._known)

    def keep(self, data: bytes) -> None:
        """Go on from this input, too."""
        if len(self._known) < MOST_KNOWN:
            self._known.append(data)
        else:
            place = self._below(MOST_KNOWN)
            self._known[place] = data
            self._trees.pop(place, None)

    def one(self) -> bytes:
        """Return the next input."""
        place = self._below(len(self._known))
        data = self._known[place]
        if self._json and self._chance() < 0.4:
            tree = self._tree(place)
            if tree is not None:
                return self._restructured(tree)[: self._longest]
        for _ in range(1 + int(self._chance() ** 3 * 6)):
            data = CHANGES[int(self._chance() * len(CHANGES))](self, data)
        if self._chance() * HUGE_ONE_IN < 1:
            return self._huge(data)
        return data[: self._longest]

    def _below(self, end: int) -> int:
        return int(self._chance() * end)

    def _word(self) -> bytes:
        return self._words[int(self._chance() * len(self._words))]

    def _span(self, data: bytes) -> tuple[int, int]:
        """Return a stretch of the input, most often a short one."""
        begin = self._below(len(data) + 1)
        return begin, begin + int(self._chance() ** 4 * (len(data) - begin + 1))

    def _token(self, data: bytes) -> tuple[int, int]:
        """Return where the next word behind some place stands."""
        found = _WORD.search(data, self._below(len(data) + 1))
        return found.span() if found else (len(data), len(data))

    def _huge(self, data: bytes) -> bytes:
        """Return the input with one of its words as long as a book."""
        begin, end = self._token(data)
        piece = _OPENERS[self._below(len(_OPENERS))] if self._chance() < 0.6 else self._word()
        return data[:begin] + (piece * (HUGE // len(piece)))[:HUGE] + data[end:]

    def _tree(self, place: int) -> Any:
        if place not in self._trees:
            try:
                self._trees[place] = json.loads(self._known[place])
            except (ValueError, RecursionError):
                self._trees[place] = None
        return self._trees[place]

    def _restructured(self, tree: Any) -> bytes:
        """Return the value as JSON with one of its parts changed."""
        holder, key = None, None
        inner = tree
        while isinstance(inner, dict | list) and inner and (holder is None or self._chance() < 0.8):
            holder = inner
            key = self._pick(inner)
            inner = holder[key]
        if holder is None:
            return json.dumps(ODD_VALUES[self._below(len(ODD_VALUES))]).encode()
        was = holder[key]
        kind = self._chance()
        if isinstance(holder, dict) and kind < 0.15:
            return _said_twice(tree, holder, key, ODD_VALUES[self._below(len(ODD_VALUES))])
        if isinstance(holder, dict) and kind < 0.3:
            del holder[key]
            told = json.dumps(tree).encode()
            holder[key] = was
            return told
        holder[key] = ODD_VALUES[self._below(len(ODD_VALUES))]
        if kind > 0.9:
            holder[key] = [was] * (1 + self._below(40))
        told = json.dumps(tree).encode()
        holder[key] = was
        return told

    def _pick(self, holder: Any) -> Any:
        if isinstance(holder, list):
            return self._below(len(holder))
        keys = list(holder)
        return keys[self._below(len(keys))]


def _said_twice(tree: Any, holder: dict[str, Any], key: str, value: Any) -> bytes:
    mark = "\x01twice\x01"
    holder[mark] = value
    told = json.dumps(tree).encode()
    del holder[mark]
    return told.replace(json.dumps(mark).encode(), json.dumps(key).encode())


# -- one change each


def _flip(mutator: Mutator, data: bytes) -> bytes:
    if not data:
        return b"\0"
    place = mutator._below(len(data))
    changed = bytes((data[place] ^ (1 << mutator._below(8)),))
    return data[:place] + changed + data[place + 1 :]


def _set_byte(mutator: Mutator, data: bytes) -> bytes:
    place = mutator._below(len(data) + 1)
    return data[:place] + bytes((mutator._below(256),)) + data[place + 1 :]


def _truncate(mutator: Mutator, data: bytes) -> bytes:
    return data[: mutator._below(len(data) + 1)]


def _without(mutator: Mutator, data: bytes) -> bytes:
    begin, end = mutator._span(data)
    return data[:begin] + data[end:]


def _again(mutator: Mutator, data: bytes) -> bytes:
    begin, end = mutator._span(data)
    times = 1 + int(mutator._chance() ** 4 * 60)
    return data[:begin] + data[begin:end] * times + data[begin:]


def _moved(mutator: Mutator, data: bytes) -> bytes:
    begin, end = mutator._span(data)
    place = mutator._below(len(data) + 1)
    return data[:place] + data[begin:end] + data[place:]


def _spliced(mutator: Mutator, data: bytes) -> bytes:
    other = mutator._known[mutator._below(len(mutator._known))]
    return data[: mutator._below(len(data) + 1)] + other[mutator._below(len(other) + 1) :]


def _another_word(mutator: Mutator, data: bytes) -> bytes:
    begin, end = mutator._token(data)
    return data[:begin] + mutator._word() + data[end:]


def _one_more_word(mutator: Mutator, data: bytes) -> bytes:
    place = mutator._below(len(data) + 1)
    return data[:place] + mutator._word() + data[place:]


def _swapped(mutator: Mutator, data: bytes) -> bytes:
    (a, b), (c, d) = sorted((mutator._token(data), mutator._token(data)))
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:] if b <= c else data


def _nested(mutator: Mutator, data: bytes) -> bytes:
    place = mutator._below(len(data) + 1)
    opener = _OPENERS[mutator._below(len(_OPENERS))]
    return data[:place] + opener * (1 << mutator._below(13)) + data[place:]


def _without_line(mutator: Mutator, data: bytes) -> bytes:
    begin = data.rfind(b"\n", 0, mutator._below(len(data) + 1)) + 1
    end = data.find(b"\n", begin) + 1 or len(data)
    return data[:begin] + data[end:]


CHANGES: tuple[Change, ...] = (
    *(_flip, _set_byte, _truncate, _without, _again, _moved, _spliced, _swapped, _nested),
    *(_another_word,) * 6,
    *(_one_more_word,) * 3,
    _without_line,
)
