"""A short slice of the campaign against a real, small disk."""

import os
import subprocess

import pytest
from campaigns import full_disk


@pytest.fixture(autouse=True)
def allowed_to_mount():
    """Skip what needs a small disk where there can be none."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount")
    try:
        with full_disk.mounted():
            pass
    except (subprocess.CalledProcessError, FileNotFoundError) as error:
        pytest.skip(f"no loop device here: {error}")


def test_a_full_or_refusing_disk_costs_no_answer_and_nothing_acknowledged():
    figures, found = full_disk.campaign(3, seed=1)
    assert found == []
    assert figures["cycles"] == 3
    assert figures["not recorded"] > 3


def test_it_is_found_when_what_was_refused_is_acknowledged():
    _, found = full_disk.campaign(1, seed=1, files=full_disk.Deaf())
    assert len(found) == 1
    assert "what was acknowledged" in found[0]
