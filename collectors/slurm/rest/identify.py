"""Who holds a token of Slurm: slurmrestd is asked, for the key would let us be anybody."""

import hashlib
import re
from collections import OrderedDict, deque
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock

from collectors.settings import number_of, refuse_unknown, text_of
from collectors.slurm.objects.fields import decoded
from collectors.slurm.rest.client import Fetch
from collectors.slurm.rest.connection import Address, Reply, fetch
from collectors.slurm.rest.credentials import TOKEN_HEADER, USER_HEADER, claims, expires_at, headers
from collectors.slurm.rest.replies import (
    ANSWERED,
    EITHER,
    GONE,
    NOT_LET_IN,
    answer_in,
    refused,
    without,
)
from collectors.slurm.rest.routes import VERSIONS
from collectors.slurm.rest.source import address_of, version_of
from predictor.clock import Clock, SystemClock
from predictor.domain.durations import HOUR_S
from predictor.errors import SourceError

KIND = "slurm-jwt"
KEYS = frozenset({"api_version", "ca_file", "claim", "socket", "timeout_s", "url"})
PATH = "/slurm/{version}/licenses"
"""A small answer that the controller gives only to whom it believes; `ping` tells anybody."""
TIMEOUT_S = 3
GOOD_S, BAD_S = 60, 20
"""So long an answer holds."""
MOST_KEPT = 5_000
MOST_A_MINUTE = 60
"""The controller works for each question; what was answered lately is not asked again."""
PROVED_S = HOUR_S
"""So long slurmrestd is trusted to look at tokens at all."""
MOST_TOKEN, MOST_ANSWER_BYTES = 8_192, 4 * 2**20
BEARER = "bearer "

_JWT = re.compile(r"[\w-]{4,}\.[\w-]{4,}\.[\w-]{4,}", re.ASCII)
_NAME = re.compile(r"[\w.@-]{1,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Shown:
    """A name, and the token that is to prove it."""

    user: str
    token: str

    @property
    def digest(self) -> bytes:
        """What stands for it in memory, from which it cannot be had back."""
        return hashlib.sha256(f"{self.user}\0{self.token}".encode()).digest()

    def forged(self) -> "_Shown":
        """Return the same signed by nobody."""
        head, _, signature = self.token.rpartition(".")
        return _Shown(self.user, f"{head}.{signature[::-1].swapcase()}")


class JwtIdentifier:
    """Verifies tokens by the answers that slurmrestd gives to their holders."""

    def __init__(
        self,
        address: Address,
        clock: Clock,
        *,
        claim: str = "sun",
        api_version: str = "",
        timeout_s: float = TIMEOUT_S,
        fetch: Fetch = fetch,
    ) -> None:
        """`claim` is where a token itself names its user, if that is not told beside it."""
        self._address = address
        self._clock = clock
        self._claim = claim
        self._versions = (api_version,) if api_version else VERSIONS
        self._timeout_s = timeout_s
        self._fetch = fetch
        self._kept: OrderedDict[bytes, tuple[str, float]] = OrderedDict()
        self._asked_at: deque[float] = deque(maxlen=MOST_A_MINUTE)
        self._proved_until = float("-inf")
        self._lock = Lock()

    def offered(self, headers: Mapping[str, str]) -> bool:
        """Return whether a token of this kind is shown."""
        return self._shown(headers) is not None

    def name(self, headers: Mapping[str, str]) -> str:
        """Return whose token it is; empty: nobody's. Raises SourceError if nobody tells."""
        shown = self._shown(headers)
        if shown is None or not _NAME.fullmatch(shown.user):
            return ""
        end = expires_at(shown.token)
        if end is not None and end <= self._clock.now():
            return ""
        now = self._clock.monotonic()
        with self._lock:
            known, until = self._kept.get(shown.digest, ("", float("-inf")))
            if now < until:
                return known
            self._count(now)
        name = shown.user if self._is_good(shown) else ""
        left_s = float("inf") if end is None else end - self._clock.now()
        self._keep(shown.digest, name, now + min(GOOD_S if name else BAD_S, left_s))
        return name

    def _shown(self, told: Mapping[str, str]) -> _Shown | None:
        token = told.get(TOKEN_HEADER.lower(), "").strip()
        bearer = told.get("authorization", "")
        if not token and bearer.lower().startswith(BEARER):
            token = bearer[len(BEARER) :].strip()
        if len(token) > MOST_TOKEN or not _JWT.fullmatch(token):
            return None
        return _Shown(told.get(USER_HEADER.lower(), "").strip() or self._claimed(token), token)

    def _claimed(self, token: str) -> str:
        """Return whom the token says that it is for, which is not yet believed."""
        name = claims(token).get(self._claim)
        return name if isinstance(name, str) else ""

    def _count(self, now: float) -> None:
        """Note a question. Raises SourceError if there were too many of late."""
        if len(self._asked_at) == MOST_A_MINUTE and now - self._asked_at[0] < 60:
            raise SourceError(f"{self._address}: too many tokens to verify within a minute")
        self._asked_at.append(now)

    def _keep(self, digest: bytes, name: str, until: float) -> None:
        with self._lock:
            self._kept[digest] = (name, until)
            self._kept.move_to_end(digest)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)

    def _is_good(self, shown: _Shown) -> bool:
        """Return whether slurmrestd lets the token in, and none like it that nobody signed.

        Raises SourceError if it does neither let it in nor turn it away.
        """
        reply = self._reply(shown)
        place = f"{self._address}: verifying a token"
        if reply.status in NOT_LET_IN or _is_refusal(reply):
            return False
        if reply.status != ANSWERED:
            raise refused(reply, place, shown.token, self._clock.now())
        decoded(answer_in(reply, place), place)
        if self._clock.monotonic() >= self._proved_until:
            if self._reply(shown.forged()).status == ANSWERED:
                raise SourceError(f"{self._address}: lets anybody in, so that it proves nothing")
            self._proved_until = self._clock.monotonic() + PROVED_S
        return True

    def _reply(self, shown: _Shown) -> Reply:
        for version in self._versions:
            reply = self._fetch(
                self._address,
                PATH.format(version=version),
                headers(shown.user, shown.token),
                self._timeout_s,
                MOST_ANSWER_BYTES,
            )
            if reply.status != GONE:
                if reply.status == ANSWERED:
                    self._versions = (version,)
                return without(shown.token, reply)
        raise SourceError(f"{self._address}: serves none of {', '.join(self._versions)}")


def _is_refusal(reply: Reply) -> bool:
    # Slurm 22.05 does not tell this from a controller that is away: then neither can we.
    return reply.status == EITHER and b"uthentication" in reply.body


def from_settings(settings: Mapping[str, object]) -> JwtIdentifier:
    """Return it. Settings: `url` or `socket`, `ca_file`, `claim`, `api_version`, `timeout_s`.

    Raises SiteError.
    """
    refuse_unknown(KIND, settings, KEYS)
    return JwtIdentifier(
        address_of(KIND, settings),
        SystemClock(),
        claim=text_of(KIND, settings, "claim") or "sun",
        api_version=version_of(KIND, settings),
        timeout_s=number_of(KIND, settings, "timeout_s", TIMEOUT_S),
    )
