"""The table of a site file that says whereto notices may go."""

import re
from ipaddress import ip_address
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator, model_validator

from predictor.site.table import Table
from predictor.site.values import Address, SitePath, refuse

PORTS = {"none": 25, "starttls": 587, "implicit": 465}
"""Where relays listen. Source: RFC 5321, RFC 6409, RFC 8314."""
LONGEST_URL = 2_048
NAME = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$"
DOMAIN = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?")
LOCAL_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+-]{0,63}")


class WebhookTable(Table):
    """An address that notices may be sent to; users choose it by its name."""

    name: Annotated[str, Field(pattern=NAME)]
    """By which users choose it."""
    url: Annotated[str, Field(max_length=LONGEST_URL)]
    """Where notices are posted: `https://…`, or `http://…` to a loopback address."""
    secret_file: SitePath
    """A file with the secret by which each notice is signed."""

    @field_validator("url")
    @classmethod
    def _safe(cls, url: str) -> str:
        if not _is_safe(url):
            raise refuse('"https://…" without a user, or "http://…" to a loopback address', url)
        return url


class MailTable(Table):
    """The relay that takes notices as mail."""

    host: Address
    """The relay's name or address."""
    port: Annotated[int, Field(ge=1, le=65_535)] | None = None
    """Its port; unset: 25, with `starttls` 587, with `implicit` 465."""
    tls: Literal["none", "starttls", "implicit"] = "none"
    """Whether what is said is encrypted: not at all, after the greeting, or from the beginning."""
    ca_file: SitePath | None = None
    """The authorities whose certificates are taken; unset: the machine's."""
    user: Annotated[str, Field(pattern=r"^[!-~]{1,256}$")] | None = None
    """Who logs in there; unset: nobody."""
    password_file: SitePath | None = None
    """A file with the user's password, such as a credential of systemd's."""
    sender: Annotated[str, Field(alias="from")]
    """Whom notices come from."""
    domain: str
    """A user's mail goes to the user's name at this domain, and nowhere else."""

    @property
    def its_port(self) -> int:
        """The port, said or not."""
        return PORTS[self.tls] if self.port is None else self.port

    @model_validator(mode="after")
    def _is_whole(self) -> "MailTable":
        if (self.user is None) != (self.password_file is None):
            raise refuse("user and password_file, both or neither", self.user)
        if self.user is not None and self.tls == "none" and not _is_loopback(self.host):
            raise refuse('tls = "starttls" or "implicit", where a password is sent', self.tls)
        if self.ca_file is not None and self.tls == "none":
            raise refuse('tls = "starttls" or "implicit", where authorities are named', self.tls)
        return self

    @field_validator("sender")
    @classmethod
    def _mailbox(cls, sender: str) -> str:
        local, _, domain = sender.partition("@")
        if not (LOCAL_PART.fullmatch(local) and DOMAIN.fullmatch(domain)):
            raise refuse('an address like "queuecast@hpc.example"', sender)
        return sender

    @field_validator("domain")
    @classmethod
    def _domain(cls, domain: str) -> str:
        if not DOMAIN.fullmatch(domain):
            raise refuse('a domain like "hpc.example"', domain)
        return domain


class NoticesTable(Table):
    """Whereto users may have themselves told of their jobs; unset: nowhere."""

    webhooks: Annotated[tuple[WebhookTable, ...], Field(strict=False)] = ()
    mail: MailTable | None = None


def _is_safe(url: str) -> bool:
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return False
    if not host or parts.username is not None or not (url.isascii() and url.isprintable()):
        return False
    if " " in url or parts.fragment:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(host))


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
