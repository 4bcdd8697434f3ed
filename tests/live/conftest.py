"""What the live tests share: a private Slurm, and the daemon that watches it."""

from collections.abc import Iterator

import pytest
from live.cluster import Slurm, running
from live.daemon import Daemon, serving
from live.needs import needs


@pytest.fixture(scope="session")
def slurm() -> Iterator[Slurm]:
    """Six nodes of four cores in two overlapping partitions. Skips where Slurm is not installed."""
    needs()
    with running() as cluster:
        yield cluster


@pytest.fixture(scope="session")
def daemon(slurm: Slurm) -> Iterator[Daemon]:
    """The daemon, run by an ordinary user and looking at Slurm every three seconds."""
    with serving(slurm) as daemon:
        yield daemon
