"""A cluster with enough to decide, and what became of it."""

import pytest
from clusters import HOUR, MINUTE, NOW, cluster, waiting
from performed import EAGER
from performed import performed as perform


@pytest.fixture
def busy_cluster():
    """Eight nodes, thirty jobs of all widths, and ten that come later; with how long they run."""
    jobs = [
        waiting(str(n), 1 + n * 5 % 7, 25 + n * 7 % 50, of_job={"submitted_at": NOW - HOUR + n})
        for n in range(1, 31)
    ]
    later = [
        waiting(str(n), 1 + n % 3, 25, of_job={"submitted_at": NOW + (n - 40) * 11 * MINUTE + 7})
        for n in range(41, 51)
    ]
    run_s = {str(n): 200 + n * 97 % 1100 for n in range(1, 51)}
    return cluster(8, *jobs, settings=EAGER), tuple(later), run_s


@pytest.fixture
def performed():
    """Return the history of what becomes of a snapshot if the replica decides."""
    return perform
