"""Plans and simulations of generated clusters: small ones, each run once for its result.

To measure them, and then large ones:

    python -m pytest tests/bench/test_generated_speed.py --benchmark-enable
    python -m pytest -s tests/bench/large_sizes.py
"""

import pytest

from verification.bench import forward, plan


@pytest.mark.parametrize(
    ("jobs", "nodes", "digest"),
    [
        (100, 128, "19055936861169b3e008281ceafee508bb8a7c79e4925543136471b625009e16"),
        (1000, 1000, "5aa5a2725439ef7657329fbec201b304d7647d1d5e7299d45b854f0bf68506c6"),
    ],
)
def test_plan(time_work, jobs, nodes, digest):
    time_work(plan.prepare, jobs, nodes, digest)


@pytest.mark.parametrize(
    ("jobs", "nodes", "digest"),
    [
        (100, 128, "9f9ed38872bed5fa5d3af0bba5f8a21294f328f6784938d2faba699168f5a48f"),
        (150, 300, "0266e5fdb78d3513b3d5eda23495236bcec40f10e60d28c037a05dca0da3786f"),
    ],
)
def test_forward(time_work, jobs, nodes, digest):
    time_work(forward.prepare, jobs, nodes, digest)
