"""Asking a private Slurm as the collectors ask."""

import os
import subprocess
import time
from collections.abc import Sequence

from live.cluster import Slurm

from collectors.commands import Printed, environment


def asked(slurm: Slurm, argv: Sequence[str], timeout_s: float) -> Printed:
    """Run a command as `collectors.commands` would, on that Slurm."""
    begun = time.monotonic()
    ran = subprocess.run(
        argv,
        env=environment({**os.environ, **slurm.environment}),
        capture_output=True,
        timeout=timeout_s,
        check=False,
    )
    return Printed(
        output=ran.stdout.decode(errors="replace"),
        complaint=ran.stderr.decode(errors="replace"),
        exit_code=ran.returncode,
        duration_s=time.monotonic() - begun,
        size_bytes=len(ran.stdout),
    )
