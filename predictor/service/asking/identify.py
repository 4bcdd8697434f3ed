"""From a request to who asks: by the connection's owner, a listed proxy's word, or a token."""

import asyncio
import logging
import os
import pwd
from collections.abc import Mapping

from starlette.types import ASGIApp, Receive, Scope, Send

from predictor.cli.terminal import plain
from predictor.domain.identifier import Identifier
from predictor.service.asking.peers import UNKNOWN, Peer
from predictor.service.asking.proxies import LEAST_PERSON_UID, NameOf, is_listed
from predictor.service.asking.tokens import Tokens
from predictor.service.asking.viewers import ANONYMOUS, Role, Viewer
from predictor.service.logs import log
from predictor.site.access import AccessTable

LONGEST_NAME = 64
LONGEST_CAUSE = 300
MOST_VERIFYING = 4
"""So many credentials are verified at once; an answer may be seconds away."""
BEARER = "bearer "

Headers = Mapping[bytes, bytes]


class Identify:
    """Tells each request who asks: `request.state.viewer`."""

    def __init__(
        self,
        app: ASGIApp,
        access: AccessTable,
        tokens: Tokens,
        name_of: NameOf | None = None,
        identifier: Identifier | None = None,
    ) -> None:
        self._app = app
        self._access = access
        self._tokens = tokens
        self._name_of = name_of or account_name
        self._identifier = identifier
        self._verifying = 0
        self._failing = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "http":
            known = scope.get("state", {})
            headers = dict(scope["headers"])
            viewer = await self._told(known.get("peer", UNKNOWN), headers)
            scope["state"] = {**known, "viewer": viewer}
        await self._app(scope, receive, send)

    def viewer(self, peer: Peer, headers: Headers) -> Viewer:
        """Return who asks. What cannot be proved is not believed."""
        if self._is_proxy(peer):
            return self._by_proxy(headers)
        token = _bearer(headers)
        if token:
            return self._tokens.viewer(token)
        return self._by_owner(peer)

    async def _told(self, peer: Peer, headers: Headers) -> Viewer:
        """Return who asks, where credentials of the batch system win over the connection."""
        if self._identifier is None or self._is_proxy(peer):
            return self.viewer(peer, headers)
        known = self._tokens.viewer(token) if (token := _bearer(headers)) else ANONYMOUS
        told = {key.decode("latin-1"): value.decode("latin-1") for key, value in headers.items()}
        if known is not ANONYMOUS or not self._identifier.offered(told):
            return self.viewer(peer, headers)
        if self._verifying >= MOST_VERIFYING:
            return Viewer(trouble="too many ask at once for their tokens to be verified")
        self._verifying += 1
        try:
            name = await asyncio.to_thread(self._identifier.name, told)
        except Exception as error:  # an identifier may be anybody's code
            if not self._failing:  # one line for all that follow: anybody may show anything
                cause = plain(f"{type(error).__name__}: {error}", LONGEST_CAUSE)
                log("identifier-failed", level=logging.WARNING, cause=cause)
            self._failing = True
            return Viewer(trouble="the token could not be verified")
        finally:
            self._verifying -= 1
        self._failing = False
        return self._person(name, "by a token of the batch system")

    def _is_proxy(self, peer: Peer) -> bool:
        return is_listed(peer, self._access, self._name_of)

    def _by_proxy(self, headers: Headers) -> Viewer:
        name = headers.get(self._access.proxy_header.lower().encode(), b"").decode("latin-1")
        return self._person(name.strip(), "by the proxy")

    def _by_owner(self, peer: Peer) -> Viewer:
        if peer.uid is None:
            return ANONYMOUS
        if not peer.address:
            if peer.uid in (0, os.geteuid()):
                name = self._name_of(peer.uid)
                return Viewer(role=Role.OPERATOR, name=name, how="by the owner of the connection")
            return self._person(self._name_of(peer.uid), "by the owner of the connection")
        # Programs pass on what others ask, who are not to be taken for the program's account.
        if not self._access.loopback_users or peer.uid < LEAST_PERSON_UID:
            return ANONYMOUS
        return self._person(self._name_of(peer.uid), "by the owner of the connection")

    def _person(self, name: str, how: str) -> Viewer:
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            return ANONYMOUS
        role = Role.OPERATOR if name in self._access.operators else Role.USER
        return Viewer(role=role, name=name, how=how)


def account_name(uid: int) -> str:
    """Return the name of an account of this machine; empty: it has none."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return ""


def _bearer(headers: Headers) -> str:
    told = headers.get(b"authorization", b"").decode("latin-1")
    return told[len(BEARER) :].strip() if told.lower().startswith(BEARER) else ""


def viewer_of(state: object) -> Viewer:
    """Return who asks, out of a request's state; nobody known where nobody was told."""
    return getattr(state, "viewer", ANONYMOUS)
