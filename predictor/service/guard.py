"""What every request passes: by which name we are called, how much is sent, how long it took."""

from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from math import inf
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from predictor.clock import Clock
from predictor.service.metrics import Metrics
from predictor.service.problems import problem

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
LONGEST_QUERY = 8_192
LARGEST_BODY_BYTES = 65_536
"""Of a POST; nothing else has a body."""

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self';"
    " img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors "
)


def security_headers(frame_ancestors: Sequence[str] = ()) -> Sequence[tuple[bytes, bytes]]:
    """Return the headers of every answer. Only pages of those origins may have ours in a frame."""
    policy = POLICY + (" ".join(("'self'", *frame_ancestors)) if frame_ancestors else "'none'")
    # Where some may, the older header cannot say who.
    denied = () if frame_ancestors else ((b"x-frame-options", b"DENY"),)
    return (
        (b"x-content-type-options", b"nosniff"),
        *denied,
        (b"referrer-policy", b"no-referrer"),
        (b"cross-origin-resource-policy", b"same-origin"),
        (b"content-security-policy", policy.encode("ascii")),
    )


class Guard:
    """Refuses foreign Host names and large bodies, adds headers, and times answers.

    A page of another site may make its visitor's browser call loopback under its own name (DNS
    rebinding); the Host header still tells that name.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Iterable[str],
        metrics: Metrics,
        clock: Clock,
        frame_ancestors: Sequence[str] = (),
    ) -> None:
        self._app = app
        self._headers = security_headers(frame_ancestors)
        self._hosts = LOOPBACK_NAMES | {_in_header(host.lower()) for host in hosts}
        self._metrics = metrics
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        begun = self._clock.monotonic()
        status, streaming_after_s = 500, None

        async def send_guarded(message: Message) -> None:
            nonlocal status, streaming_after_s
            if message["type"] == "http.response.start":
                status = message["status"]
                if _streams(message):
                    streaming_after_s = self._clock.monotonic() - begun
                message["headers"] = [*message.get("headers", ()), *self._further(message)]
            await send(message)

        # The server leaves the body out of the answer to HEAD, so that it may be made as for GET.
        asked = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
        try:
            refusal = self._refusal(scope)
            await (refusal or self._app)(asked, receive, send_guarded)
        finally:
            took_s = self._clock.monotonic() - begun
            if streaming_after_s is not None:
                took_s = streaming_after_s
            self._metrics.answered(_route(asked), scope["method"], status, took_s)

    def _further(self, head: Message) -> list[tuple[bytes, bytes]]:
        """Return the security headers that an answer does not bring its own of."""
        own = {name.lower() for name, _ in head.get("headers", ())}
        return [one for one in self._headers if one[0] not in own]

    def _refusal(self, scope: Scope) -> ASGIApp | None:
        headers = dict(scope["headers"])
        if not self._known(headers.get(b"host", b"")):
            return problem(421, "this service does not go by that name", scope["path"])
        if b"transfer-encoding" in headers or _length(headers) > _most_bytes(scope):
            return problem(413, f"a body of at most {_most_bytes(scope)} bytes", scope["path"])
        if len(scope["query_string"]) > LONGEST_QUERY:
            return problem(414, f"at most {LONGEST_QUERY} bytes of query", scope["path"])
        return None

    def _known(self, host: bytes) -> bool:
        name = host.decode("latin-1").lower()
        return (name if name.endswith("]") else name.rpartition(":")[0] or name) in self._hosts


def _streams(head: Message) -> bool:
    """Whether an answer goes on until somebody hangs up: how long that is tells nothing of us."""
    kind = dict(head.get("headers", ())).get(b"content-type", b"")
    return bool(kind.startswith(b"text/event-stream"))


def _length(headers: Mapping[bytes, bytes]) -> float:
    """Return the length of the body by its header, which the server holds the client to."""
    told = headers.get(b"content-length", b"0")
    return int(told) if told.isdigit() and len(told) < 20 else inf


def _most_bytes(scope: Scope) -> int:
    return LARGEST_BODY_BYTES if scope["method"] == "POST" else 0


def _in_header(host: str) -> str:
    """Return a host as it stands in a Host header, where IPv6 addresses have brackets."""
    return f"[{host}]" if ":" in host else host


def _route(scope: MutableMapping[str, Any]) -> str | None:
    """Return the pattern that the path matched, which is one of few."""
    return getattr(scope.get("route"), "path", None)
