"""What all of pyslurm's answers have in common: a list of records, read value by value."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from collectors.slurm.objects.fields import decoded, record_list
from collectors.slurm.words.quarantine import sorted_out
from predictor.domain import Fact, Quarantined

T = TypeVar("T")

Record = Mapping[str, object]
UNLIMITED = "UNLIMITED"
"""How pyslurm writes a bound set to infinity."""


def found_in(text: str) -> list[object]:
    """Return the records of an answer. Raises SourceError."""
    return record_list(decoded(text, "pyslurm"), "found", "pyslurm")


def read(
    fact: Fact, text: str, parse: Callable[[Record], T]
) -> tuple[tuple[T, ...], tuple[Quarantined, ...]]:
    """Return what `parse` makes of each record of an answer; bad ones are set aside and counted.

    Raises SourceError.
    """
    return sorted_out(fact, found_in(text), lambda record: parse(whole(record)))


def whole(record: object) -> Record:
    """Return the record. Raises ValueError if it is none, or pyslurm stumbled over a part of it.

    Over memory per GPU it stumbles wherever there is any: that says enough.
    """
    if not isinstance(record, dict):
        raise ValueError(f"expected an object, got {str(record)[:40]!r}")
    for name, value in record.items():
        if isinstance(value, dict) and "error" in value and name != "memory_per_gpu":
            raise ValueError(f"{record.get('id', record.get('name'))}: {name}: {value['error']}")
    return record


def word(record: Record, name: str) -> str:
    """Return a value as Slurm's commands print it: lists joined, "" where nothing is said."""
    value = record.get(name)
    if value is None or isinstance(value, dict):
        return "" if not value else joined(value, "=")
    if isinstance(value, bool):
        return "YES" if value else "NO"
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(value)


def joined(bundle: Mapping[str, object], sign: str) -> str:
    """Return `bf_continue,bf_window=2880` for a mapping; what is merely True has no amount."""
    pairs = (name if amount is True else f"{name}{sign}{amount}" for name, amount in bundle.items())
    return ",".join(pairs)
