"""`queuecast serve`: the daemon."""

import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
from pydantic import ValidationError

from predictor.cli.meeting import SOCKET, is_answered, runtime_socket
from predictor.clock import SystemClock
from predictor.errors import RecordingInUse, SiteError, StorageError
from predictor.service.logs import write_logs_to_stderr
from predictor.service.means import USUAL
from predictor.service.running import run
from predictor.service.sources import make_source
from predictor.site import Site, default, load
from predictor.site.complaints import causes
from predictor.site.model import LONGEST_INTERVAL_S, SHORTEST_INTERVAL_S, ServiceTable

ELSEWHERE = "a site file, --site FILE, names another place: path in [recording]"
"""What helps who may not write where recordings go without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrides:
    """Options that win over the site file; None: the file's value holds."""

    host: str | None
    port: int | None
    interval_s: int | None
    more_hosts: tuple[str, ...] = ()
    """Added to the file's `allowed_hosts`."""
    socket: Path | None = None
    """Where it answers too, unless the file says where; None: nowhere."""

    def applied(self, site: Site) -> Site:
        """Return the site with these values. Raises SiteError."""
        given: dict[str, Any] = {
            key: value
            for key in ("host", "port", "interval_s")
            if (value := getattr(self, key)) is not None
        }
        given["socket"] = site.service.socket or self.socket
        given["allowed_hosts"] = (*site.service.allowed_hosts, *self.more_hosts)
        try:
            service = ServiceTable.model_validate({**dict(site.service), **given})
        except ValidationError as error:
            raise SiteError("; ".join(causes(error, ServiceTable))) from None
        return site.model_copy(update={"service": service})


@click.command()
@click.option("--site", "file", type=click.Path(path_type=Path), help="The site file (TOML).")
@click.option("--host", help="The address to answer on, instead of the file's.")
@click.option("--port", type=click.IntRange(0, 65_535), help="The port; 0: any free one.")
@click.option(
    "--interval",
    type=click.IntRange(SHORTEST_INTERVAL_S, LONGEST_INTERVAL_S),
    help="Seconds between looks at the cluster; fewer than 10 only by a site file.",
)
@click.option("--allow-host", multiple=True, help="A further name by which it may be called.")
def serve(
    file: Path | None,
    host: str | None,
    port: int | None,
    interval: int | None,
    allow_host: tuple[str, ...],
) -> None:
    """Look at the cluster every minute, forecast, and answer.

    It answers by pages, an API and metrics. Ends at SIGTERM or Ctrl-C; reads the site file again at
    SIGHUP. Logs are JSON lines on standard error.
    """
    overrides = Overrides(
        host=host, port=port, interval_s=interval, more_hosts=allow_host, socket=_free_socket()
    )

    def read() -> Site:
        return overrides.applied(default() if file is None else load(file))

    write_logs_to_stderr()
    try:
        run(
            read(),
            reread=read,
            connect=partial(make_source, file=file),
            means=USUAL,
            clock=SystemClock(),
            announce=lambda address: None,
        )
    except StorageError as error:
        if file is not None or isinstance(error, RecordingInUse):
            raise
        raise StorageError(f"{error}; {ELSEWHERE}") from error


def _free_socket() -> Path | None:
    """Return where this account's daemon has its socket, if no other one has it already."""
    given = os.environ.get("RUNTIME_DIRECTORY")  # by systemd
    path = Path(given, SOCKET) if given else runtime_socket(os.geteuid(), os.environ)
    if path is None or is_answered(path):
        return None
    try:
        path.parent.mkdir(mode=0o755, exist_ok=True)
    except OSError:
        return None
    return path if os.access(path.parent, os.W_OK) else None
