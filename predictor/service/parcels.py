"""Values on their way between processes: pickles in which frozen values are quickly read.

What dataclasses with slots bring along for that asks for their fields at each value.
"""

import dataclasses
import io
import pickle
from collections.abc import Callable
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import Any


def packed(value: object) -> bytes:
    """Return the value's pickle. Raises what pickling raises."""
    written = io.BytesIO()
    _Packer(written, pickle.HIGHEST_PROTOCOL).dump(value)
    return written.getvalue()


def unpacked(parcel: bytes) -> Any:
    """Return the value again. Only for what a process of our own packed."""
    return pickle.loads(parcel)  # noqa: S301


def unpacked_values(parcel: bytes, package: str) -> Any:
    """Return what was packed, if it holds nothing but plain values and those of that package.

    Raises what unpickling raises, UnpicklingError for anything else.
    """
    return _ValuesUnpacker(io.BytesIO(parcel), package).load()


class _ValuesUnpacker(pickle.Unpickler):
    def __init__(self, parcel: io.BytesIO, package: str) -> None:
        super().__init__(parcel)
        self._package = package

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == (__name__, _built.__name__):
            return _built
        found = (
            super().find_class(module, name)
            if f"{module}.".startswith(f"{self._package}.")
            else None
        )
        if isinstance(found, type) and f"{found.__module__}.".startswith(f"{self._package}."):
            return found
        raise pickle.UnpicklingError(f"{module}.{name} is no value")


class _Packer(pickle.Pickler):
    def reducer_override(self, value: object) -> Any:
        kind: Any = type(value)
        if isinstance(value, Enum):
            # Some versions of Python would have it looked up by `getattr`, which is no value.
            return kind, (value.value,)
        taken_apart = _taking_apart(kind)
        if taken_apart is None:
            return NotImplemented
        return _built, (kind, *taken_apart(value))


@cache
def _taking_apart(kind: Any) -> Callable[[object], tuple[object, ...]] | None:
    """Return what gives the values of its fields; None: it is no dataclass with slots."""
    if not dataclasses.is_dataclass(kind) or "__slots__" not in vars(kind):
        return None
    names = [field.name for field in dataclasses.fields(kind)]
    if len(names) < 2:
        return lambda value: tuple(getattr(value, name) for name in names)
    return attrgetter(*names)


@cache
def _setters(kind: type) -> tuple[Callable[[object, object], None], ...]:
    return tuple(getattr(kind, field.name).__set__ for field in dataclasses.fields(kind))


def _built(kind: type, *values: object) -> object:
    built: object = object.__new__(kind)
    for put, value in zip(_setters(kind), values, strict=True):
        put(built, value)
    return built
