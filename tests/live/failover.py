"""A second controller on the same machine, which takes over when the first one dies."""

import socket
import subprocess
from dataclasses import replace

import pytest
from live.cluster import Slurm, wait_until
from live.layout import OVERLAPPING, Layout

SPARE = "spare"
PROGRAMS = ("unshare", "mount", "hostname")
APART = ("unshare", "--uts", "--mount")
# It goes by a name of its own, knows it, and does not share the file with the first one's number.
START = """\
set -e
hostname {spare}
mkdir {root}/spare
chown slurm {root}/spare
(echo 127.0.0.2 {spare}; cat /etc/hosts) > {root}/hosts
mount --bind {root}/hosts /etc/hosts
mount --bind {root}/spare {root}/log
exec setpriv --reuid slurm --regid slurm --clear-groups --pdeathsig KILL slurmctld -D
"""


def two_controllers() -> Layout:
    """Return the usual cluster with two controllers. Skips the test where they cannot run."""
    if subprocess.run([*APART, "true"], check=False, capture_output=True).returncode:
        pytest.skip("no second controller: unshare is not permitted here")
    here = socket.gethostname().partition(".")[0]
    if socket.gethostbyname(here) != "127.0.0.1":
        pytest.skip(f"no second controller: {here} is not 127.0.0.1")
    return replace(
        OVERLAPPING,
        controllers=(f"{here}(127.0.0.1)", f"{SPARE}(127.0.0.2)"),
        settings=(*OVERLAPPING.settings, "SlurmctldTimeout=3"),
    )


def start_spare(slurm: Slurm) -> None:
    """Start the second controller and return once it stands by."""
    script = START.format(root=slurm.root, spare=SPARE)
    slurm.spawn(SPARE, *APART, "sh", "-c", script)
    output = slurm.root / "log" / f"{SPARE}.out"
    wait_until(lambda: "background mode" in output.read_text(), "the second controller")
