"""What is closed from when on: for reservations, or nodes as they are still being cleared."""

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True, kw_only=True)
class Era:
    """Which nodes each reservation's jobs may use between two edges of reservations."""

    start_at: int
    open_nodes: tuple[int, ...]
    """By number of the reservation; under 0 those for jobs without one."""
    kept_nodes: tuple[int, ...] = ()
    """As `open_nodes`, for jobs that have started before and may go on there; empty: the same."""
    shut_nodes: int = 0
    """Who would run into this era, and whose partition has no other nodes, stops nobody."""
    early_nodes: int = 0
    """Nodes of others that are gone through before the last reservation that shuts anybody out."""
    kept_licenses: tuple[tuple[int, ...], ...] = ()
    """By number of the reservation, how many of each pool others keep; empty: of none any."""
    only_begins: bool = False
    """Whether a reservation begins with it, and none is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """The reservations as they are known from an instant on."""

    known_at: int
    eras: tuple[Era, ...]
    """Ascending, the first beginning at or before everything."""


class Cleared(NamedTuple):
    """Nodes on which nobody may start from an instant on until another; plans count on them."""

    since: int
    until: int
    nodes: int
