"""The table of a site file that says who may see what."""

from collections.abc import Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, field_validator

from predictor.domain.identifier import IDENTIFIERS
from predictor.installed import kinds
from predictor.site.table import Table
from predictor.site.values import Name, SitePath, refuse

LOCAL = "local:"
ORIGIN = r"^https?://[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250})(?::[0-9]{1,5})?$"
PrivateKind = Literal[
    "accounts", "events", "jobs", "nodes", "partitions", "reservations", "usage", "users"
]


class AskTable(Table):
    """Who verifies credentials of the batch system. All keys but `kind` go there as they are."""

    model_config = ConfigDict(extra="allow")

    kind: str
    """Any identifier that is installed."""

    @field_validator("kind")
    @classmethod
    def _installed(cls, kind: str) -> str:
        known = list(kinds(IDENTIFIERS))
        if kind not in known:
            raise refuse(f"an installed identifier: {', '.join(known)}", kind, known)
        return kind

    @property
    def settings(self) -> Mapping[str, object]:
        """Return what it is made from: every key but `kind`."""
        return dict(self.model_extra or {})


class AccessTable(Table):
    """Who may see what. What the batch system keeps private between users stays so."""

    anonymous: Literal["counts", "jobs"] = "counts"
    """What those see of whom we do not know who they are."""
    loopback_users: bool = True
    """Whether who connects from this machine is taken for the owner of the connection."""
    operators: Annotated[tuple[Name, ...], Field(strict=False)] = ()
    """The users who see everything; root and the daemon's own account do so by the socket."""
    proxies: Annotated[tuple[str, ...], Field(strict=False)] = ()
    """Whose word is taken for who asks: addresses or networks elsewhere, or `local:ACCOUNT` for
    what that account of this machine connects with."""
    proxy_header: Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9-]{0,63}$")] = "X-Remote-User"
    """The header in which they tell the user."""
    tokens: SitePath | None = None
    """A file with the hashes of tokens for programs."""
    private: Annotated[tuple[PrivateKind, ...] | None, Field(strict=False)] = None
    """What is private between users; unset: what the batch system tells."""
    frame_ancestors: Annotated[
        tuple[Annotated[str, Field(pattern=ORIGIN, max_length=260)], ...], Field(strict=False)
    ] = ()
    """The origins of other pages in which ours may stand: `https://ondemand.example.org`."""
    ask: AskTable | None = None
    """Who verifies credentials of the batch system itself; unset: none are taken."""

    @field_validator("proxies")
    @classmethod
    def _addresses(cls, proxies: tuple[str, ...]) -> tuple[str, ...]:
        for one in proxies:
            if not one.startswith(LOCAL):
                try:
                    here = ip_network(one).is_loopback
                except ValueError:
                    raise refuse('an address, a network or "local:ACCOUNT"', one) from None
                if here:
                    raise refuse('"local:ACCOUNT", for on this machine anybody may connect', one)
        return proxies

    @property
    def networks(self) -> tuple[IPv4Network | IPv6Network, ...]:
        """Return from where listed proxies connect."""
        return tuple(ip_network(one) for one in self.proxies if not one.startswith(LOCAL))

    @property
    def local_proxies(self) -> frozenset[str]:
        """Return the accounts of listed proxies on this machine."""
        return frozenset(one.removeprefix(LOCAL) for one in self.proxies if one.startswith(LOCAL))
