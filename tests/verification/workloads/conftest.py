"""Small workloads."""

from pathlib import Path

import pytest

from verification.workloads.seen import Seen, Workload, read_workload

MONDAY = 345_600
"""The first Monday of epochs, at midnight."""


@pytest.fixture(scope="session")
def real() -> Workload:
    """The first 300 jobs of KTH-SP2; see the README beside the trace."""
    return read_workload(Path(__file__).parents[1] / "traces" / "kth-sp2-first-300.swf")


@pytest.fixture
def workload():
    """Make a workload that begins on a Monday; jobs are (submit, user) and what else is said."""

    def make(*jobs: tuple[int, int], procs=1, run_s=60, limit_s=600) -> Workload:
        seen = [Seen(at, run_s, procs, limit_s, user, 1, -1, -1) for at, user in jobs]
        return Workload(
            name="made.swf", jobs=seen, procs=8, begins_at=MONDAY - 3600, time_zone_s=3600
        )

    return make
