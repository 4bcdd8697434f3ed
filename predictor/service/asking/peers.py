"""Who is at the other end of a connection, as the kernel tells it."""

import ipaddress
import socket
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

TABLES = {4: Path("/proc/net/tcp"), 6: Path("/proc/net/tcp6")}
"""The open connections of this machine, by the version of the protocol."""
ESTABLISHED = "01"


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """The other end of a connection."""

    address: str
    """Where it is; empty: on this machine, through a Unix socket."""
    uid: int | None = None
    """The owner of the process there; None: not on this machine, or not to be found out."""


UNKNOWN = Peer(address="?")
"""Of whom nothing is known."""


def peer_of(line: socket.socket | None) -> Peer:
    """Return who is at the other end. Never raises: of a connection that is gone, nobody is."""
    try:
        if line is None:
            return UNKNOWN
        if line.family == socket.AF_UNIX:
            told = line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
            return Peer(address="", uid=struct.unpack("3i", told)[1])
        (there, its_port), (here, our_port) = line.getpeername()[:2], line.getsockname()[:2]
        address = _address(there)
        if not address.is_loopback:
            return Peer(address=str(address))
        local, remote = _written(address, its_port), _written(_address(here), our_port)
        with TABLES[address.version].open(encoding="ascii") as table:
            return Peer(address=str(address), uid=owner(table, local, remote))
    except (OSError, ValueError):
        return UNKNOWN


def owner(table: Iterable[str], local: str, remote: str) -> int | None:
    """Return who owns the open connection between the two; None: it is not in the table.

    Addresses as Linux writes them there. Source: proc(5), /proc/net/tcp.
    """
    for line in table:
        words = line.split(maxsplit=8)
        if len(words) > 7 and words[1] == local and words[2] == remote and words[3] == ESTABLISHED:
            return int(words[7])
    return None


def _address(host: str) -> Address:
    """Return the address; an IPv4 one that comes in IPv6 clothes as itself."""
    found = ipaddress.ip_address(host.partition("%")[0])
    return (found.ipv4_mapped or found) if isinstance(found, ipaddress.IPv6Address) else found


def _written(address: Address, port: int) -> str:
    """Return an address and a port as the kernel does: words of the network in its own order."""
    words = struct.iter_unpack("=I", address.packed)
    return "".join(f"{word:08X}" for (word,) in words) + f":{port:04X}"
