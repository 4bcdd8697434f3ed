"""Where the service listens, and for how long it listens to somebody who says nothing."""

import asyncio
import socket
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from predictor.cli.meeting import is_answered
from predictor.errors import ServiceError
from predictor.service.asking.peers import Peer, peer_of
from predictor.service.neighbours import Neighbours, Place, place
from predictor.service.places import most_files, places
from predictor.service.problems import problem
from predictor.site.model import ServiceTable

BACKLOG = 512
LARGEST_HEADER_BYTES = 16_384
SILENCE_S = 10
"""A connection without a complete request after so long is closed, also behind earlier ones."""
SILENCES = {"request": 1, "answer": 6}
"""For so many times as long the rest of each is waited for, once it was seen to be due."""
FAREWELL_S = 1
SOCKET_MODE = 0o666
"""Like loopback, the socket is open to everybody on the machine."""
LAST = {"Connection": "close"}
_LATER = {**LAST, "Retry-After": "10"}
_CROWDED = problem(503, "too many are connected already", "", headers=_LATER)
_ALL_YOURS = problem(429, "too many connections from there already", "", headers=_LATER)


class _Due(NamedTuple):
    """What a client keeps us waiting for."""

    what: str
    """One of SILENCES: to be sent whole, or to be taken whole."""
    cycle: object
    """The request that it belongs to or, of one that is not whole, follows."""


class Impatient(H11Protocol):
    """Hangs up on connections that do not bring a request, or do not take its answer, in time.

    And on those for which there is no place.
    """

    def __init__(self, *args: Any, neighbours: Neighbours, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._neighbours = neighbours

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start waiting."""
        super().connection_made(transport)
        self._due: _Due | None = _Due("request", None)
        self._looks = 0
        self._alarm = self.loop.call_later(SILENCE_S, self._hang_up_if_slow)
        self._peer: Peer | None = None
        found = place(len(self.connections), places())
        if found is Place.NONE:
            transport.abort()
            return
        self._peer = peer_of(transport.get_extra_info("socket"))
        own = self._neighbours.come(self._peer)
        if own is Place.NONE:
            transport.abort()
            return
        if found is Place.REFUSED:
            self.app = _CROWDED
        elif own is Place.REFUSED:
            self.app = _ALL_YOURS
        # The server hands this on to each request of the connection, as its state.
        self.app_state = {"peer": self._peer}

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._alarm.cancel()
        if self._peer is not None:
            self._neighbours.go(self._peer)
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Say that what came is no HTTP, if an answer is still due, and hang up."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            refusal = problem(400, msg, "", headers=LAST)
            head = h11.Response(status_code=400, headers=refusal.raw_headers, reason=b"Bad Request")
            for event in (head, h11.Data(data=bytes(refusal.body)), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _hang_up_if_slow(self) -> None:
        due = self._due_now()
        self._looks = self._looks + 1 if due == self._due else 0
        self._due = due
        if due is None or self._looks < SILENCES[due.what]:
            self._alarm = self.loop.call_later(SILENCE_S, self._hang_up_if_slow)
        elif due.what == "request":
            self.transport.close()
        else:
            self.transport.abort()  # to close it would wait for what nobody takes

    def _due_now(self) -> _Due | None:
        if self.transport.get_write_buffer_size():
            return _Due("answer", self.cycle)
        theirs = self.conn.their_state
        # Between two requests the server has a shorter patience of its own, until a byte comes.
        begun = self.cycle is None or bool(self.conn.trailing_data[0])
        if theirs is h11.SEND_BODY or (theirs is h11.IDLE and begun):
            return _Due("request", self.cycle)
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A bound socket."""

    socket: socket.socket
    address: str
    """How a client names it: `http://127.0.0.1:8642` or `unix:/run/…`."""
    path: Path | None = None
    """The socket file; None: it is no Unix socket."""

    def close(self) -> None:
        """Stop listening and leave no socket file behind."""
        self.socket.close()
        if self.path is not None:
            self.path.unlink(missing_ok=True)


def listen(service: ServiceTable) -> tuple[Line, ...]:
    """Return the bound sockets of the site, one at least. Raises ServiceError with the address."""
    lines: list[Line] = []
    try:
        if service.tcp:
            lines.append(_tcp(service.host, service.port))
        if service.socket is not None:
            lines.append(_unix(service.socket))
    except ServiceError:
        for line in lines:
            line.close()
        raise
    return tuple(lines)


def server(app: ASGIApp, neighbours: Neighbours) -> uvicorn.Server:
    """Return the server, to be run with the socket of `listen`."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            http=partial(Impatient, neighbours=neighbours),  # type: ignore[arg-type]  # it is called
            ws="none",
            lifespan="off",
            loop="asyncio",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            backlog=min(BACKLOG, most_files() // 8),
            h11_max_incomplete_event_size=LARGEST_HEADER_BYTES,
            timeout_graceful_shutdown=FAREWELL_S,
        )
    )


def _tcp(host: str, port: int) -> Line:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named because asyncio sends without delay only where it reads TCP there:
    # otherwise every answer waits 40 ms.
    line = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        line.bind((host, port))
    except (OSError, UnicodeError) as error:
        line.close()
        cause = getattr(error, "strerror", None) or error
        raise ServiceError(f"cannot listen on {host}:{port}: {cause}") from error
    name = f"[{host}]" if ":" in host else host
    return Line(socket=line, address=f"http://{name}:{line.getsockname()[1]}")


def _unix(path: Path) -> Line:
    line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        if path.is_socket() and not is_answered(path):
            path.unlink()
        line.bind(str(path))
        path.chmod(SOCKET_MODE)
    except OSError as error:
        line.close()
        raise ServiceError(f"cannot listen on {path}: {error.strerror or error}") from error
    return Line(socket=line, address=f"unix:{path}", path=path)
