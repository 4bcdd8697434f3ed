"""Amounts that may be unlimited, and bundles of named resources."""

from collections.abc import Iterable
from enum import Enum
from typing import Final, Literal


class Unlimited(Enum):
    """The one value meaning "no bound was set on purpose"; absent is None, and zero is zero."""

    UNLIMITED = "UNLIMITED"

    def __repr__(self) -> str:
        return self.value


UNLIMITED: Final = Unlimited.UNLIMITED

Limit = int | Literal[Unlimited.UNLIMITED] | None
"""A bound: a number, UNLIMITED, or None where the batch system says nothing."""

Tres = tuple[tuple[str, int], ...]
"""Trackable resources as (name, amount), sorted by name, e.g. (("cpu", 4), ("mem", 2000)).

Names follow Slurm's TRES (`cpu`, `mem` in MB, `node`, `gres/gpu:a100`, `license/matlab`).
"""


LARGEST: Final = 2**64
"""No number that a batch system tells is farther from zero: they have 64 bits."""


def whole(text: str) -> int:
    """Return the whole number that is written there. Raises ValueError, also for one too large."""
    return within(int(text))


def within(value: int) -> int:
    """Return the number itself. Raises ValueError if it is too large."""
    if abs(value) > LARGEST:
        raise ValueError("a number of more than 64 bits")
    return value


def tres(**amounts: int) -> Tres:
    """Return the amounts as a `Tres`; for names that are valid Python words."""
    return tuple(sorted(amounts.items()))


def amount_of(bundle: Tres, name: str) -> int:
    """Return how much of `name` the bundle holds; 0 if it is not in there."""
    return next((amount for key, amount in bundle if key == name), 0)


def amounts_by_name(
    *,
    nodes: int,
    cpus: int,
    memory_mb: int,
    gres: Iterable[tuple[str, int]] = (),
    licenses: Iterable[tuple[str, int]] = (),
) -> dict[str, int]:
    """Return the amounts by TRES name; what is named twice is added up.

    Generic resources and licenses come as nodes and jobs have them (`gpu:a100`, `matlab`); one
    of a typed resource counts as its plain kind (`gres/gpu`) too.
    """
    found = {"cpu": cpus, "mem": memory_mb, "node": nodes}
    for name, amount in gres:
        for key in {name, name.partition(":")[0]}:
            found[f"gres/{key}"] = found.get(f"gres/{key}", 0) + amount
    for name, amount in licenses:
        found[f"license/{name}"] = found.get(f"license/{name}", 0) + amount
    return found
