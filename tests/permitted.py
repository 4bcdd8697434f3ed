"""What each way of looking tells otherwise than the others: the only differences there may be.

The one list of them; the documentation's table is made of it. Whoever adds a way adds an entry.
"""

from collections.abc import Mapping

from compared import Permit

IN_TIME = (
    Permit(kind="taken_at", field="", why="one look comes after the other", within=30),
    Permit(kind="health", field="", why="the scheduler went on between two looks"),
    Permit(kind="provenance", field="source", why="says which way it was"),
    Permit(
        kind="pending",
        field="estimate.evaluated_at",
        why="the scheduler went on between two looks",
        within=30,
    ),
)
"""Between any two looks, whatever their ways."""

WAYS: Mapping[str, tuple[Permit, ...]] = {
    "text": (),
    "json": (),
    "rest": (),
    "pyslurm": (),
}
"""By the way of looking, what it tells otherwise than the rest."""


def permitted(one: str, other: str) -> tuple[Permit, ...]:
    """Return how looks of two ways may differ."""
    return (*IN_TIME, *WAYS[one], *WAYS[other])
