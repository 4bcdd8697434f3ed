"""A connection that is over after a deadline, whatever the other end does; TLS included."""

import socket
import ssl
import threading
from contextlib import suppress
from types import TracebackType
from typing import Self


class Line:
    """One connection; as long as its context lasts, it has until the deadline.

    Then it is broken off, for a socket's own timeout begins anew with every byte.
    """

    def __init__(self, deadline_s: float) -> None:
        self._deadline_s = deadline_s
        self._sock: socket.socket | None = None
        self._late = False
        self._timer = threading.Timer(deadline_s, self._cut)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._timer.cancel()
        if self._sock is not None:
            with suppress(OSError):
                self._sock.close()

    def connect(self, host: str, port: int) -> socket.socket:
        """Return the socket, connected. Raises OSError."""
        return self._hold(socket.create_connection((host, port), self._deadline_s))

    def secure(self, context: ssl.SSLContext, host: str) -> socket.socket:
        """Return the socket with TLS, once it is sure that it is `host`. Raises OSError."""
        if self._sock is None:
            raise ConnectionError("not connected")
        # Held before the handshake, or that could not be broken off.
        wrapped = context.wrap_socket(
            self._sock, server_hostname=host, do_handshake_on_connect=False
        )
        self._hold(wrapped)
        wrapped.do_handshake()
        return wrapped

    def cause(self, error: Exception) -> str:
        """Return why it failed, as a clause that quotes nothing of the other end's."""
        if self._late or isinstance(error, TimeoutError):
            return f"not done within {self._deadline_s:g} s"
        if isinstance(error, ssl.SSLCertVerificationError):
            return f"certificate not accepted: {error.verify_message}"
        if isinstance(error, ssl.SSLError):
            return f"no TLS: {error.reason or type(error).__name__}"
        return getattr(error, "strerror", None) or type(error).__name__

    def _hold(self, sock: socket.socket) -> socket.socket:
        self._sock = sock
        if self._late:
            raise TimeoutError
        return sock

    def _cut(self) -> None:
        self._late = True
        if self._sock is not None:
            with suppress(OSError):
                # The plain socket's: that of TLS takes itself away from the thread that waits.
                socket.socket.shutdown(self._sock, socket.SHUT_RDWR)
