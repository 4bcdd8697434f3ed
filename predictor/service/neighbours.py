"""How many connections one peer may have, so that nobody takes all places."""

from collections import Counter
from collections.abc import Callable
from enum import Enum
from ipaddress import ip_address, ip_network

from predictor.service.asking.peers import UNKNOWN, Peer

NETWORK_BITS = 64
"""Whoever has one IPv6 address has all that begin with the same bits."""


class Place(Enum):
    """What becomes of a connection."""

    FREE = "free"
    REFUSED = "refused"
    """It is told that there is no place."""
    NONE = "none"
    """It is not even told so."""


def place(here: int, most: int) -> Place:
    """Return what becomes of the last of so many connections, of which `most` are served.

    A quarter more are told so.
    """
    if here <= most:
        return Place.FREE
    return Place.REFUSED if here <= most + max(1, most // 4) else Place.NONE


class Neighbours:
    """Counts the connections of each peer. Belongs to one event loop."""

    def __init__(self, most: int, passes_on: Callable[[Peer], bool]) -> None:
        """`passes_on`: whether many ask through that peer, who then may have any number."""
        self._most = most
        self._passes_on = passes_on
        self._here: Counter[tuple[str, int | None]] = Counter()

    def come(self, peer: Peer) -> Place:
        """Count a connection and return what becomes of it."""
        whose = _whose(peer)
        self._here[whose] += 1
        here = self._here[whose]
        # Whether it passes on is asked late: that may be looked up in a directory.
        if here <= self._most or self._passes_on(peer):
            return Place.FREE
        return place(here, self._most)

    def go(self, peer: Peer) -> None:
        """Count a connection less."""
        whose = _whose(peer)
        self._here[whose] -= 1
        if not self._here[whose]:
            del self._here[whose]


def _whose(peer: Peer) -> tuple[str, int | None]:
    """Return by what peers are told apart: the account here, the address or network elsewhere."""
    if not peer.address or peer is UNKNOWN:
        return peer.address, peer.uid
    if ip_address(peer.address).version == 4:
        return peer.address, peer.uid
    network = ip_network((peer.address, NETWORK_BITS), strict=False)
    return str(network), peer.uid
