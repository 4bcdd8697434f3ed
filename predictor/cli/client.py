"""Asking the daemon over HTTP or a Unix socket, with the standard library only: it starts fast."""

import http.client
import json
import os
import socket
import sys
from collections.abc import Iterable, Mapping
from typing import Any, Self
from urllib.parse import quote, urlencode, urlsplit

from predictor.cli.terminal import plain
from predictor.clock import Clock, SystemClock
from predictor.errors import ServiceError

SCHEMA = "queuecast/1"
"""The form of the answers that this client understands."""
PATIENCE_S = 10.0
FIRST_ANSWER_S = 10.0
"""So long a daemon is waited for that says it has just started."""
LOOK_AGAIN_S = 0.5
STARTING = "urn:queuecast:starting"
"""The type of the problem by which it says so."""
TOKEN_VARIABLE = "QUEUECAST_TOKEN"  # noqa: S105
"""Where a token is taken from that tells who asks."""
LARGEST_ANSWER_BYTES = 64 * 2**20
ABSENT = (ConnectionRefusedError, FileNotFoundError)
"""How it shows that no daemon is there."""
NOBODY_THERE = "; does `queuecast serve` run there? --url or QUEUECAST_URL name another place"


class Starting(ServiceError):
    """The daemon has just started; it answers within seconds."""


class _UnixConnection(http.client.HTTPConnection):
    """HTTP through a Unix socket."""

    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        """Connect to the socket file."""
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


