"""What a table of keys is made of."""

from dataclasses import dataclass
from enum import Enum
from typing import Any

from predictor.lml.codec import Codec


class PerDocument(Enum):
    """Codecs that depend on the document and are put in when it is opened."""

    INSTANT = "instant"
    """Needs the site's offset from UTC."""
    TASKS = "tasks"
    """Counts what was expanded so far."""


@dataclass(frozen=True, slots=True)
class Key:
    """One field of a value and the `data` key that carries it."""

    field: str
    name: str
    codec: Codec | PerDocument


@dataclass(frozen=True, slots=True)
class Part:
    """A value inside a value: its keys stand beside those of the outer one."""

    field: str
    kind: "Kind"
    optional: bool = False
    """Whether the field may be None; it is None where no key of the part stands."""


@dataclass(frozen=True, slots=True)
class Kind:
    """The keys of one type of value. Parts come after the keys."""

    of: type[Any]
    keys: tuple[Key, ...] = ()
    parts: tuple[Part, ...] = ()
    partial: bool = False
    """Only some fields of `of` are carried: reading gives a dict instead of an `of`."""


def own(codec: Codec | PerDocument, *names: str, prefix: str = "x_") -> tuple[Key, ...]:
    """Return keys of ours, each named after its field."""
    return tuple(Key(name, prefix + name, codec) for name in names)
