"""A live Slurm, looked at through slurmrestd and, where allowed, completed by Slurm's commands."""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from collectors import commands
from collectors.commands import Printed, Run
from collectors.here import own_account
from collectors.settings import number_of, path_of, refuse_unknown, text_of, truth_of
from collectors.slurm import questions
from collectors.slurm.rest import plan
from collectors.slurm.rest.client import METHOD, Client
from collectors.slurm.rest.connection import ANYBODY, Address
from collectors.slurm.rest.credentials import Credentials
from collectors.slurm.source import PAST_S, SLOW_EVERY_S, SlurmSource
from collectors.slurm.survey import DEADLINE_S
from predictor.clock import SystemClock
from predictor.errors import SiteError

KIND = "slurm-rest"
KEYS = frozenset(
    {
        "api_version",
        "ca_file",
        "deadline_s",
        "commands",
        "past_s",
        "slow_every_s",
        "socket",
        "timeout_s",
        "token_file",
        "url",
        "user",
    }
)
"""What the source can be told in a site file."""
TOKEN_VARIABLE = "SLURM_JWT"  # noqa: S105
NOT_ALLOWED = "not asked: the site says commands = false"
WITHOUT_COMMANDS: Mapping[str, str] = {
    question.name: NOT_ALLOWED
    for question in (
        *(command for _, command in plan.INSTEAD),
        *plan.ONLY_BY_COMMAND,
        questions.TOPOLOGY,
    )
}
"""Why no command tells, by its question's name."""

_URL = re.compile(r"https?://[^/?#@\s]+(?:/[^?#\s]*)?")
_VERSION = re.compile(r"v0\.0\.\d{2,3}")


def from_settings(settings: Mapping[str, object]) -> SlurmSource:
    """Return the source. Raises SiteError.

    Settings: `url` or `socket`, `ca_file` for https; `user`, `token_file` (else the environment's
    SLURM_JWT, if any); `api_version` to keep to one; `commands`: whether Slurm's own complete what
    slurmrestd does not tell; and those of `slurm-cli`, of which `past_s` needs commands.
    """
    refuse_unknown(KIND, settings, KEYS)
    allowed = truth_of(KIND, settings, "commands", True)
    user = text_of(KIND, settings, "user") or own_account()
    clock = SystemClock()
    client = Client(
        address_of(KIND, settings),
        _credentials(settings, user),
        clock,
        api_version=version_of(KIND, settings),
    )
    return SlurmSource(
        with_commands(client.run, commands.run) if allowed else client.run,
        clock,
        account=user,
        kind=KIND,
        plan=plan.with_commands if allowed else plan.alone,
        timeout_s=number_of(KIND, settings, "timeout_s", commands.TIMEOUT_S),
        deadline_s=number_of(KIND, settings, "deadline_s", DEADLINE_S),
        slow_every_s=number_of(KIND, settings, "slow_every_s", SLOW_EVERY_S),
        past_s=_past_s(settings, allowed),
        unasked={} if allowed else WITHOUT_COMMANDS,
    )


def with_commands(ask: Run, run: Run) -> Run:
    """Return what asks slurmrestd for a GET and runs everything else."""

    def either(argv: Sequence[str], timeout_s: float) -> Printed:
        return (ask if argv[0] == METHOD else run)(argv, timeout_s)

    return either


def _past_s(settings: Mapping[str, object], allowed: bool) -> float:
    """Return from how far back ended jobs are asked for: by a command, so 0 without any."""
    past_s = number_of(KIND, settings, "past_s", PAST_S if allowed else 0, or_none=True)
    if past_s and not allowed:
        raise SiteError(f'source "{KIND}": past_s needs commands = true')
    return past_s


def address_of(kind: str, settings: Mapping[str, object]) -> Address:
    """Return where slurmrestd answers: its `url` or `socket`, and `ca_file`. Raises SiteError."""
    url, socket = text_of(kind, settings, "url"), path_of(kind, settings, "socket")
    if bool(url) is bool(socket):
        raise SiteError(f'source "{kind}": expected url = "http://..." or socket = "FILE"')
    if url and not _URL.fullmatch(url):
        raise SiteError(f'source "{kind}": url: expected http://HOST:PORT, got {url!r}')
    return Address(
        url=(url or ANYBODY).rstrip("/"),
        socket=_file(socket),
        ca_file=_file(path_of(kind, settings, "ca_file")),
    )


def _file(path: str | None) -> Path | None:
    return Path(path) if path else None


def _credentials(settings: Mapping[str, object], user: str) -> Credentials:
    file = _file(path_of(KIND, settings, "token_file"))
    return Credentials(user=user, token_file=file, token=os.environ.get(TOKEN_VARIABLE, ""))


def version_of(kind: str, settings: Mapping[str, object]) -> str:
    """Return the version of the API to keep to; empty: any. Raises SiteError."""
    version = text_of(kind, settings, "api_version")
    if version and not _VERSION.fullmatch(version):
        raise SiteError(f'source "{kind}": api_version: expected v0.0.42 or alike, got {version!r}')
    return version
