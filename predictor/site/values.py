"""The kinds of value that a site file may hold besides plain TOML ones."""

import re
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, PlainSerializer, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError
from pydantic_core.core_schema import ValidationInfo

from predictor.domain import UNLIMITED, Limit
from predictor.domain.durations import DAY_S, UNIT_S
from predictor.hostlists import expanded

CLOCK = re.compile(r"(?:([0-9]{1,5})-)?([0-9]{1,5}):([0-5][0-9]):([0-5][0-9])")
HOST_NAME = re.compile(r"[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\]")
ADDRESS = re.compile(r"[A-Za-z0-9_.:%-]{1,255}")
MOST_S = 100 * 365 * DAY_S
"""Longer durations are slips of the pen, and leave the calendar."""
UNITS = re.compile(r"(?:([0-9]{1,9})(d|h|min|s))(?: ?([0-9]{1,9})(d|h|min|s))*")


def refuse(expected: str, value: object, choices: Iterable[str] = ()) -> PydanticCustomError:
    """Return the error that says what should have stood in place of `value`.

    The nearest of `choices` is what it suggests.
    """
    context = {"expected": expected, "value": value, "choices": tuple(choices)}
    return PydanticCustomError("expected", "{expected}", context)


def one_of(names: Collection[str]) -> Callable[[str], str]:
    """Return what returns a name if it is one of these, and raises the error of `refuse` if not."""

    def named(value: str) -> str:
        if value not in names:
            raise refuse(f"one of {', '.join(names)}", value, names)
        return value

    return named


def seconds(value: object) -> int:
    """Return a duration as whole seconds. Raises the error of `refuse`.

    Takes 90, "90s", "15min", "12h", "14d", "1d 12h", "12:30:00" and "1-00:00:00". "12:30" is
    refused: some read it as hours and minutes, some as minutes and seconds.
    """
    found = _seconds(value)
    if found is None:
        raise refuse('seconds or a duration like "90s", "12h", "14d" or "1-00:00:00"', value)
    if found > MOST_S:
        raise refuse("at most 100 years", value)
    return found


def _seconds(value: object) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    if isinstance(value, str) and (match := CLOCK.fullmatch(value)):
        days, hours, minutes, rest = (int(part or 0) for part in match.groups())
        return days * 86_400 + hours * 3_600 + minutes * 60 + rest
    if isinstance(value, str) and UNITS.fullmatch(value):
        parts = re.findall(r"([0-9]+)(d|h|min|s)", value)
        return sum(int(number) * UNIT_S[unit] for number, unit in parts)
    return None


def time_limit(value: object) -> Limit:
    """Return a time limit in seconds, or UNLIMITED where that word stands."""
    return UNLIMITED if value == "UNLIMITED" else seconds(value)


def count_limit(value: object) -> Limit:
    """Return a bound on a number of things, or UNLIMITED where that word stands."""
    if value == "UNLIMITED":
        return UNLIMITED
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise refuse('a whole number or "UNLIMITED"', value, ["UNLIMITED"])


def depth(value: object) -> int | Literal["all"]:
    """Return a number of reservations, or `all`."""
    if value == "all":
        return "all"
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise refuse('a whole number or "all"', value, ["all"])


def path_from_here(value: object, info: ValidationInfo) -> Path:
    """Return an absolute path; a relative one starts at the folder of the site file."""
    if not isinstance(value, str | Path) or not str(value) or "\0" in str(value):
        raise refuse("a path in quotes", value)
    folder = (info.context or {}).get("folder", Path())
    try:
        return Path(folder, Path(value).expanduser()).absolute()
    except RuntimeError:
        raise refuse("a path in the home of somebody known here", value) from None


def hostlist(value: object) -> str:
    """Return a hostlist as it was written, once it is sure that it can be expanded."""
    if not isinstance(value, str):
        raise refuse('a list of hosts like "n[001-128],gpu1"', value)
    try:
        expanded(value)
    except ValueError as error:
        raise refuse(f'a list of hosts like "n[001-128],gpu1" ({error})', value) from None
    return value


def address(value: object) -> str:
    """Return an address to listen on. Raises the error of `refuse`."""
    if isinstance(value, str) and ADDRESS.fullmatch(value):
        return value
    raise refuse('an address or a host name like "127.0.0.1"', value)


def host_name(value: object) -> str:
    """Return the name or address in a Host header, without its port, in small letters."""
    if not isinstance(value, str) or not HOST_NAME.fullmatch(value):
        raise refuse("a host name without port, or an IPv6 address in [ ]", value)
    return value.lower()


def _written(limit: Limit) -> Any:
    return "UNLIMITED" if limit is UNLIMITED else limit


_DURATION = {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string"}]}
_BOUND = {"anyOf": [{"type": "integer", "minimum": 0}, {"const": "UNLIMITED"}]}
_DEPTH = {"anyOf": [{"type": "integer", "minimum": 0}, {"const": "all"}]}

Seconds = Annotated[int, BeforeValidator(seconds), WithJsonSchema(_DURATION)]
TimeLimit = Annotated[
    Limit, PlainValidator(time_limit), PlainSerializer(_written), WithJsonSchema(_DURATION)
]
CountLimit = Annotated[
    Limit, PlainValidator(count_limit), PlainSerializer(_written), WithJsonSchema(_BOUND)
]
Depth = Annotated[int | Literal["all"], PlainValidator(depth), WithJsonSchema(_DEPTH)]
SitePath = Annotated[Path, PlainValidator(path_from_here), WithJsonSchema({"type": "string"})]
Hostlist = Annotated[str, BeforeValidator(hostlist)]
Address = Annotated[str, BeforeValidator(address)]
HostName = Annotated[str, BeforeValidator(host_name)]
Name = Annotated[str, Field(min_length=1, max_length=255)]
Count = Annotated[int, Field(ge=0)]
