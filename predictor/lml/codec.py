"""How each type of value is spelled in a `data` element, and read back exactly."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from datetime import datetime, timedelta
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import Any, Final, NamedTuple

from predictor.domain import UNLIMITED, Limit, Untrusted, whole
from predictor.lml.escaping import flagged, item, items, unflagged, unitem, unitems

REQUIRED: Final = object()
"""Stands where a field has no default and no natural empty value: it is always written."""

NOTHING: Final = "None"
"""The spelling of None, where it must be written at all."""

MOST_TASKS = 5_000_000
"""So many array tasks may a document expand to; Slurm's largest array has 4,000,001."""

_EPOCH = datetime(1970, 1, 1)
_SECOND = timedelta(seconds=1)


class Codec(NamedTuple):
    """A spelling: `decode(encode(value)) == value`. `decode` raises ValueError on anything else."""

    encode: Callable[[Any], str]
    decode: Callable[[str], Any]
    empty: Any = REQUIRED
    """What an absent key means where the field itself has no default."""
    plain: bool = False
    """Whether every spelling is short and without characters that XML gives a meaning."""


def _bound(text: str) -> Limit:
    if text == NOTHING:
        return None
    return UNLIMITED if text == "UNLIMITED" else whole(text)


def _encode_bound(value: Limit) -> str:
    return "UNLIMITED" if value is UNLIMITED else str(value)


