"""`queuecast serve` as a process that looks at a recorded cluster every second."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Any

SITE = """\
[source]
kind = "recording"
path = "{played}"
speed = 60
[recording]
path = "{folder}/recording"
[forecast]
draws = 20
[access]
anonymous = "jobs"
[service]
tcp = false
socket = "{socket}"
interval_s = 1
force = true
stale_after_s = 5
[service.worker]
cpu_s = 2
"""
COMMAND = (sys.executable, "-c", "from predictor.cli import main; main()", "serve", "--site")


class Line(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=5)
        self._path = path

    def connect(self) -> None:
        """Connect to the socket."""
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


class Served:
    """A daemon of one folder, started and killed as often as one likes."""

    def __init__(self, folder: Path, *, socket_name: str = "s") -> None:
        self.folder = folder
        self.socket = folder / socket_name
        self.site = folder / f"{socket_name}.toml"
        played = files("predictor.service") / "demo_recording"
        self.site.write_text(SITE.format(played=played, folder=folder, socket=self.socket))
        self.started_at = 0.0

    @property
    def log(self) -> Path:
        """Where what it says is kept."""
        return self.site.with_suffix(".log")

    def start(self) -> None:
        """Start it; returns at once."""
        self.started_at = time.monotonic()
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*COMMAND, str(self.site)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, "XDG_RUNTIME_DIR": str(self.folder)},
                start_new_session=True,
            )

    def kill(self) -> None:
        """Kill it and whatever it has started; nobody gets a word in."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def ask(self, path: str) -> Any:
        """Return what the API says; None: nothing answers, or there is no answer yet."""
        line = Line(self.socket)
        try:
            line.request("GET", path)
            reply = line.getresponse()
            body = reply.read()
            return json.loads(body) if reply.status == 200 else None
        except (OSError, http.client.HTTPException):
            return None
        finally:
            line.close()

    def events(self) -> list[dict[str, Any]]:
        """Return what the log holds; a line that was cut off by a kill is left out."""
        found = []
        for line in self.log.read_text().splitlines():
            with suppress(ValueError):
                found.append(json.loads(line))
        return found
