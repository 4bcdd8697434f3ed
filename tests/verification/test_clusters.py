"""The same work on a Dask cluster; skipped where the extra `dask` is not installed."""

import json
import operator
from functools import partial

import pytest
from click.testing import CliRunner

from predictor.errors import QueuecastError
from verification.cli.verify import verify
from verification.clusters import dask_pool

distributed = pytest.importorskip("distributed", reason="needs the extra dask")
dask = pytest.importorskip("dask", reason="needs the extra dask")

pytestmark = [
    # Dask's own event loops are closed when the interpreter ends, not before.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def address():
    """A cluster of one process with a thread, as somebody might have started it."""
    with distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        processes=False,
        protocol="tcp://",
        dashboard_address="127.0.0.1:0",
    ) as cluster:
        yield cluster.scheduler_address


def test_results_come_in_the_order_of_the_items(address):
    with dask_pool(address, jobs=1) as pool:
        assert pool.width == 1
        assert list(pool.each(partial(operator.mul, 3), range(20))) == [3 * n for n in range(20)]


def test_an_error_is_raised_where_it_is_awaited(address):
    with dask_pool(address, jobs=1) as pool, pytest.raises(ZeroDivisionError):
        list(pool.each(partial(operator.floordiv, 1), [1, 0]))


def test_a_cluster_and_this_machine_find_the_same(address, recording):
    def found(*where):
        arguments = [str(recording), "--mode", "online", "--every", "9", "--json", "-", *where]
        answer = CliRunner().invoke(verify, arguments)
        assert answer.exit_code == 0, answer.output
        return json.loads(answer.stdout)

    assert found("--dask", address) == found("--jobs", "2")


def test_where_nobody_answers_that_is_said():
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "1s"}),
        pytest.raises(QueuecastError, match=r"--dask tcp://127\.0\.0\.1:9: "),
        dask_pool("tcp://127.0.0.1:9", jobs=1),
    ):
        pass
