"""Node lists in Slurm's bracket form."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from ClusterShell.NodeSet import RESOLVER_NOGROUP, NodeSet

MOST_NODES = 200_000
"""More than this in one list is a mistake or an attack, not a cluster."""

_PLAIN = re.compile(r"[\w.,\[\]-]+")
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_COMMA_OUTSIDE = re.compile(r",(?![^\[]*\])")


@lru_cache(maxsize=8192)
def expanded(hostlist: str) -> tuple[str, ...]:
    """Return the names in `n[001-016],x1`, sorted as ClusterShell sorts; none for `(null)`.

    Raises ValueError for what is no list of names or holds more than `MOST_NODES`.
    """
    if hostlist in {"", "(null)", "None assigned"}:
        return ()
    if not _PLAIN.fullmatch(hostlist):
        raise ValueError(f"not a node list: {hostlist[:80]!r}")
    if "[" not in hostlist and "," not in hostlist:
        return (hostlist,)
    _refuse_huge(hostlist)
    try:
        return tuple(NodeSet(hostlist, resolver=RESOLVER_NOGROUP))
    except Exception as error:  # ClusterShell's errors share no base that we could name
        raise ValueError(f"not a node list: {hostlist[:80]!r} ({error})") from error


def in_order(names: Iterable[str], order: Mapping[str, int]) -> tuple[str, ...]:
    """Return the names in the batch system's node order; names it does not know come last."""
    return tuple(sorted(names, key=lambda name: (order.get(name, len(order)), name)))


def _refuse_huge(hostlist: str) -> None:
    # Counted before ClusterShell sees it: it would build the whole set first.
    if sum(map(_size, _COMMA_OUTSIDE.split(hostlist))) > MOST_NODES:
        raise ValueError(f"more than {MOST_NODES} nodes in one list: {hostlist[:80]!r}")


def _size(item: str) -> int:
    size = 1
    for ranges in _BRACKETS.findall(item):
        size *= sum(map(_span, ranges.split(",")))
    return size


def _span(text: str) -> int:
    first, dash, last = text.partition("-")
    ends = (first, last) if dash else (first,)
    if not all(end.isdigit() and len(end) < 10 for end in ends):
        raise ValueError(f"not a range of nodes: {text[:80]!r}")
    return max(0, int(last) - int(first)) + 1 if dash else 1
