"""What a live test does where there is no Slurm."""

import os

import pytest
from live.cluster import missing


def needs(*programs: str) -> None:
    """Skip the test if a private Slurm, or one of the `programs`, cannot be run; fail it in CI."""
    if lack := missing(*programs):
        (pytest.fail if os.environ.get("QUEUECAST_REQUIRE_LIVE") else pytest.skip)(lack)
