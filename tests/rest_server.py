"""A server that answers as it is told, for those who ask by HTTP."""

import time
from contextlib import closing, suppress
from threading import Thread

from collectors.slurm.rest.connection import Address

JSON = "application/json"


def reply(body=b"{}", status=200, kind=JSON, **headers):
    """Return a whole reply as it goes over the wire."""
    body = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status} said", f"Content-Length: {len(body)}", f"Content-Type: {kind}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


class Server:
    """Answers each request by `script(path)`: bytes, or pieces of them and pauses in seconds."""

    def __init__(self, listener, script, tls=None):
        self.requests = []
        self.script = script
        self._listener = listener
        self._tls = tls
        self._thread = Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def paths(self):
        return [request.split()[1] for request in self.requests]

    @property
    def address(self):
        name = self._listener.getsockname()
        if isinstance(name, str):
            return Address(socket=name)
        scheme = "https" if self._tls else "http"
        return Address(url=f"{scheme}://127.0.0.1:{name[1]}")

    def answer(self, request):
        """Return what is sent to who asked so."""
        return self.script(request.split()[1])

    def _serve(self):
        while True:
            try:
                connected, _ = self._listener.accept()
            except OSError:
                return
            Thread(target=self._answer, args=(connected,), daemon=True).start()

    def _answer(self, connected):
        with closing(connected), suppress(OSError):
            if self._tls is None:
                self._talk(connected)
            else:
                with self._tls.wrap_socket(connected, server_side=True) as hidden:
                    self._talk(hidden)

    def _talk(self, connected):
        with suppress(OSError):
            request = b""
            while b"\r\n\r\n" not in request:
                if not (piece := connected.recv(65536)):
                    return
                request += piece
            self.requests.append(request.decode())
            answer = self.answer(request.decode())
            for piece in [answer] if isinstance(answer, bytes) else answer:
                if isinstance(piece, bytes):
                    connected.sendall(piece)
                else:
                    time.sleep(piece)
