"""Whose connections carry what others ask."""

from collections.abc import Callable
from ipaddress import ip_address

from predictor.service.asking.peers import UNKNOWN, Peer
from predictor.site.access import AccessTable

LEAST_PERSON_UID = 1000
"""Accounts below are for programs. Source: login.defs(5), UID_MIN."""

NameOf = Callable[[int], str]


def is_listed(peer: Peer, access: AccessTable, name_of: NameOf) -> bool:
    """Return whether it is a proxy whose word is taken for who asks."""
    if peer.uid is not None:
        return name_of(peer.uid) in access.local_proxies
    if peer is UNKNOWN:
        return False
    return any(ip_address(peer.address) in network for network in access.networks)


def passes_on(peer: Peer, access: AccessTable, name_of: NameOf) -> bool:
    """Return whether many may ask through it: a listed proxy, or a program of this machine."""
    is_program = peer.uid is not None and peer.uid < LEAST_PERSON_UID
    return is_program or is_listed(peer, access, name_of)
