"""Handing a notice to a mail relay: in the clear or by TLS, with a login or without."""

import smtplib
import socket
import ssl
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import formatdate
from pathlib import Path

from predictor.errors import SiteError
from predictor.service.watches.line import Line
from predictor.service.watches.sending import DEADLINE_S, NotSent, read_secret
from predictor.service.watches.watch import Notice
from predictor.service.watches.wording import headline, letter
from predictor.site.notices import LOCAL_PART, MailTable

READY = 220
"""What a relay answers that goes on. Source: RFC 5321, 4.2.3; RFC 3207, 4."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """Who we are to a relay."""

    user: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """Hands notices to a relay, for users at one domain."""

    host: str
    port: int
    sender: str
    domain: str
    tls: ssl.SSLContext | None = field(default=None, repr=False)
    """Whom to believe that he is the relay; None: all is said in the clear."""
    starttls: bool = False
    """Whether TLS begins after the greeting; else before it."""
    login: Login | None = None
    deadline_s: float = DEADLINE_S

    def __call__(self, notice: Notice) -> None:
        """Hand it over. Raises NotSent."""
        message = self.message(notice)
        with Line(self.deadline_s) as line, ExitStack() as held:
            try:
                self._hand_over(message, self._greeted(line, held))
            except smtplib.SMTPRecipientsRefused as error:
                code = max(code for code, _ in error.recipients.values())
                raise NotSent(f"recipient refused: {code}", again=code < 500) from None
            except smtplib.SMTPAuthenticationError as error:
                raise _answered("login refused:", error.smtp_code) from None
            except smtplib.SMTPResponseException as error:
                raise _answered("answered", error.smtp_code) from None
            except (OSError, smtplib.SMTPException, ValueError) as error:
                raise NotSent(line.cause(error), again=True) from None

    def _hand_over(self, message: EmailMessage, relay: smtplib.SMTP) -> None:
        if self.login is not None:
            relay.ehlo_or_helo_if_needed()
            if not relay.has_extn("auth"):
                raise NotSent("the relay takes no login", again=True)
            relay.login(self.login.user, self.login.password)
        relay.send_message(message)
        with suppress(OSError, smtplib.SMTPException):
            relay.quit()

    def _greeted(self, line: Line, held: ExitStack) -> smtplib.SMTP:
        """Return the relay, ready for what is wanted of it. Raises NotSent, OSError."""
        relay = self._relay(line.connect(self.host, self.port), held)
        if self.tls is not None and not self.starttls:
            relay.sock = line.secure(self.tls, self.host)
        code, _ = relay.getreply()
        if code != READY:
            raise _answered("answered", code)
        if self.tls is None or not self.starttls:
            return relay
        relay.ehlo_or_helo_if_needed()
        code = relay.docmd("STARTTLS")[0] if relay.has_extn("starttls") else 0
        if code != READY:
            raise NotSent("the relay offers no TLS", again=True)
        # Another one: nothing is believed of what was said in the clear.
        return self._relay(line.secure(self.tls, self.host), held)

    def _relay(self, sock: socket.socket, held: ExitStack) -> smtplib.SMTP:
        # Our name is given, because smtplib would ask the network for it, and wait.
        ours = self.sender.partition("@")[2]
        relay = smtplib.SMTP(local_hostname=ours, timeout=self.deadline_s)
        relay.sock = sock
        held.callback(_close, relay)
        return relay

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


def has_mailbox(user: str) -> bool:
    """Return whether a user's name may stand before the @ of an address."""
    return LOCAL_PART.fullmatch(user) is not None


def mail_of(table: MailTable) -> Mail:
    """Return the sender for a relay. Raises SiteError: password or authorities cannot be read."""
    return Mail(
        host=table.host,
        port=table.its_port,
        sender=table.sender,
        domain=table.domain,
        tls=None if table.tls == "none" else _believing(table.ca_file),
        starttls=table.tls == "starttls",
        login=_login(table),
    )


def _believing(ca_file: Path | None) -> ssl.SSLContext:
    """Return a context that takes certificates of the machine's authorities, or the file's only."""
    try:
        return ssl.create_default_context(cafile=None if ca_file is None else str(ca_file))
    except ssl.SSLError as error:
        raise SiteError(f"{ca_file}: expected certificates in PEM") from error
    except OSError as error:
        raise SiteError(f"{ca_file}: {error.strerror}") from error


def _login(table: MailTable) -> Login | None:
    if table.user is None or table.password_file is None:
        return None
    password = read_secret(table.password_file, least=1)
    if not all(0x20 <= each < 0x7F for each in password):
        raise SiteError(f"{table.password_file}: expected one line of printable ASCII")
    return Login(user=table.user, password=password.decode("ascii"))


def _answered(what: str, code: int) -> NotSent:
    return NotSent(f"{what} {code}", again=not 500 <= code < 600)


def _close(relay: smtplib.SMTP) -> None:
    with suppress(OSError):
        relay.close()
