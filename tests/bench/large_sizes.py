"""Plans and simulations of large clusters, for whoever measures; no part of a usual run.

python -m pytest -s tests/bench/large_sizes.py

Each is run once and prints its figures. Digests hold for both kinds of engine; the largest
simulation takes minutes in plain Python.
"""

from functools import partial

import pytest

from verification.bench import forward, plan
from verification.bench.generated import generate
from verification.bench.measure import HEADING, measure, row


def run(task, prepare, jobs, nodes, digest):
    figures = measure(task, partial(prepare, generate(jobs, nodes)), jobs, nodes, 1)
    print(f"\n{HEADING}\n{row(figures)}")
    assert figures.hash == digest


@pytest.mark.parametrize(
    ("jobs", "nodes", "digest"),
    [
        (10_000, 1000, "e96313882cbe5275bfeee11554fe2df3b0e0b8c994fee01671eb0d4b9df28019"),
        (50_000, 10_000, "ae3549db90b9ac797dd50452739a5c46676d34ed0b406a611a04063b320ee8f7"),
    ],
)
def test_plan(jobs, nodes, digest):
    run("plan", plan.prepare, jobs, nodes, digest)


@pytest.mark.parametrize(
    ("jobs", "nodes", "digest"),
    [
        (1000, 1000, "74721449dca9a584b106b9d4b611bb4d948328ce2d1435b51d5238d0ea086916"),
        (10_000, 10_000, "9476f29f0852e1d5dcae4e4f6ee28fb0a8442f47a78cdce2e28606cac16191f7"),
    ],
)
def test_forward(jobs, nodes, digest):
    run("forward", forward.prepare, jobs, nodes, digest)
