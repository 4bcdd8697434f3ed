"""Orders in which nodes are taken that depend on what they have, or on chance."""

import random
from collections.abc import Iterable, Sequence
from typing import Any

from predictor.scheduling.machine import Machine

MILLION = 1_000_000


def drawn(machine: Machine, seed: int) -> Sequence[int]:
    """Return the place of each node in an order drawn by chance; weight comes first.

    Equal seeds, equal order.
    """
    chance = random.Random(seed)  # noqa: S311 - for fairness, not for secrets
    return _places([(node.rank, chance.random()) for node in machine.nodes])


def unasked(machine: Machine, shape: int) -> tuple[int, ...]:
    """Return the columns of a node's amounts of which a job of this shape wants nothing."""
    return tuple(k for k, amount in enumerate(machine.asked(shape)) if k and not amount)


def thrifty(machine: Machine, unasked: Iterable[int]) -> Sequence[int]:
    """Return the place of each node, those first that waste least; weight comes first.

    Wasted is what the node has in the columns `unasked`, in parts per million of all there is; no
    resource counts more than another, so the scarce ones count more per piece.
    """
    totals = {k: sum(row[k] for row in machine.capacity) for k in unasked}
    waste = [
        sum(MILLION * row[k] // total for k, total in totals.items() if row[k])
        for row in machine.capacity
    ]
    return _places([(node.rank, less) for node, less in zip(machine.nodes, waste, strict=True)])


def _places(keys: Sequence[Any]) -> Sequence[int]:
    """Return the place of each key among them all; equal ones share it."""
    places = {key: place for place, key in enumerate(sorted(set(keys)))}
    return [places[key] for key in keys]
