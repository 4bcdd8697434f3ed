"""Asking slurmrestd: one question at a time, by the paths it offers, answers only when new."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock

from collectors import commands
from collectors.commands import Printed
from collectors.slurm.objects.fields import decoded
from collectors.slurm.questions import reports_errors
from collectors.slurm.rest import routes
from collectors.slurm.rest.connection import Address, Reply, fetch
from collectors.slurm.rest.credentials import Credentials, headers
from collectors.slurm.rest.replies import ANSWERED, GONE, UNCHANGED, answer_in, refused, without
from predictor.clock import Clock
from predictor.errors import SourceError, SourceFormatError, SourceTimeout

METHOD = "GET"
ONLY_NEWS = {"slurm/jobs": 42, "slurm/nodes": 43}
"""Asked for only if they changed, from that version on: before, that ends in errors.

The others are small, or tell the time.
"""

HOLDS_S = 300
"""After so long all is asked again: another controller may have taken over, with another clock."""
NO_NEWS_TOLD = frozenset({422, 500})
"""How some versions answer that nothing has changed, or that something has."""
SMALL_BYTES = 4096
"""No answer with a record in it is smaller; one that says that nothing has changed is."""

_TOLD_AT = re.compile(r'"last_update"\s*:\s*(?:\{[^{}]*"number"\s*:\s*)?(\d{1,12})\b')

Fetch = Callable[[Address, str, Mapping[str, str], float, int], Reply]


class _Gone(SourceError):
    """There is nothing under a path that was there before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """An answer that still holds if slurmrestd knows of nothing newer."""

    path: str
    told_at: int
    """By the controller's clock, in epoch seconds."""
    got_at: float
    """By ours, which never jumps."""
    body: bytes


