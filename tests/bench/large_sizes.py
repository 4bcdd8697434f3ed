"""Plans of large clusters, for whoever measures; no part of a usual run.

python -m pytest tests/bench/large_sizes.py --benchmark-enable
"""

import pytest

from verification.bench import plan


@pytest.mark.parametrize(
    ("jobs", "nodes", "digest"),
    [
        (10_000, 1000, "e96313882cbe5275bfeee11554fe2df3b0e0b8c994fee01671eb0d4b9df28019"),
        (50_000, 10_000, "ae3549db90b9ac797dd50452739a5c46676d34ed0b406a611a04063b320ee8f7"),
    ],
)
def test_plan(time_work, jobs, nodes, digest):
    time_work(plan.prepare, jobs, nodes, digest)
