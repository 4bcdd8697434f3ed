"""Expand hostlists: `n[001-128],gpu1`."""

import re

from ClusterShell.NodeSet import RESOLVER_NOGROUP, NodeSet, NodeSetException

MAX_HOSTS = 100_000


def expand(hostlist: str) -> tuple[str, ...]:
    """Return the hosts that a list names, each once, numbers in numeric order.

    Raises ValueError if it is malformed, names nobody or more than 100,000.
    """
    # ClusterShell would also take set operators and groups, which run commands.
    if not re.fullmatch(r"[A-Za-z0-9_.,\[\]-]+", hostlist):
        raise ValueError("only letters, digits and _ . , [ ] - may stand in it")
    # Checked before: the library keeps every number of a range in memory.
    for first, last in re.findall(r"([0-9]+)-([0-9]+)", hostlist):
        if len(last) > 9 or int(last) - int(first[:10]) >= MAX_HOSTS:
            raise ValueError(f"more than {MAX_HOSTS} hosts")
    try:
        hosts = NodeSet(hostlist, resolver=RESOLVER_NOGROUP)
    except NodeSetException as error:
        raise ValueError(str(error)) from None
    if not 0 < len(hosts) <= MAX_HOSTS:
        raise ValueError(f"{len(hosts)} hosts, expected 1 to {MAX_HOSTS}")
    return tuple(hosts)
