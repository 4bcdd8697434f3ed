"""`data` texts back to values, by the tables of keys."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, NamedTuple

from predictor.lml.binding import Binding
from predictor.lml.codec import REQUIRED, default_of
from predictor.lml.kinds import Kind, Part


class _Slot(NamedTuple):
    group: int
    field: str
    decode: Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class _Group:
    """One value to be made: of which class, from what, and where it goes."""

    make: Callable[..., Any]
    implied: dict[str, Any]
    """What absent keys mean where the class has no default."""
    required: Mapping[str, str]
    """Keys of the fields that may not be absent, by field."""
    parent: int = -1
    field: str = ""
    spare: bool = False
    """Whether it is left to the default of its parent when none of its keys stand."""


class Values:
    """One kind's table, flat, as the reader needs it."""

    def __init__(self, kind: Kind, binding: Binding) -> None:
        self._slots: dict[str, _Slot] = {}
        self._groups = [_group(kind, binding)]
        self._add(kind, 0, binding)

    def of(self, texts: Mapping[str, str]) -> Any:
        """Return the value whose `data` these are; other values' keys are passed over.

        Raises ValueError naming the key that is missing or makes no sense.
        """
        found = self._found(texts)
        for number in range(len(self._groups) - 1, 0, -1):
            group, given = self._groups[number], found[number]
            if given is not None or not group.spare:
                outer = found[group.parent] or {}
                found[group.parent] = outer
                outer[group.field] = _made(group, given or {})
        return _made(self._groups[0], found[0] or {})

    def _found(self, texts: Mapping[str, str]) -> list[dict[str, Any] | None]:
        found: list[dict[str, Any] | None] = [None] * len(self._groups)
        for key, text in texts.items():
            slot = self._slots.get(key)
            if slot is None:
                continue
            given = found[slot.group]
            if given is None:
                given = found[slot.group] = {}
            try:
                given[slot.field] = slot.decode(text)
            except (ValueError, OverflowError) as error:
                raise ValueError(f"{key}: {error}") from error
        return found

    def _add(self, kind: Kind, number: int, binding: Binding) -> None:
        for key in kind.keys:
            self._slots[key.name] = _Slot(number, key.field, binding.codec(key.codec).decode)
        for part in kind.parts:
            self._groups.append(_group(part.kind, binding, number, part, kind))
            self._add(part.kind, len(self._groups) - 1, binding)


def _group(
    kind: Kind,
    binding: Binding,
    parent: int = -1,
    part: Part | None = None,
    outer: Kind | None = None,
) -> _Group:
    implied, required = {}, {}
    for key in kind.keys:
        codec = binding.codec(key.codec)
        default = default_of(kind.of, key.field, codec)
        if default is REQUIRED:
            required[key.field] = key.name
        elif default is codec.empty:
            implied[key.field] = default
    make = dict if kind.partial else kind.of
    if part is None or outer is None:
        return _Group(make, implied, required)
    field = next(field for field in fields(outer.of) if field.name == part.field)
    return _Group(make, implied, required, parent, part.field, field.default is not MISSING)


def _made(group: _Group, given: dict[str, Any]) -> Any:
    if not group.required.keys() <= given.keys():
        missing = (key for field, key in group.required.items() if field not in given)
        raise ValueError(f"{', '.join(missing)}: missing")
    return group.make(**(group.implied | given))
