"""How PBS writes amounts, times, names and limits; every spelling is decoded here."""

import re
from calendar import timegm
from collections.abc import Iterator

_SIZE = re.compile(r"(\d{1,15})([kmgtp]?)([bw]?)", re.IGNORECASE)
_BYTES = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40, "p": 2**50}
_WORD_BYTES = 8
MOST = 2**44
"""No size in MiB and no number of anything is larger: then 64 bits hold those of all chunks."""
_CLOCK = re.compile(r"(?:(?:(\d{1,9}):)?(\d{1,9}):)?(\d{1,12})(?:\.\d+)?")
_DATE = re.compile(r"\w{3} (\w{3}) +(\d{1,2}) (\d\d):(\d\d):(\d\d) (\d{4})", re.ASCII)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_LIMIT = re.compile(r"\[([^\[\]]*)\]")
_KINDS = frozenset("ougp")
_TRUE = frozenset({"true", "t", "y", "1"})
_FALSE = frozenset({"false", "f", "n", "0"})


def size_mb(word: str) -> int:
    """Return `527672488kb`, `235gb`, `8gw` or bare bytes in MiB, rounded up. Raises ValueError."""
    found = _SIZE.fullmatch(word)
    if found is None:
        raise ValueError(f"not a size: {word[:40]!r}")
    number, scale, unit = found.groups()
    count = int(number) * _BYTES[scale.lower()] * (_WORD_BYTES if unit in ("w", "W") else 1)
    if count > MOST * 2**20:
        raise ValueError(f"too large a size: {word[:40]!r}")
    return -(-count // 2**20)


def amount(word: str) -> int | None:
    """Return a plain number, or a size in MiB; None for what is no amount, or too large."""
    try:
        return count(word) if word.isdecimal() else size_mb(word)
    except ValueError:
        return None


def count(word: str, default: int = 0) -> int:
    """Return a whole number of at least 0; `default` where nothing is said. Raises ValueError."""
    if not word:
        return default
    if not word.isdecimal() or len(word) > 15 or int(word) > MOST:
        raise ValueError(f"not a whole number of at most {MOST}: {word[:40]!r}")
    return int(word)


def seconds(word: str) -> int | None:
    """Return `8199:09:40`, `20:00` or bare seconds; None where nothing is said.

    Raises ValueError.
    """
    if not word:
        return None
    found = _CLOCK.fullmatch(word)
    if found is None:
        raise ValueError(f"not a duration: {word[:40]!r}")
    hours, minutes, last = (int(part or 0) for part in found.groups())
    return (hours * 60 + minutes) * 60 + last


def instant(word: str) -> int | None:
    """Return UTC epoch seconds of `Sat Dec  3 20:25:38 2022`; None for what is no date.

    The commands write local time, and are run in UTC.
    """
    if word.isdecimal() and len(word) < 12:
        return int(word) or None
    found = _DATE.fullmatch(word)
    if found is None or found[1] not in _MONTHS:
        return None
    day, hour, minute, second, year = (int(found[n]) for n in range(2, 7))
    at = timegm((year, _MONTHS.index(found[1]) + 1, day, hour, minute, second))
    return at if at > 0 else None


def truth(word: str) -> bool | None:
    """Return a boolean; None for what is none."""
    known = word.lower()
    return True if known in _TRUE else False if known in _FALSE else None


def short(word: str) -> str:
    """Return an id without its server: `123[4].pbs.site.org` is `123[4]`."""
    return word.partition(".")[0]


def person(word: str) -> str:
    """Return `ana@login1` without the host."""
    return word.partition("@")[0]


def people(word: str) -> tuple[str, ...]:
    """Return the names in an access list `+ana@*,ben@login1,-eve`, less those it shuts out."""
    names = (part.strip() for part in word.split(","))
    kept = (person(name.removeprefix("+")) for name in names if not name.startswith("-"))
    return tuple(dict.fromkeys(name for name in kept if name))


def limits(word: str) -> tuple[tuple[str, str, str], ...]:
    """Return the limits in `[u:PBS_GENERIC=1],[o:PBS_ALL=32]` as (kind, whom, how much)."""
    return tuple(_limits(word))


def _limits(word: str) -> Iterator[tuple[str, str, str]]:
    for limit in _LIMIT.findall(word):
        kind, _, rest = limit.partition(":")
        whom, _, much = rest.partition("=")
        if kind.strip() in _KINDS and whom.strip() and len(much.split()) == 1:
            yield kind.strip(), whom.strip(), much.strip()
