"""Frozen values as what JSON can hold, and back, by the types of their fields."""

from collections.abc import Callable, Sequence
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from predictor.errors import StorageError


def packed(value: object) -> Any:
    """Return a value of the domain as lists, objects by field, texts, numbers and None.

    Fields at their defaults are left out.
    """
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [packed(each) for each in value]
    if not is_dataclass(value) or isinstance(value, type):
        return value
    found = ((each, getattr(value, each.name)) for each in fields(value))
    return {each.name: packed(given) for each, given in found if given != each.default}


def unpacked(kind: Any, data: object) -> Any:
    """Return the value of this type of which `packed` made `data`. Raises StorageError."""
    try:
        return _reader(kind)(data)
    except (TypeError, ValueError) as error:
        raise StorageError(f"a stored value is not what it should be: {error}") from error


def entries_of(state: object, keys: Sequence[str], what: str) -> tuple[Any, ...]:
    """Return the entries of an object that has these keys and no others. Raises StorageError."""
    if not isinstance(state, dict) or state.keys() != set(keys):
        raise StorageError(f"what was learned of {what} is not what it should be")
    return tuple(state[key] for key in keys)


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    """Return what reads values of a type; it raises ValueError or TypeError."""
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _either([_reader(each) for each in args])
    if origin is Literal:
        return type(args[0])
    if origin is tuple:
        return _tuple(args)
    if is_dataclass(kind):
        return _dataclass(kind)
    return kind if issubclass(kind, Enum) else _plain(kind)


def _plain(kind: type) -> Callable[[Any], Any]:
    def read(data: Any) -> Any:
        if type(data) is not kind:
            raise ValueError(f"expected {kind.__name__}, got {type(data).__name__}")
        return data

    return read if kind is not NoneType else _plain_none


def _plain_none(data: Any) -> None:
    if data is not None:
        raise ValueError(f"expected null, got {type(data).__name__}")


def _either(readers: list[Callable[[Any], Any]]) -> Callable[[Any], Any]:
    def read(data: Any) -> Any:
        for reader in readers[:-1]:
            try:
                return reader(data)
            except (TypeError, ValueError):
                continue
        return readers[-1](data)

    return read


def _tuple(args: tuple[Any, ...]) -> Callable[[Any], Any]:
    def read(data: Any) -> Any:
        if not isinstance(data, list):
            raise ValueError(f"expected a list, got {type(data).__name__}")
        if args[-1] is Ellipsis:
            each = _reader(args[0])
            return tuple(map(each, data))
        return tuple(_reader(arg)(part) for arg, part in zip(args, data, strict=True))

    return read


def _dataclass(kind: Any) -> Callable[[Any], Any]:
    hints = get_type_hints(kind)
    names = {each.name: each.default is MISSING for each in fields(kind)}

    def read(data: Any) -> Any:
        if not isinstance(data, dict):
            raise ValueError(f"expected an object, got {type(data).__name__}")
        if unknown := data.keys() - names.keys():
            raise ValueError(f"unknown in {kind.__name__}: {min(map(repr, unknown))[:40]}")
        if any(required and name not in data for name, required in names.items()):
            raise ValueError(f"something is missing in {kind.__name__}")
        return kind(**{name: _reader(hints[name])(given) for name, given in data.items()})

    return read
