"""The mark of a configuration: the same for all who see the same."""

import os
import subprocess
import sys

SCRIPT = """
from predictor.domain import Provenance, Qos, QosFlag, Snapshot

qos = Qos(name="q", flags=frozenset(QosFlag))
print(Snapshot(cluster="c", taken_at=0, provenance=Provenance(source="t"), qos=(qos,)).fingerprint)
"""


def told_with(seed):
    """Return the fingerprint that a process tells in which sets have the order of this seed."""
    command = [sys.executable, "-c", SCRIPT]
    environment = os.environ | {
        "PYTHONHASHSEED": str(seed),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    return subprocess.run(command, env=environment, capture_output=True, check=True).stdout


def test_every_process_tells_the_same():
    assert told_with(1) == told_with(2) != b""
