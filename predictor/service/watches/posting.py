"""Posting a notice to a webhook, signed."""

import hmac
import http.client
import ssl
from contextlib import closing
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

from predictor.service.watches.line import Line
from predictor.service.watches.sending import DEADLINE_S, NotSent, read_secret
from predictor.service.watches.watch import Notice
from predictor.service.watches.wording import encoded
from predictor.site.notices import WebhookTable

LEAST_SECRET_BYTES = 16
SIGNATURE = "X-Queuecast-Signature"
AGAIN = frozenset({408, 425, 429})
"""Answers of a webhook, besides 5xx, after which it is tried again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """Posts notices to one address."""

    url: str
    secret: bytes = field(repr=False)
    deadline_s: float = DEADLINE_S
    tls: ssl.SSLContext = field(default_factory=ssl.create_default_context, repr=False)
    """Whom to believe that he is whom the address names; for `https` alone."""

    def __call__(self, notice: Notice) -> None:
        """Post it. Raises NotSent."""
        body = encoded(notice)
        signature = hmac.new(self.secret, body, "sha256").hexdigest()
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "queuecast",
            "Connection": "close",
            SIGNATURE: f"sha256={signature}",
        }
        parts = urlsplit(self.url)
        with Line(self.deadline_s) as line:
            try:
                with closing(self._connection(parts, line)) as connection:
                    connection.request("POST", _target(parts), body, headers)
                    status = connection.getresponse().status
            except (OSError, http.client.HTTPException, ValueError) as error:
                raise NotSent(line.cause(error), again=True) from None
        if not 200 <= status < 300:
            raise NotSent(f"answered {status}", again=status >= 500 or status in AGAIN)

    def _connection(self, parts: SplitResult, line: Line) -> http.client.HTTPConnection:
        host = parts.hostname or ""
        if parts.scheme != "https":
            plain = http.client.HTTPConnection(host, parts.port, timeout=self.deadline_s)
            plain.sock = line.connect(host, plain.port)
            return plain
        secure = http.client.HTTPSConnection(host, parts.port, timeout=self.deadline_s)
        line.connect(host, secure.port)
        secure.sock = line.secure(self.tls, host)
        return secure


def webhook_of(table: WebhookTable) -> Webhook:
    """Return the sender for a webhook. Raises SiteError if there is no good secret."""
    return Webhook(url=table.url, secret=read_secret(table.secret_file, LEAST_SECRET_BYTES))


def _target(parts: SplitResult) -> str:
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
