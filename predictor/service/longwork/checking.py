"""Looking at a slurm.conf that is proposed: one at a time, and not for long."""

import json
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any

from predictor.cli.terminal import plain
from predictor.service.longwork.underling import hired
from predictor.service.problems import Refused

CPU_S, DEADLINE_S = 20, 30
MEMORY_BYTES = 2 * 2**30
NAME = "slurm.conf"
LONGEST_CAUSE = 300


class Checking:
    """Has our own command look at it."""

    def __init__(self) -> None:
        self._turn = threading.Lock()

    def __call__(self, text: str) -> dict[str, Any]:
        """Return which settings are replicated, and which not.

        Raises Refused: 422 for what is none, 503 where another is looked at or it takes too long.
        """
        if not self._turn.acquire(blocking=False):
            raise Refused(503, "another one is looked at", {"Retry-After": "5"})
        try:
            return _covered(text)
        finally:
            self._turn.release()


def _covered(text: str) -> dict[str, Any]:
    command = ("config", "coverage", "--slurm-conf", NAME, "--json")
    words, environment = hired(CPU_S, MEMORY_BYTES, command)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / NAME).write_text(text, encoding="utf-8", errors="replace")
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