def _truth(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError(f"neither true nor false: {text!r}")
    return text == "true"


TEXT = Codec(flagged, unflagged, "")
PART = Codec(str, str, "")
"""Text inside a list, whose own escaping is enough."""
USERTEXT = Codec(lambda value: flagged(value.raw), lambda text: Untrusted(unflagged(text)))
INT = Codec(str, whole, plain=True)
FLOAT = Codec(repr, float, plain=True)
FLAG = Codec(lambda value: "true" if value else "false", _truth, plain=True)
LIMIT = Codec(_encode_bound, _bound, plain=True)
NAMES = Codec(items, unitems, ())


def word(enum: type[Enum]) -> Codec:
    """Return the codec of one member of `enum`."""
    return Codec(attrgetter("value"), enum, plain=True)


def words(enum: type[Enum]) -> Codec:
    """Return the codec of a frozen set of members of `enum`."""
    return Codec(
        lambda members: ",".join(sorted(member.value for member in members)),
        lambda text: frozenset(map(enum, text.split(","))),
    )


def maybe(codec: Codec) -> Codec:
    """Return the codec of a value that may also be None."""
    return codec._replace(
        encode=lambda value: NOTHING if value is None else codec.encode(value),
        decode=lambda text: None if text == NOTHING else codec.decode(text),
    )


def pairs(amount: Codec) -> Codec:
    """Return the codec of a tuple of (name, amount): `cpu=4,mem=2000`."""

    def encode(bundle: tuple[tuple[str, Any], ...]) -> str:
        spelled = ((item(name), amount.encode(value)) for name, value in bundle)
        return ",".join(f"{name}={item(value) if value else ''}" for name, value in spelled)

    def decode(text: str) -> tuple[tuple[str, Any], ...]:
        parts = (part.partition("=") for part in text.split(","))
        return tuple((unitem(name), amount.decode(unitem(value))) for name, _, value in parts)

    return Codec(encode, decode, ())


TRES = pairs(INT)
WEIGHTS = pairs(FLOAT)
SETTINGS = pairs(PART)


def _encode_levels(quantiles: tuple[tuple[float, int], ...]) -> str:
    return ",".join(f"{level!r}@{at}" for level, at in quantiles)


def _levels(text: str) -> tuple[tuple[float, int], ...]:
    parts = (part.split("@") for part in text.split(","))
    return tuple((float(level), int(at)) for level, at in parts)


LEVELS = Codec(_encode_levels, _levels, (), plain=True)


def records(cls: type[Any], **codecs: Codec) -> Codec:
    """Return the codec of a tuple of `cls`: `(a,b)(c)`, fields in order, defaults left empty."""
    names = tuple(codecs)
    decoders = [codec.decode for codec in codecs.values()]
    defaults = [default_of(cls, name, codec) for name, codec in codecs.items()]

    def encode_one(value: object) -> str:
        parts = [
            "" if (part := getattr(value, name)) == default else item(codec.encode(part))
            for (name, codec), default in zip(codecs.items(), defaults, strict=True)
        ]
        return f"({','.join(parts).rstrip(',')})"

    def decode_one(text: str) -> Any:
        parts = text.split(",")
        if len(parts) > len(names):
            raise ValueError(f"more than {len(names)} parts in {text[:80]!r}")
        values = defaults.copy()
        for number, part in enumerate(parts):
            if part:
                values[number] = decoders[number](unitem(part))
        if REQUIRED in values:
            raise ValueError(f"a part is missing in {text[:80]!r}")
        return cls(**dict(zip(names, values, strict=True)))

    def decode(text: str) -> tuple[Any, ...]:
        if text[:1] != "(" or text[-1:] != ")":
            raise ValueError(f"no (…) list: {text!r}")
        return tuple(map(decode_one, text[1:-1].split(")(")))

    return Codec(lambda values: "".join(map(encode_one, values)), decode, ())


def default_of(cls: type[Any], name: str, codec: Codec) -> Any:
    """Return what an absent key means for that field; REQUIRED: it may not be absent."""
    default = _defaults(cls)[name]  # type: ignore[arg-type]  # a class can be hashed
    return codec.empty if default is MISSING else default


@cache
def _defaults(cls: type[Any]) -> Mapping[str, Any]:
    """Return what each field is by default. Each document asks for all of them."""
    return {field.name: field.default for field in fields(cls)}


def offset(seconds: int) -> str:
    """Return an offset from UTC as `+01:00`, with seconds only where there are some."""
    minutes, rest = divmod(abs(seconds), 60)
    text = f"{'-' if seconds < 0 else '+'}{minutes // 60:02}:{minutes % 60:02}"
    return f"{text}:{rest:02}" if rest else text


def seconds_of_offset(text: str) -> int:
    """Return the seconds of an offset from UTC. Raises ValueError."""
    hours, minutes, rest = (*map(int, text[1:].split(":")), 0, 0)[:3]
    seconds = hours * 3600 + minutes * 60 + rest
    return -seconds if text.startswith("-") else seconds


OFFSET = Codec(offset, seconds_of_offset, plain=True)


def instants(offset_s: int) -> Codec:
    """Return the codec of instants: the site's local time, or `@` and epoch seconds after 9999."""

    def encode(at: int) -> str:
        try:
            return (_EPOCH + timedelta(seconds=at + offset_s)).isoformat(" ")
        except OverflowError:
            return f"@{at}"

    def decode(text: str) -> int:
        return whole(text[1:]) if text.startswith("@") else local_seconds(text) - offset_s

    return Codec(encode, decode, plain=True)


def local_seconds(text: str) -> int:
    """Return the seconds of a local date, in either of LML's two forms. Raises ValueError."""
    if len(text) == 19 and text[4] == "-" and text[10] in " T":
        return (datetime.fromisoformat(text) - _EPOCH) // _SECOND
    return (datetime.strptime(text, "%m/%d/%y-%H:%M:%S") - _EPOCH) // _SECOND


def tasks() -> Codec:
    """Return the codec of array task numbers, `0..99,200`, for one document.

    Its `decode` refuses to expand to more than `MOST_TASKS` over the whole document.
    """
    left = MOST_TASKS

    def decode(text: str) -> tuple[int, ...]:
        nonlocal left
        spans = []
        for part in text.split(","):
            first, _, last = part.partition("..")
            spans.append(range(int(first), int(last or first) + 1))
        if any(not span for span in spans):
            raise ValueError(f"a span of tasks runs backwards: {text[:80]!r}")
        left -= sum(map(len, spans))
        if left < 0:
            raise ValueError(f"more than {MOST_TASKS} array tasks in the document")
        return tuple(number for span in spans for number in span)

    return Codec(_encode_tasks, decode, ())


def _encode_tasks(numbers: tuple[int, ...]) -> str:
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ",".join(str(a) if a == b else f"{a}..{b}" for a, b in spans)
