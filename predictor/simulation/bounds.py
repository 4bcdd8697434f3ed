"""How far amounts and instants are counted by the engine."""

from collections.abc import Iterable

PAST = -(1 << 60)
MOST_AMOUNT = 1 << 44
"""No more of anything is counted of a node, a pool or for a job: then 64 bits hold any sum."""


def bounded(amounts: Iterable[int]) -> tuple[int, ...]:
    """Return amounts as far as they are counted."""
    return tuple(max(-MOST_AMOUNT, min(amount, MOST_AMOUNT)) for amount in amounts)


def bounded_at(at: int) -> int:
    """Return an instant, or one from which on, or before which, instants are all the same."""
    return max(PAST, min(at, -PAST))
