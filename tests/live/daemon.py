"""`queuecast serve` as a process that watches a private Slurm."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import requests
from live.cluster import ORDINARY_USER, Slurm, free_ports, wait_until

SITE = """\
[recording]
path = "recording"

# Its jobs run up to their limits, and the test knows who comes: nothing is left to be learned.
[forecast]
run_times = "limit"
draws = 0

[access]
anonymous = "jobs"
[service]
port = {port}
interval_s = {interval_s}
force = true
stale_after_s = 10
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Daemon:
    """The daemon of an ordinary user, and how to ask it."""

    url: str
    site: Path
    slurm: Slurm

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Let the ordinary user run a `queuecast` command."""
        return subprocess.run(
            command(*arguments),
            env=self.slurm.environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def answer(self) -> dict[str, Any]:
        """Return what the API says about the waiting jobs."""
        reply = requests.get(f"{self.url}/api/v1/clusters/live/forecasts", timeout=5)
        reply.raise_for_status()
        return reply.json()

    def ready(self) -> bool:
        """Return whether there is a fresh forecast."""
        try:
            return requests.get(f"{self.url}/readyz", timeout=5).ok
        except requests.ConnectionError:
            return False


def command(*arguments: str) -> list[str]:
    """Return a `queuecast` command line that makes its process an ordinary user's."""
    return [
        *("setpriv", "--pdeathsig", "TERM"),
        *("--reuid", ORDINARY_USER, "--regid", "nogroup", "--clear-groups"),
        # Its code may lie where only root can look; to Slurm it is an ordinary user all the same.
        *("--inh-caps", "+dac_override", "--ambient-caps", "+dac_override"),
        *(str(Path(sys.executable).with_name("queuecast")), *arguments),
    ]


@contextmanager
def serving(slurm: Slurm, *, interval_s: int = 3) -> Iterator[Daemon]:
    """Run the daemon; at the end it must stop when asked to, and say that all was well."""
    folder = slurm.root / "queuecast"
    folder.mkdir()
    shutil.chown(folder, ORDINARY_USER)
    (port,) = free_ports(1)
    site = folder / "site.toml"
    site.write_text(SITE.format(port=port, interval_s=interval_s))
    daemon = Daemon(url=f"http://127.0.0.1:{port}", site=site, slurm=slurm)
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command("serve", "--site", str(site)), env=slurm.environment, stdout=log, stderr=log
        )
    try:
        wait_until(daemon.ready, "a first forecast")
        yield daemon
    except TimeoutError as error:
        raise RuntimeError(f"{error}\n{(folder / 'log').read_text()[-3000:]}") from None
    finally:
        process.terminate()
        try:
            code = process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    assert code == 0
