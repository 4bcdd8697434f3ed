"""A slurmrestd beside a private Slurm, on a Unix socket and on loopback, with tokens."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from live.accounts import start_accounting
from live.asking import asked
from live.cluster import ORDINARY_USER, Slurm, free_ports, running, wait_until
from live.layout import OVERLAPPING, Layout

from collectors.slurm.rest import plan
from collectors.slurm.rest.client import Client
from collectors.slurm.rest.connection import Address
from collectors.slurm.rest.credentials import Credentials
from collectors.slurm.rest.source import KIND, WITHOUT_COMMANDS, with_commands
from collectors.slurm.source import SlurmSource
from predictor.clock import SystemClock
from predictor.errors import SourceError

PROGRAMS = ("slurmrestd", "slurmdbd", "mariadbd", "mariadb", "mariadb-install-db")
BY_TOKEN, BY_SOCKET = "rest_auth/jwt", "rest_auth/local"
"""How slurmrestd knows who asks: by a token, or as the owner of the connection."""
TOKENS = "AuthAltTypes=auth/jwt\nAuthAltParameters=jwt_key={root}/jwt.key\n"
WITH_TOKENS = replace(
    OVERLAPPING,
    nodes={name: f"{has} Feature=x,y MemSpecLimit=500" for name, has in OVERLAPPING.nodes.items()},
    settings=(
        *OVERLAPPING.settings,
        "Licenses=matlab:10",
        "AccountingStorageEnforce=associations",
        TOKENS,
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """A running slurmrestd, and how to ask it."""

    slurm: Slurm
    socket: Path
    port: int
    plugins: str = ""
    auth: str = BY_TOKEN
    daemon: str = "slurmrestd"

    @property
    def addresses(self) -> tuple[Address, Address]:
        """Where it answers: the socket, and loopback."""
        return Address(socket=self.socket), Address(url=f"http://127.0.0.1:{self.port}")

    def token(self, *, seconds: int = 600, user: str = ORDINARY_USER) -> str:
        """Return a new token of a user, good for so many seconds."""
        printed = self.slurm.run("scontrol", "token", f"lifespan={seconds}", f"username={user}")
        return printed.strip().partition("=")[2]

    def client(self, token: str, address: Address | None = None) -> Client:
        """Return a client that asks as an ordinary user."""
        credentials = Credentials(user=ORDINARY_USER, token=token)
        return Client(address or self.addresses[0], credentials, SystemClock())

    def source(
        self, token: str = "", *, commands: bool = True, timeout_s: float = 20
    ) -> SlurmSource:
        """Return the source as an ordinary user has it."""
        client = self.client(token or self.token())
        return SlurmSource(
            with_commands(client.run, partial(asked, self.slurm)) if commands else client.run,
            SystemClock(),
            account=ORDINARY_USER,
            kind=KIND,
            plan=plan.with_commands if commands else plan.alone,
            timeout_s=timeout_s,
            unasked={} if commands else WITHOUT_COMMANDS,
        )

    def start(self, *variables: str) -> None:
        """Start slurmrestd with these variables in its environment; returns once it answers."""
        self.socket.unlink(missing_ok=True)
        self.slurm.spawn(
            self.daemon,
            *("env", *(("SLURM_JWT=daemon",) if self.auth == BY_TOKEN else ()), *variables),
            *("slurmrestd", "-a", self.auth),
            *(("-s", self.plugins) if self.plugins else ()),
            *(f"unix:{self.socket}", f"127.0.0.1:{self.port}"),
            user=ORDINARY_USER,
        )
        wait_until(self._answers, "slurmrestd")

    def _answers(self) -> bool:
        try:
            token = self.token() if self.auth == BY_TOKEN else ""
            return bool(self.client(token).run(("GET", "openapi.json"), 5).output)
        except SourceError:
            return False


def make_key(slurm: Slurm) -> None:
    """Make the key by which tokens are signed."""
    key = slurm.root / "jwt.key"
    key.touch(mode=0o600)
    key.write_bytes(os.urandom(32))
    shutil.chown(key, "slurm")


def start_with_key(slurm: Slurm, *, told: tuple[str, ...]) -> None:
    """Make the key, then start accounting."""
    make_key(slurm)
    start_accounting(slurm, told, also=TOKENS.format(root=slurm.root))


@contextmanager
def serving_rest(told: tuple[str, ...] = (), layout: Layout = WITH_TOKENS) -> Iterator[Rest]:
    """Run a Slurm with accounting, in which `sacctmgr` did what it was `told`, and slurmrestd."""
    with (
        running(layout, partial(start_with_key, told=told)) as slurm,
        serving_beside(slurm) as rest,
    ):
        yield rest


@contextmanager
def serving_beside(
    slurm: Slurm,
    variables: tuple[str, ...] = (),
    *,
    plugins: str = "",
    auth: str = BY_TOKEN,
    daemon: str = "slurmrestd",
) -> Iterator[Rest]:
    """Run slurmrestd beside a Slurm, with variables in its environment.

    `plugins` are those it loads; empty: all. `daemon` is the name it goes by in the Slurm.
    """
    with tempfile.TemporaryDirectory(prefix="queuecast-rest-") as folder:
        shutil.chown(folder, ORDINARY_USER)
        (port,) = free_ports(1)
        rest = Rest(
            slurm=slurm,
            socket=Path(folder) / "socket",
            port=port,
            plugins=plugins,
            auth=auth,
            daemon=daemon,
        )
        rest.start(*variables)
        try:
            yield rest
        finally:
            slurm.stop(daemon)
