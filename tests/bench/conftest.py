"""For benchmarks of generated clusters."""

import pytest

from verification.bench.generated import generate
from verification.bench.measure import hash_of


@pytest.fixture
def time_work(benchmark):
    """Time what `prepare` makes of a generated cluster, and compare its result's hash."""

    def run(prepare, jobs, nodes, digest):
        cluster = generate(jobs, nodes)
        starts = benchmark.pedantic(
            lambda work: work(), setup=lambda: ((prepare(cluster),), {}), rounds=3
        )
        assert hash_of(starts) == digest

    return run
