"""How many connections the service has room for, and how many of these may listen for good."""

import resource

MOST_CONNECTIONS = 4_000


def most_files() -> int:
    """Return how many files this process may have open, of no more than would matter."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return soft if soft >= 0 else 2 * MOST_CONNECTIONS


def places() -> int:
    """Return how many connections are served: half of all files that may be open, at most.

    An eighth is for who is told that there is no place, an eighth for who comes at one moment: a
    process that can open no file neither looks at its cluster nor keeps what it saw, and asyncio
    notes each connection that it cannot accept, thousands in a second.
    """
    return min(MOST_CONNECTIONS, most_files() // 2)


def listeners() -> int:
    """Return how many connections may be for events, which stay for as long as a client likes."""
    return places() * 5 // 8
