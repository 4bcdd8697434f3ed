"""What the live tests share: a private Slurm, and the daemon that watches it."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from live.cluster import Slurm, last_words, missing, start, stop_everything, write_files
from live.daemon import Daemon, serving


@pytest.fixture(scope="session")
def slurm() -> Iterator[Slurm]:
    """Six nodes of four cores in two overlapping partitions. Skips where Slurm is not installed."""
    if lack := missing():
        (pytest.fail if os.environ.get("QUEUECAST_REQUIRE_LIVE") else pytest.skip)(lack)
    with tempfile.TemporaryDirectory(prefix="queuecast-live-") as folder:
        root = Path(folder)
        root.chmod(0o755)
        cluster = Slurm(root=root)
        try:
            write_files(cluster)
            try:
                start(cluster)
            except TimeoutError as error:
                pytest.fail(f"{error}\n{last_words(cluster)}")
            yield cluster
        finally:
            stop_everything(cluster)


@pytest.fixture(scope="session")
def daemon(slurm: Slurm) -> Iterator[Daemon]:
    """The daemon, run by an ordinary user and looking at Slurm every three seconds."""
    with serving(slurm) as daemon:
        yield daemon
