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
        (100, 128, "68421a51a9b6aca927c5e4a9780c26630f7b03327f5f49d513c0bccff8f7408b"),
        (150, 300, "a6a40b3798a0179d878fc374bb9602138798aa1de78d67eefef9dcdb88ef3476"),
    ],
)
def test_forward(time_work, jobs, nodes, digest):
    time_work(forward.prepare, jobs, nodes, digest)
