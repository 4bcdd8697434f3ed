"""The Slurm of the live tests itself: without it, nothing the others say counts."""

import time

import pytest

pytestmark = pytest.mark.live


def test_an_ordinary_users_job_starts_within_seconds(slurm):
    job = slurm.submit("-t", "1", "-p", "cores", "-n", "1", seconds=1)
    deadline = time.monotonic() + 15
    while job not in slurm.starts() and time.monotonic() < deadline:
        time.sleep(0.2)
    assert abs(slurm.starts()[job] - time.time()) < 15
