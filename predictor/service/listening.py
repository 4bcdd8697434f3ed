"""Where the service listens, and for how long it listens to somebody who says nothing."""

import asyncio
import socket
from dataclasses import dataclass
from pathlib import Path

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from predictor.cli.meeting import is_answered
from predictor.errors import ServiceError
from predictor.service.asking.peers import peer_of
from predictor.service.problems import problem
from predictor.site.model import ServiceTable

BACKLOG = 512
MOST_CONNECTIONS = 4_000
LARGEST_HEADER_BYTES = 16_384
SILENCE_S = 10
"""A connection without a complete request after so long is closed."""
FAREWELL_S = 1
SOCKET_MODE = 0o666
"""Like loopback, the socket is open to everybody on the machine."""
LAST = {"Connection": "close"}
_CROWDED = problem(503, "too many are connected already", "", headers={**LAST, "Retry-After": "10"})


class Impatient(H11Protocol):
    """Hangs up on connections that do not bring a request in time."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start waiting."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            self.app = _CROWDED
        # The server hands this on to each request of the connection, as its state.
        self.app_state = {"peer": peer_of(transport.get_extra_info("socket"))}
        self.loop.call_later(SILENCE_S, self._hang_up_if_silent)

    def send_400_response(self, msg: str) -> None:
        """Say that what came is no HTTP, if an answer is still due, and hang up."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            refusal = problem(400, msg, "", headers=LAST)
            head = h11.Response(status_code=400, headers=refusal.raw_headers, reason=b"Bad Request")
            for event in (head, h11.Data(data=bytes(refusal.body)), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _hang_up_if_silent(self) -> None:
        if self.cycle is None and not self.transport.is_closing():
            self.transport.close()


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


def server(app: ASGIApp) -> uvicorn.Server:
    """Return the server, to be run with the socket of `listen`."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            http=Impatient,
            ws="none",
            lifespan="off",
            loop="asyncio",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            backlog=BACKLOG,
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