class Client:
    """One daemon; a context manager. All methods raise ServiceError, naming address and cause."""

    def __init__(
        self, url: str, patience_s: float = PATIENCE_S, clock: Clock | None = None
    ) -> None:
        """Take `http://host:port[/prefix]`, `https://…` or `unix:/path`."""
        self._url = url
        self._clock = clock or SystemClock()
        self._connection, self._prefix = _connection(url, patience_s)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def clusters(self) -> list[dict[str, Any]]:
        """Return what is told of each cluster.

        A daemon that has just started is waited for, `FIRST_ANSWER_S` at most; then, as at once
        where its cluster cannot be seen, it raises. Who sits at a terminal is told.
        """
        until = self._clock.monotonic() + FIRST_ANSWER_S
        told = False
        while True:
            try:
                found: list[dict[str, Any]] = self._get("/api/v1/clusters")["clusters"]
                return found
            except Starting:
                if self._clock.monotonic() >= until:
                    raise
            if not told and sys.stderr.isatty():
                print(plain(f"{self._url} has just started; waiting."), file=sys.stderr)  # noqa: T201
            told = True
            self._clock.sleep(LOOK_AGAIN_S)

    def cluster(self, wanted: str | None) -> str:
        """Return the name of the cluster wanted, of the first if None."""
        names = [str(each["cluster"]) for each in self.clusters()]
        if wanted is not None and wanted not in names:
            raise ServiceError(f"cluster {wanted!r} is not served there, but {', '.join(names)}")
        return wanted or names[0]

    def job(self, cluster: str, job_id: str) -> dict[str, Any]:
        """Return the answer about one job."""
        return self._get(f"/api/v1/clusters/{_quoted(cluster)}/jobs/{_quoted(job_id)}")

    def jobs(self, cluster: str, question: Mapping[str, str]) -> dict[str, Any]:
        """Return the answer with all jobs asked for, however many pages that takes."""
        path = f"/api/v1/clusters/{_quoted(cluster)}/forecasts"
        answer = page = self._get(f"{path}?{_encoded(question)}")
        while page["next"] is not None:
            page = self._get(f"{path}?{_encoded({**question, 'cursor': page['next']})}")
            answer["jobs"] += page["jobs"]
        return {**answer, "next": None}

    def plan(self, cluster: str, question: Mapping[str, str]) -> dict[str, Any]:
        """Return who holds which nodes when, as far as asked for."""
        return self._get(f"/api/v1/clusters/{_quoted(cluster)}/plan?{_encoded(question)}")

    def unknown_partitions(self, cluster: str, wanted: Iterable[str]) -> list[str]:
        """Return those of the names that no partition has; none where partitions are private."""
        if not (names := sorted({name.strip() for name in wanted} - {""})):
            return []
        try:
            answer = self._get(f"/api/v1/clusters/{_quoted(cluster)}/partitions")
        except ServiceError:
            return []
        known = {one["name"] for one in answer["partitions"]}
        return [name for name in names if name not in known]

    def snapshot(self, cluster: str) -> str:
        """Return the newest snapshot with its forecast, an LML document."""
        path = f"{self._prefix}/api/v1/clusters/{_quoted(cluster)}/snapshot"
        status, body = self._exchange("GET", path, None)
        try:
            if status == http.HTTPStatus.OK:
                return body.decode()
            cause = str(json.loads(body)["detail"])
        except (ValueError, KeyError, TypeError, RecursionError):
            cause = f"answers {status}, but not as queuecast does"
        raise ServiceError(f"{self._url}: {cause}")

    def what_if(self, cluster: str, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a question about jobs that nobody has submitted."""
        path = f"/api/v1/clusters/{_quoted(cluster)}/what-if"
        return self._answer("POST", path, json.dumps(question))

    def watches(self) -> dict[str, Any]:
        """Return the answer with one's own watches, and where notices may go."""
        return self._get("/api/v1/watches")

    def watch(self, wish: Mapping[str, Any]) -> dict[str, Any]:
        """Keep a watch and return it."""
        return self._answer("POST", "/api/v1/watches", json.dumps(wish))

    def unwatch(self, watch_id: str) -> dict[str, Any]:
        """Forget a watch and return it."""
        return self._answer("DELETE", f"/api/v1/watches/{_quoted(watch_id)}")

    def _get(self, path: str) -> dict[str, Any]:
        return self._answer("GET", path)

    def _answer(self, method: str, path: str, asked: str | None = None) -> dict[str, Any]:
        status, body = self._exchange(method, self._prefix + path, asked)
        try:
            answer = json.loads(body)
            if status not in (http.HTTPStatus.OK, http.HTTPStatus.CREATED):
                cause = str(answer["detail"])
                if answer.get("type") == STARTING:
                    raise Starting(f"{self._url}: {cause}")
            elif answer["schema"] == SCHEMA:
                return dict(answer)
            else:
                cause = f"answers in another form, {answer['schema']!r}"
        except (ValueError, KeyError, TypeError, RecursionError):
            cause = f"answers {status}, but not as queuecast does"
        raise ServiceError(f"{self._url}: {cause}")

    def _exchange(self, method: str, target: str, asked: str | None) -> tuple[int, bytes]:
        headers = {"Accept": "application/json"}
        if token := os.environ.get(TOKEN_VARIABLE):
            headers["Authorization"] = f"Bearer {token}"
        if asked is not None:
            headers["Content-Type"] = "application/json"
        try:
            self._connection.request(method, target, asked, headers)
            response = self._connection.getresponse()
            body = response.read(LARGEST_ANSWER_BYTES + 1)
        except (OSError, http.client.HTTPException, UnicodeError) as error:
            cause = getattr(error, "strerror", None) or str(error) or type(error).__name__
            advice = NOBODY_THERE if isinstance(error, ABSENT) else ""
            raise ServiceError(f"{self._url}: no answer: {cause}{advice}") from error
        if len(body) > LARGEST_ANSWER_BYTES:
            raise ServiceError(f"{self._url}: an answer of more than {LARGEST_ANSWER_BYTES} bytes")
        return response.status, body


def _connection(url: str, patience_s: float) -> tuple[http.client.HTTPConnection, str]:
    if url.startswith("unix:"):
        return _UnixConnection(url.removeprefix("unix:"), patience_s), ""
    try:
        parts = urlsplit(url)
        host, port, scheme = parts.hostname, parts.port, parts.scheme
        if host is None or scheme not in ("http", "https"):
            raise ServiceError(f"{url}: expected http://host:port or unix:/path")
        kind = http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection
        return kind(host, port, timeout=patience_s), parts.path.rstrip("/")
    except (ValueError, http.client.InvalidURL) as error:
        raise ServiceError(f"{url}: {error}") from error


def _quoted(part: str) -> str:
    # What stands on a command line need not be text.
    return quote(part, safe="", errors="replace")


def _encoded(question: Mapping[str, str]) -> str:
    return urlencode(question, errors="replace")
