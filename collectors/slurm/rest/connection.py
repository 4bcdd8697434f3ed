"""One GET over TCP or a Unix socket: never for longer than its deadline, never for more bytes."""

import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from http.client import HTTPException
from pathlib import Path
from threading import Lock, Timer
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError

from predictor.errors import SourceError, SourceOverflow, SourceTimeout

PIECE_BYTES = 2**16
ANYBODY = "http://localhost"
"""Who is asked over a Unix socket."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where slurmrestd answers."""

    url: str = ANYBODY
    """Without a slash at its end."""
    socket: Path | None = None
    """The Unix socket it listens on; None: it is reached by the URL."""
    ca_file: Path | None = None
    """Who vouches for its certificate; None: those whom the machine trusts."""

    def __str__(self) -> str:
        return str(self.socket or self.url)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came back, whole."""

    status: int
    content_type: str
    body: bytes


def fetch(
    address: Address, path: str, headers: Mapping[str, str], timeout_s: float, most_bytes: int
) -> Reply:
    """Ask once and return the reply, whatever its status. Redirects and proxies are not followed.

    Connecting, headers and body all have to come within `timeout_s`. Raises SourceTimeout,
    SourceOverflow beyond `most_bytes`, and SourceError where nobody answers or it is cut off.
    """
    if timeout_s <= 0:
        raise SourceTimeout(f"{address}: no time left to ask")
    with _Guard(timeout_s) as guard, requests.Session() as session:
        session.trust_env = False
        for scheme in ("http://", "https://"):
            session.mount(scheme, _Adapter(guard, address.socket))
        try:
            reply = _asked(session, address, path, headers, timeout_s, most_bytes)
        except (requests.RequestException, HTTPError, HTTPException, OSError) as error:
            if guard.ended or _has_timed_out(error):
                raise _late(address, timeout_s) from None
            # Only the innermost cause is told: the outer ones repeat it, with our internals.
            raise SourceError(f"{address}: {_cause(error)}") from None
        if guard.ended:
            raise _late(address, timeout_s)
        return reply


def _late(address: Address, timeout_s: float) -> SourceTimeout:
    return SourceTimeout(f"{address}: no whole answer within {timeout_s:.3g} s")


def _asked(
    session: requests.Session,
    address: Address,
    path: str,
    headers: Mapping[str, str],
    timeout_s: float,
    most_bytes: int,
) -> Reply:
    always = {"Accept": "application/json", "Accept-Encoding": "identity", "Connection": "close"}
    with session.get(
        address.url + path,
        headers={**always, **headers},
        timeout=timeout_s,
        verify=str(address.ca_file) if address.ca_file else True,
        allow_redirects=False,
        stream=True,
    ) as response:
        packed = response.headers.get("Content-Encoding", "identity")
        if packed != "identity":
            raise SourceError(f"{address}: its answer is packed ({packed[:20]}), unasked")
        return Reply(
            status=response.status_code,
            content_type=response.headers.get("Content-Type", "").partition(";")[0].strip(),
            body=_body(response, address, most_bytes),
        )


def _body(response: requests.Response, address: Address, most_bytes: int) -> bytes:
    body = bytearray()
    # Not by `stream`: that would wait for the end of a chunk's first line however long it is.
    while piece := response.raw.read(PIECE_BYTES, decode_content=False):
        body += piece
        if len(body) > most_bytes:
            raise SourceOverflow(f"{address}: more than {most_bytes} bytes")
    return bytes(body)


def _has_timed_out(error: BaseException) -> bool:
    return isinstance(_innermost(error), TimeoutError) or isinstance(error, requests.Timeout)


def _cause(error: BaseException) -> str:
    inner = _innermost(error)
    said = (inner.strerror if isinstance(inner, OSError) else "") or str(inner)
    return (said or type(inner).__name__)[:200]


def _innermost(error: BaseException) -> BaseException:
    while (below := error.__cause__ or error.__context__) is not None:
        error = below
    return error


class _Guard:
    """Ends a connection at its deadline, whatever that is doing: timeouts count single reads."""

    def __init__(self, timeout_s: float) -> None:
        self.ended = False
        self._lock = Lock()
        self._held: list[socket.socket] = []
        self._timer = Timer(timeout_s, self._end)
        self._timer.daemon = True

    def __enter__(self) -> "_Guard":
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        with self._lock:
            for held in self._held:
                held.close()
            self._held.clear()

    def watch(self, connected: socket.socket) -> None:
        """Hold the connection by a handle of our own: TLS takes the first one over."""
        with self._lock:
            self._held.append(connected.dup())
            late = self.ended
        if late:
            self._end()

    def _end(self) -> None:
        with self._lock:
            self.ended = True
            for held in self._held:
                with suppress(OSError):
                    held.shutdown(socket.SHUT_RDWR)


class _Adapter(HTTPAdapter):
    """Makes connections that are guarded, over a Unix socket if there is one."""

    def __init__(self, guard: _Guard, path: Path | None) -> None:
        super().__init__(max_retries=0)
        self._guard = guard
        self._path = path

    def get_connection_with_tls_context(
        self, request: Any, verify: Any, proxies: Any = None, cert: Any = None
    ) -> Any:
        """Return the pool of connections to whom the request goes; proxies are left aside."""
        pool: Any = super().get_connection_with_tls_context(request, verify, None, cert)
        kind = _Secure if pool.scheme == "https" else _Plain
        pool.ConnectionCls = partial(kind, guard=self._guard, path=self._path)
        return pool


class _Plain(HTTPConnection):
    def __init__(self, *args: Any, guard: _Guard, path: Path | None, **options: Any) -> None:
        super().__init__(*args, **options)
        self._guard = guard
        self._path = path

    def _new_conn(self) -> socket.socket:
        connected = super()._new_conn() if self._path is None else self._to_path(self._path)
        self._guard.watch(connected)
        return connected

    def _to_path(self, path: Path) -> socket.socket:
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            made.settimeout(self.timeout)
            made.connect(str(path))
        except OSError:
            made.close()
            raise
        return made


class _Secure(HTTPSConnection):
    def __init__(self, *args: Any, guard: _Guard, path: Path | None, **options: Any) -> None:
        del path  # A Unix socket is asked without TLS.
        super().__init__(*args, **options)
        self._guard = guard

    def _new_conn(self) -> socket.socket:
        connected = super()._new_conn()
        self._guard.watch(connected)
        return connected
