"""Plans and simulations of generated clusters: small ones, each run once for its result.

To measure them, and then large ones:

    python -m pytest tests/bench/test_generated_speed.py --benchmark-enable
    python -m pytest tests/bench/large_sizes.py --benchmark-enable
"""

import pytest

from verification.bench import forward, plan


@pytest.mark.parametrize(
    ("jobs", "nodes", "digest"),
    [
        (100, 128, "93bd921553865ee46954230d79d2c889652f3371e0d5b5970c03ae093f7e2ce8"),
        (1000, 1000, "a63e69f69d11607aa9f5d2fc2ebe37d4ea6683cbeba30e50253b0cd37c021bda"),
    ],
)
def test_plan(time_work, jobs, nodes, digest):
    time_work(plan.prepare, jobs, nodes, digest)


@pytest.mark.parametrize(
    ("jobs", "nodes", "digest"),
    [(100, 128, "5d73e980a2698083f5acbf01ad4f3a81625e818a1c1273d10fc832176088af97")],
)
def test_forward(time_work, jobs, nodes, digest):
    time_work(forward.prepare, jobs, nodes, digest)
