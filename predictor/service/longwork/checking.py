"""Looking at a slurm.conf that is proposed: one at a time, and not for long."""

import json
import subprocess
import tempfile
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

from predictor.cli.terminal import plain
from predictor.domain import Snapshot
from predictor.lml import write
from predictor.service.longwork.underling import hired
from predictor.service.problems import Refused

CPU_S, DEADLINE_S = 20, 30
MEMORY_BYTES = 2 * 2**30
NAME, SEEN = "slurm.conf", "seen.lml"
LONGEST_CAUSE = 300


class Checking:
    """Has our own command look at it."""

    def __init__(self) -> None:
        self._turn = threading.Lock()

    def __call__(self, text: str, running: Snapshot | None) -> dict[str, Any]:
        """Return which settings are replicated, which not, and what they would change.

        `running` is the cluster as it was last seen; None: it was not yet, so that is not told.
        Raises Refused: 422 for what is none, 503 where another is looked at or it takes too long.
        """
        if not self._turn.acquire(blocking=False):
            raise Refused(503, "another one is looked at", {"Retry-After": "5"})
        try:
            return _covered(text, running)
        finally:
            self._turn.release()


def _covered(text: str, running: Snapshot | None) -> dict[str, Any]:
    against = () if running is None else ("--against", SEEN)
    command = ("config", "coverage", "--slurm-conf", NAME, *against, "--json")
    words, environment = hired(CPU_S, MEMORY_BYTES, command)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / NAME).write_text(text, encoding="utf-8", errors="replace")
        if running is not None:
            (Path(folder) / SEEN).write_bytes(write(_without_jobs(running)))
        try:
            done = subprocess.run(
                words,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                cwd=folder,
                env=environment,
                timeout=DEADLINE_S,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise Refused(503, f"not done within {DEADLINE_S} s", {"Retry-After": "60"}) from error
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines() or ["it cannot be read"]
        raise Refused(422, plain(lines[-1], LONGEST_CAUSE))
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def _without_jobs(snapshot: Snapshot) -> Snapshot:
    return replace(snapshot, pending=(), running=(), finished=())
