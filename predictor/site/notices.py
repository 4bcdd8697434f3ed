"""The table of a site file that says whereto notices may go."""

import re
from ipaddress import ip_address
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from predictor.site.table import Table
from predictor.site.values import Address, SitePath, refuse

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
    port: Annotated[int, Field(ge=1, le=65_535)] = 25
    """Its port."""
    sender: Annotated[str, Field(alias="from")]
    """Whom notices come from."""
    domain: str
    """A user's mail goes to the user's name at this domain, and nowhere else."""

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