class Client:
    """A slurmrestd. Its `run` takes the place of running commands."""

    def __init__(
        self,
        address: Address,
        credentials: Credentials,
        clock: Clock,
        *,
        api_version: str = "",
        fetch: Fetch = fetch,
        most_bytes: int = commands.MOST_BYTES,
    ) -> None:
        self._address = address
        self._credentials = credentials
        self._clock = clock
        self._only = api_version
        self._fetch = fetch
        self._most_bytes = most_bytes
        self._routes: routes.Routes = {}
        self._kept: dict[str, _Kept] = {}
        self._without_news: set[str] = set()
        self._one_at_a_time = Lock()

    def run(self, argv: Sequence[str], timeout_s: float) -> Printed:
        """Ask `GET ENDPOINT` and return the answer, or the routes for `GET openapi.json`.

        An answer that has not changed comes from memory, with a size of 0. Raises SourceError,
        for what is not one of `routes.ENDPOINTS` without asking anybody.
        """
        begun = self._clock.monotonic()
        method, endpoint = argv
        if method != METHOD or endpoint not in (*routes.ENDPOINTS, routes.OPENAPI):
            raise SourceError(f"{' '.join(argv)}: not on the list of what may be asked")
        if not self._one_at_a_time.acquire(timeout=timeout_s):
            raise SourceTimeout(f"{' '.join(argv)}: the question before is not answered yet")
        try:
            text, size_bytes = self._answer(endpoint, begun + timeout_s)
        finally:
            self._one_at_a_time.release()
        return Printed(
            output=text, duration_s=self._clock.monotonic() - begun, size_bytes=size_bytes
        )

    def _answer(self, endpoint: str, deadline: float) -> tuple[str, int]:
        if endpoint == routes.OPENAPI:
            size_bytes = self._discover(deadline)
            return routes.written(self._routes), size_bytes
        if not self._routes:
            self._discover(deadline)
        try:
            return self._told(endpoint, deadline)
        except _Gone:
            # It may be another version of slurmrestd by now.
            self._discover(deadline)
            return self._told(endpoint, deadline)

    def _told(self, endpoint: str, deadline: float) -> tuple[str, int]:
        path = self._routes.get(endpoint)
        if path is None:
            raise SourceError(f"{METHOD} {endpoint}: this slurmrestd does not serve it")
        kept = self._kept.pop(endpoint, None)
        reply = self._news(kept, deadline) if kept and self._may_hold(kept, path) else None
        if reply is None:
            reply = self._reply(path, deadline)
        elif kept and reply.status == UNCHANGED:
            self._kept[endpoint] = kept
            return kept.body.decode(errors="replace"), len(reply.body)
        text = answer_in(reply, f"{METHOD} {path}")
        told_at = _told_at(text)
        if told_at and self._may_ask_for_news(endpoint, path):
            now = self._clock.monotonic()
            self._kept[endpoint] = _Kept(path=path, told_at=told_at, got_at=now, body=reply.body)
        return text, len(reply.body)

    def _may_hold(self, kept: _Kept, path: str) -> bool:
        return kept.path == path and self._clock.monotonic() - kept.got_at < HOLDS_S

    def _may_ask_for_news(self, endpoint: str, path: str) -> bool:
        first = ONLY_NEWS.get(endpoint)
        can = first is not None and routes.version_of(path) >= first
        return can and path not in self._without_news

    def _news(self, kept: _Kept, deadline: float) -> Reply | None:
        """Return what there is since an answer, or that it holds; None if that cannot be asked."""
        reply = self._reply(kept.path, deadline, f"?update_time={kept.told_at}")
        if reply.status in NO_NEWS_TOLD:
            # Whatever it was: the same question without a time will tell.
            self._without_news.add(kept.path)
            return None
        if reply.status == ANSWERED and _says_nothing_changed(reply):
            return replace(reply, status=UNCHANGED)
        return reply

    def _discover(self, deadline: float) -> int:
        """Learn the routes; returns the size of what told them."""
        for path in routes.SPECIFICATIONS:
            try:
                reply = self._reply(path, deadline)
            except _Gone:
                continue
            self._routes = self._listed(answer_in(reply, f"{METHOD} {path}"), path)
            return len(reply.body)
        if not self._only:
            raise SourceError(f"{self._address}: lists no paths: is that slurmrestd?")
        self._routes = routes.assumed(self._only)
        return 0

    def _listed(self, text: str, place: str) -> routes.Routes:
        paths = decoded(text, f"{METHOD} {place}").get("paths")
        if not isinstance(paths, dict):
            raise SourceFormatError(f"{METHOD} {place}: no 'paths' in it")
        found = routes.routes_among(paths, self._only)
        if "slurm/jobs" not in found:
            wanted = self._only or f"any from {routes.VERSIONS[-1]} to {routes.VERSIONS[0]}"
            raise SourceError(f"{self._address}: offers no jobs in {wanted}")
        return found

    def _reply(self, path: str, deadline: float, query: str = "") -> Reply:
        place = f"{METHOD} {path}"
        token = self._credentials.current()
        sent = headers(self._credentials.user, token)
        left_s = deadline - self._clock.monotonic()
        try:
            reply = self._fetch(self._address, path + query, sent, left_s, self._most_bytes)
        except SourceError as error:
            raise type(error)(f"{place}: {error}") from error.__cause__
        reply = without(token, reply)
        if reply.status == GONE:
            raise _Gone(f"{place}: HTTP 404: there is nothing of that name")
        if reply.status == ANSWERED or (query and reply.status in {UNCHANGED, *NO_NEWS_TOLD}):
            return reply
        raise refused(reply, place, token, self._clock.now())


def _says_nothing_changed(reply: Reply) -> bool:
    """Return whether an answer is empty because of that: then its own time is 0."""
    text = reply.body[:SMALL_BYTES].decode(errors="replace")
    whole = len(reply.body) < SMALL_BYTES and text.rstrip().endswith("}")
    return whole and _TOLD_AT.findall(text)[-1:] == ["0"] and not reports_errors(text)


def _told_at(text: str) -> int:
    """Return of when an answer is, by the controller's clock; 0 where it does not say.

    Also 0 for what had better be asked anew: an answer that reports errors or is none.
    """
    found = _TOLD_AT.findall(text)
    whole = text.rstrip().endswith("}") and not reports_errors(text)
    return int(found[-1]) if found and whole else 0
