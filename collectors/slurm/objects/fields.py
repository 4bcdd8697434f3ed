"""Slurm's JSON answers: decoding without traps, and typed access to their records."""

import json
import math
import re
from collections.abc import Mapping

from collectors.untrusted import LONGEST_NAME
from predictor.domain import LARGEST, UNLIMITED, Limit
from predictor.errors import SourceError, SourceFormatError

NO_VALUE = frozenset({0xFFFF_FFFE, 0xFFFF_FFFF_FFFF_FFFE})
INFINITE = frozenset({0xFFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF})
_ENDLESS = ("Infinity", float(0xFFFF_FFFF_FFFF_FFFF))
"""A fraction without bound, as `decoded` leaves it and as Slurm 26.05 writes it."""
LATEST = 2**40
"""No instant lies after this one (the year 36812)."""

_SURROGATE = re.compile(r"\\u[dD][89abAB]", re.ASCII)


def decoded(text: str, place: str) -> Mapping[str, object]:
    """Return the object in a command's JSON answer.

    What is wrong in one value stays there: NaN, Infinity and floats too large become text, which
    no reader takes for a number, and half a character becomes a question mark. Raises
    SourceFormatError for what is wrong as a whole: cut off, nested too deep, numbers of thousands
    of digits, repeated keys. Raises SourceError if the answer reports errors: Slurm 22.05 exits
    with 0 and an empty list even when its controller is down.
    """
    try:
        answer = _loaded(text)
        if _SURROGATE.search(text):
            answer = _loaded(json.dumps(answer, ensure_ascii=False).encode(errors="replace"))
    except (ValueError, RecursionError) as error:
        raise SourceFormatError(
            f"{place}: not an answer we can read: {str(error)[:200]}"
        ) from error
    if not isinstance(answer, dict):
        raise SourceFormatError(f"{place}: expected an object, got {text[:40]!r}")
    _raise_reported(answer.get("errors"), place)
    return answer


def record_list(answer: Mapping[str, object], key: str, place: str) -> list[object]:
    """Return the answer's list of records. Raises SourceFormatError if there is none."""
    found = answer.get(key)
    if not isinstance(found, list):
        there = [name[:40] for name in sorted(answer)[:10]]
        raise SourceFormatError(f"{place}: no list {key!r} in it, only {there}")
    return found


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _loaded(text: str | bytes) -> object:
    return json.loads(text, object_pairs_hook=_unique, parse_constant=str, parse_float=_finite)


def _finite(word: str) -> float | str:
    value = float(word)
    return value if math.isfinite(value) else word[:40]


def _raise_reported(errors: object, place: str) -> None:
    if not errors:
        return
    first = errors[0] if isinstance(errors, list) else errors
    if isinstance(first, dict):
        words = (first.get("description"), first.get("error"), first.get("source"))
        first = ", ".join(str(word) for word in words if word)
    raise SourceError(f"{place}: {str(first)[:200]}")


class Fields:
    """One JSON record with typed access. All methods raise ValueError naming the key."""

    __slots__ = ("_record",)

    def __init__(self, record: object) -> None:
        if not isinstance(record, dict):
            raise ValueError(f"expected an object, got {str(record)[:40]!r}")
        self._record: dict[str, object] = record

    def has(self, key: str) -> bool:
        """Return whether the record has the key, be it with null."""
        return key in self._record

    def is_null(self, key: str) -> bool:
        """Return whether the key is there, with null."""
        return key in self._record and self._record[key] is None

    def is_nested(self, key: str) -> bool:
        """Return whether the key holds a record of its own."""
        return isinstance(self._record.get(key), dict)

    def shown(self, key: str) -> str:
        """Return the undecoded value for an error message, at most 40 characters."""
        return str(self._record.get(key))[:40]

    def text(self, key: str) -> str:
        """Return a string; "" for null or no such key."""
        value = self._record.get(key)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise _wrong(key, "a string", value)
        return value

    def name(self, key: str) -> str:
        """Return a name; "" for null or no such key. One without an end is none."""
        value = self.text(key)
        if len(value) > LONGEST_NAME:
            raise _wrong(key, f"a name of at most {LONGEST_NAME} characters", value)
        return value

    def words(self, key: str) -> tuple[str, ...]:
        """Return a list of strings, also where an older version has one string."""
        value = self._record.get(key)
        if value is None or value == "":
            return ()
        listed = [value] if isinstance(value, str) else value
        if not isinstance(listed, list) or not all(isinstance(word, str) for word in listed):
            raise _wrong(key, "a list of strings", value)
        return tuple(listed)

    def by_node(self, key: str) -> tuple[str, ...]:
        """Return a list with a string for each node; null, of a node without any, as empty."""
        value = self._record.get(key)
        if not isinstance(value, list):
            return self.words(key)
        return Fields({key: ["" if word is None else word for word in value]}).words(key)

    def number(self, key: str) -> Limit:
        """Return a whole number, plain or as `{set, infinite, number}`; None: not set."""
        value = self._record.get(key)
        if isinstance(value, dict):
            # Unlimited comes as set=false, infinite=true: ask for infinite first.
            if value.get("infinite") is True:
                return UNLIMITED
            value = value.get("number") if value.get("set") is True else None
        if value is None:
            return None
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise _wrong(key, "a whole number", value)
        if value in NO_VALUE:
            return None
        if value in INFINITE:
            return UNLIMITED
        if abs(value) > LARGEST:
            raise _wrong(key, "a whole number of 64 bits", value)
        return value

    def count(self, key: str) -> int:
        """Return an amount of at least 0; 0 where none is set."""
        value = self.number(key)
        if not isinstance(value, int):
            return 0
        if value < 0:
            raise _wrong(key, "at least 0", value)
        return value

    def decimal(self, key: str) -> float:
        """Return a plain number, whole or not; 0 for null or no such key."""
        value = self._record.get(key) or 0
        if not isinstance(value, int | float):
            raise _wrong(key, "a number", value)
        return float(value)

    def fraction(self, key: str) -> float | None:
        """Return a number, whole or not, plain or as `{set, infinite, number}`; None: not set."""
        value = self._record.get(key)
        if isinstance(value, dict):
            if value.get("infinite") is True:
                return math.inf
            value = value.get("number") if value.get("set") is True else None
        if value is None or value in _ENDLESS:
            return None if value is None else math.inf
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise _wrong(key, "a number", value)
        return None if value in NO_VALUE else float(value)

    def instant(self, key: str) -> int | None:
        """Return epoch seconds; None where unset, which Slurm writes as 0 too."""
        value = self.count(key)
        if value > LATEST:
            raise _wrong(key, "an instant", value)
        return value or None

    def flag(self, key: str) -> bool:
        """Return a truth value; False for null or no such key."""
        value = self._record.get(key, False)
        if not isinstance(value, bool | None):
            raise _wrong(key, "true or false", value)
        return bool(value)

    def part(self, key: str) -> "Fields":
        """Return a nested record; an empty one for null or no such key."""
        return Fields(self._record.get(key) or {})

    def parts(self, key: str) -> list["Fields"]:
        """Return a list of nested records; none for null or no such key."""
        value = self._record.get(key) or []
        if not isinstance(value, list):
            raise _wrong(key, "a list", value)
        return [Fields(item) for item in value]

    def items(self) -> list[tuple[str, object]]:
        """Return keys and undecoded values."""
        return list(self._record.items())


def _wrong(key: str, wanted: str, value: object) -> ValueError:
    return ValueError(f"{key}: expected {wanted}, got {str(value)[:40]!r}")
