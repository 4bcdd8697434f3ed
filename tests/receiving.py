"""Small servers on loopback that take notices, or do not: HTTP and SMTP, one line at a time."""

import socket
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Self

Talk = Callable[[socket.socket], None]


@dataclass
class Listener:
    """Talks to each who calls as it is told to; a context manager."""

    talk: Talk
    tls: ssl.SSLContext | None = None
    """With it all is said by TLS."""
    calls: int = 0
    _ended: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._listening.shutdown(socket.SHUT_RDWR)
        self._thread.join(5)
        self._listening.close()

    def _serve(self) -> None:
        while not self._ended.is_set():
            try:
                line, _ = self._listening.accept()
            except OSError:
                return
            self.calls += 1
            with line, suppress(OSError):
                line.settimeout(5)
                if self.tls is None:
                    self.talk(line)
                else:
                    with self.tls.wrap_socket(line, server_side=True) as secure:
                        self.talk(secure)

    def hang(self, _line: socket.socket) -> None:
        """Say nothing until the test is over."""
        self._ended.wait(30)

    def drip(self, line: socket.socket) -> None:
        """Send a byte now and then, for ever."""
        while not self._ended.wait(0.1):
            line.sendall(b"2")


def deaf() -> int:
    """Return a port of loopback on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


@dataclass
class Posted:
    """What was posted: lines of heads, and bodies."""

    answers: list[str]
    heads: list[str] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)

    def __call__(self, line: socket.socket) -> None:
        with line.makefile("rb") as stream:
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                head += stream.readline()
            text = head.decode("latin-1")
            (length,) = [
                int(each.partition(":")[2])
                for each in text.splitlines()
                if each.lower().startswith("content-length")
            ]
            self.heads.append(text)
            self.bodies.append(stream.read(length))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        line.sendall(f"HTTP/1.1 {answer}\r\nContent-Length: 0\r\n\r\n".encode())


@dataclass
class Mailbox:
    """What was mailed. `refuse`: the answer to a command, by its first word."""

    refuse: dict[str, str] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    letters: list[bytes] = field(default_factory=list)
    tls: ssl.SSLContext | None = None
    """With it STARTTLS is offered, as long as all is in the clear."""
    takes: str = ""
    """The kinds of login that are offered: `PLAIN`."""
    after_starttls: bytes = b""
    """What comes in the clear with the answer to STARTTLS, as from somebody in between."""
    secured: list[str] = field(default_factory=list)
    """That of what was said which came by TLS."""

    def __call__(self, line: socket.socket) -> None:
        line.sendall(b"220 scene\r\n")
        if (secure := self._talk(line)) is not None:
            with secure:
                self._talk(secure)

    def _talk(self, line: socket.socket) -> socket.socket | None:
        """Talk until the end, or until TLS is to begin: then return the line with it."""
        by_tls = isinstance(line, ssl.SSLSocket)
        with line.makefile("rb") as stream:
            for command in stream:
                text = command.decode("ascii", "replace").strip()
                self.said.append(text)
                if by_tls:
                    self.secured.append(text)
                word = text.partition(" ")[0].upper()
                answer = self.refuse.get(word) or self._answer(word, by_tls=by_tls)
                line.sendall(f"{answer}\r\n".encode())
                if word == "STARTTLS" and answer.startswith("220") and self.tls is not None:
                    line.sendall(self.after_starttls)
                    return self.tls.wrap_socket(line, server_side=True)
                if answer.startswith("354"):
                    self.letters.append(_letter(stream))
                    line.sendall(b"250 kept\r\n")
                if word == "QUIT":
                    return None
        return None

    def _answer(self, word: str, *, by_tls: bool) -> str:
        offers = ["STARTTLS"] if self.tls is not None and not by_tls else []
        offers += [f"AUTH {self.takes}"] if self.takes else []
        special = {
            "EHLO": "\r\n".join([*(f"250-{one}" for one in ("scene", *offers)), "250 fine"]),
            "DATA": "354 go",
            "AUTH": "235 welcome",
            "STARTTLS": "220 go on",
        }
        return special.get(word, "250 fine")


def _letter(stream) -> bytes:
    lines = []
    for line in stream:
        if line == b".\r\n":
            break
        lines.append(line)
    return b"".join(lines)
