"""The same sweep on a Dask cluster; skipped where the extra `dask` is not installed."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from verification.cli.sweep import sweep
from verification.sweep.crews import Lost, OnDask
from verification.sweep.runs import Input, Run

distributed = pytest.importorskip("distributed", reason="needs the extra dask")

pytestmark = [
    # Dask's own event loops are closed when the interpreter ends, not before.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
RUN = Run(number=7, point=1, input=Input(name="x", path=Path("x"), sha256=""), seed=1, settings={})


@pytest.fixture(scope="module")
def address():
    """A cluster of one process with two threads, as somebody might have started it."""
    with distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=2,
        processes=False,
        protocol="tcp://",
        dashboard_address="127.0.0.1:0",
    ) as cluster:
        yield cluster.scheduler_address


def test_a_cluster_and_this_machine_find_the_same(sums, address, grid_file, hundred, tmp_path):
    grid = grid_file("kind = 'sums'\ndraws = 3\n[axes]\na = [1, 2]\ndo = ['', 'raise']")

    def found(name, *where):
        arguments = [str(grid), str(hundred), "--out", str(tmp_path / name), *where]
        answer = CliRunner().invoke(sweep, arguments)
        assert answer.exit_code == 1, (answer.output, answer.exception)
        report = json.loads((tmp_path / name / "report.json").read_text())
        return {key: report[key] for key in ("points", "effects", "failed")}

    assert found("there", "--dask", address) == found("here", "--jobs", "2")


class Gone:
    """A future whose worker died."""

    def __init__(self, error):
        self.error = error

    def exception(self):
        return self.error

    def cancelled(self):
        return False


class OnePool:
    """A pool that hands back what it is given."""

    width = 1

    def __init__(self, future):
        self.future = future

    def submit(self, work, item):
        return self.future

    def ended(self, futures, within_s):
        return futures


def test_a_dead_worker_is_told_from_an_error():
    died = distributed.KilledWorker("task", last_worker="tcp://n1:4711", allowed_failures=0)
    crew = OnDask(str, OnePool(Gone(died)), "")
    crew.begin(RUN)
    assert crew.ended(0) == [(RUN, Lost(cause="its Dask worker died: tcp://n1:4711"))]
