"""Node lists as Slurm writes them."""

from collections.abc import Iterable, Mapping

from predictor import hostlists

_NOBODY = frozenset({"", "(null)", "None assigned"})


def expanded(hostlist: str) -> tuple[str, ...]:
    """Return the names in `n[001-016],x1`; none for `(null)`. Raises ValueError for no list."""
    return () if hostlist in _NOBODY else hostlists.expanded(hostlist)


def in_order(names: Iterable[str], order: Mapping[str, int]) -> tuple[str, ...]:
    """Return the names in the batch system's node order; names it does not know come last."""
    return tuple(sorted(names, key=lambda name: (order.get(name, len(order)), name)))
