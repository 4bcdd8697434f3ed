"""`queuecast demo`: the daemon on an embedded recording, played as if it happened now."""

import logging
import shutil
import sys
from importlib.resources import as_file, files
from math import isnan
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from predictor.clock import SystemClock
from predictor.service.logs import write_logs_to_stderr
from predictor.service.means import USUAL
from predictor.service.running import run
from predictor.service.sources import make_source
from predictor.site import Site

PERIOD_S = 60
"""The recording has a snapshot each minute."""


@click.command()
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8642,
    show_default=True,
    help="The port; 0: any free one.",
)
@click.option(
    "--speed",
    type=click.FloatRange(0.1, 60),
    default=1.0,
    show_default=True,
    help="How many recorded minutes pass in a minute.",
)
def demo(port: int, speed: float) -> None:
    """Show queuecast at work on a recorded cluster, until Ctrl-C."""
    if isnan(speed):
        raise click.BadParameter("expected a number", param_hint="--speed")
    write_logs_to_stderr(logging.WARNING)
    embedded = files("predictor.service") / "demo_recording"
    with as_file(embedded) as recording, TemporaryDirectory(prefix="queuecast-demo-") as folder:
        run(
            _site(recording, Path(folder) / "recording", port, speed),
            reread=None,
            connect=make_source,
            means=USUAL,
            clock=SystemClock(),
            announce=_announce,
        )


def _site(recording: Path, own: Path, port: int, speed: float) -> Site:
    return Site.model_validate(
        {
            "source": {"kind": "recording", "path": str(recording), "speed": speed},
            "recording": {"path": str(own)},
            "access": {"anonymous": "jobs"},
            "service": {"port": port, "interval_s": max(1, round(PERIOD_S / speed)), "force": True},
        }
    )


def _announce(address: str) -> None:
    click.echo(f"""\
A real cluster's queue, recorded and played as if it happened now. Ctrl-C ends it.

  page      {address}/
  answers   {_own_command()} when --url {address}
            curl {address}/api/v1/clusters
  metrics   {address}/metrics
""")


def _own_command() -> str:
    """Return how a shell finds this command: by its name, or in the environment it stands in."""
    own = Path(sys.argv[0]).absolute()
    return "queuecast" if shutil.which("queuecast") or not own.is_file() else str(own)
