"""Values to lines, by the tables of keys."""

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any, NamedTuple

from predictor.lml.binding import Binding
from predictor.lml.codec import default_of
from predictor.lml.kinds import Kind
from predictor.lml.splitting import data_lines


class _Column(NamedTuple):
    path: str
    key: str
    encode: Callable[[Any], str]
    plain: bool
    default: Any


class Lines:
    """One kind's table, flat, as the writer needs it."""

    def __init__(self, kind: Kind, binding: Binding) -> None:
        self._columns = tuple(_columns(kind, "", binding))
        self._fields = _fields(tuple(column.path for column in self._columns))
        self._optional = tuple(
            (attrgetter(path), Lines(part, binding)) for path, part in _optional(kind, "")
        )

    def of(self, value: object, *, whole: bool = False) -> list[str]:
        """Return the `data` lines of `value`; fields at their defaults are left out.

        `whole`: the first field is written all the same, to show that there is a value.
        """
        lines: list[str] = []
        fields = self._fields(value)
        for (_, key, encode, plain, default), field in zip(self._columns, fields, strict=True):
            if field != default or (whole and not lines):
                text = encode(field)
                lines += (
                    (f'<data key="{key}" value="{text}"/>',) if plain else data_lines(key, text)
                )
        for get, part in self._optional:
            inner = get(value)
            if inner is not None:
                lines += part.of(inner, whole=True)
        return lines


def _columns(kind: Kind, path: str, binding: Binding) -> Iterator[_Column]:
    for key in kind.keys:
        codec = binding.codec(key.codec)
        default = default_of(kind.of, key.field, codec)
        yield _Column(path + key.field, key.name, codec.encode, codec.plain, default)
    for part in kind.parts:
        if not part.optional:
            yield from _columns(part.kind, f"{path}{part.field}.", binding)


def _optional(kind: Kind, path: str) -> Iterator[tuple[str, Kind]]:
    for part in kind.parts:
        if part.optional:
            yield path + part.field, part.kind
        else:
            yield from _optional(part.kind, f"{path}{part.field}.")


def _fields(paths: tuple[str, ...]) -> Callable[[object], tuple[Any, ...]]:
    """Return a getter of all fields; one look-up for all of them is what makes writing fast."""
    if len(paths) > 1:
        return attrgetter(*paths)
    return lambda value: tuple(attrgetter(path)(value) for path in paths)
