"""Sending one notice, once: to a webhook or to a mail relay, and no longer than a deadline."""

import hmac
import http.client
import smtplib
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import formatdate
from pathlib import Path
from typing import Protocol
from urllib.parse import SplitResult, urlsplit

from predictor.errors import SiteError
from predictor.service.watches.watch import Notice
from predictor.service.watches.wording import encoded, headline, letter
from predictor.site.notices import LOCAL_PART, MailTable, WebhookTable

DEADLINE_S = 10.0
LEAST_SECRET_BYTES = 16
LARGEST_SECRET_BYTES = 4_096
SIGNATURE = "X-Queuecast-Signature"
AGAIN = frozenset({408, 425, 429})
"""Answers of a webhook, besides 5xx, after which it is tried again."""


class NotSent(Exception):
    """A notice did not get there; the message says why, and holds no secret."""

    def __init__(self, cause: str, *, again: bool) -> None:
        self.again = again
        """Whether another attempt may help."""
        super().__init__(cause)


class _Line(Protocol):
    """Something with a connection."""

    sock: socket.socket | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """Posts notices to one address."""

    url: str
    secret: bytes = field(repr=False)
    deadline_s: float = DEADLINE_S

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
        connection = _connection(parts, self.deadline_s)
        try:
            with _cut_off(connection, self.deadline_s):
                connection.request("POST", _target(parts), body, headers)
                status = connection.getresponse().status
        except (OSError, http.client.HTTPException) as error:
            raise NotSent(_cause(error), again=True) from None
        finally:
            connection.close()
        if not 200 <= status < 300:
            raise NotSent(f"answered {status}", again=status >= 500 or status in AGAIN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """Hands notices to a relay, for users at one domain."""

    host: str
    port: int
    sender: str
    domain: str
    deadline_s: float = DEADLINE_S

    def __call__(self, notice: Notice) -> None:
        """Hand it over. Raises NotSent."""
        message = self.message(notice)
        # Our name is given, because smtplib would ask the network for it, and wait.
        ours = self.sender.partition("@")[2]
        relay = smtplib.SMTP(local_hostname=ours, timeout=self.deadline_s)
        try:
            with _cut_off(relay, self.deadline_s):
                relay.connect(self.host, self.port)
                relay.send_message(message)
                with suppress(OSError):
                    relay.quit()
        except smtplib.SMTPRecipientsRefused as error:
            code = max(code for code, _ in error.recipients.values())
            raise NotSent(f"recipient refused: {code}", again=code < 500) from None
        except smtplib.SMTPResponseException as error:
            code = error.smtp_code
            raise NotSent(f"answered {code}", again=not 500 <= code < 600) from None
        except (OSError, smtplib.SMTPException, ValueError) as error:
            raise NotSent(_cause(error), again=True) from None
        finally:
            with suppress(OSError):
                relay.close()

    def message(self, notice: Notice) -> EmailMessage:
        """Return the mail. Raises NotSent for a user whose name is no mailbox."""
        if not has_mailbox(notice.watch.owner):
            raise NotSent("the user's name is no mailbox", again=False)
        message = EmailMessage()
        message["From"] = f"queuecast <{self.sender}>"
        message["To"] = f"{notice.watch.owner}@{self.domain}"
        # What looks like an encoded word would be decoded, line ends and all. Source: RFC 2047.
        message["Subject"] = headline(notice).replace("=?", "= ?")
        message["Date"] = formatdate(notice.at)
        message["Message-ID"] = f"<{notice.id}@{self.domain}>"
        # So that no program answers that somebody is on holiday. Source: RFC 3834, section 5.
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(letter(notice))
        return message


Send = Callable[[Notice], None]


def has_mailbox(user: str) -> bool:
    """Return whether a user's name may stand before the @ of an address."""
    return LOCAL_PART.fullmatch(user) is not None


def webhook_of(table: WebhookTable) -> Webhook:
    """Return the sender for a webhook. Raises SiteError if there is no good secret."""
    return Webhook(url=table.url, secret=_secret(table.secret_file))


def mail_of(table: MailTable) -> Mail:
    """Return the sender for a relay."""
    return Mail(host=table.host, port=table.port, sender=table.sender, domain=table.domain)


def _secret(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            secret = opened.read(LARGEST_SECRET_BYTES + 1).strip()
    except OSError as error:
        raise SiteError(f"{file}: {error.strerror}") from error
    if not LEAST_SECRET_BYTES <= len(secret) <= LARGEST_SECRET_BYTES:
        bounds = f"{LEAST_SECRET_BYTES} to {LARGEST_SECRET_BYTES}"
        raise SiteError(f"{file}: expected a secret of {bounds} bytes, not {len(secret)}")
    return secret


def _connection(parts: SplitResult, timeout_s: float) -> http.client.HTTPConnection:
    host = parts.hostname or ""
    if parts.scheme == "https":
        context = ssl.create_default_context()
        return http.client.HTTPSConnection(host, parts.port, timeout=timeout_s, context=context)
    return http.client.HTTPConnection(host, parts.port, timeout=timeout_s)


def _target(parts: SplitResult) -> str:
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _cause(error: Exception) -> str:
    return getattr(error, "strerror", None) or type(error).__name__


@contextmanager
def _cut_off(line: _Line, deadline_s: float) -> Iterator[None]:
    """Break the connection after so long: its own timeout begins anew with every byte."""

    def cut() -> None:
        with suppress(OSError, AttributeError):
            if line.sock is not None:
                line.sock.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(deadline_s, cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
