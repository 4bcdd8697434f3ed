"""A short slice of the campaign against a real, small disk."""

import os
import subprocess

import pytest
from campaigns import full_disk


def test_a_full_or_refusing_disk_costs_no_answer_and_nothing_acknowledged():
    if os.geteuid() != 0:
        pytest.skip("only root can mount")
    try:
        figures, found = full_disk.campaign(3, seed=1)
    except (subprocess.CalledProcessError, FileNotFoundError) as error:
        pytest.skip(f"no loop device here: {error}")
    assert found == []
    assert figures["cycles"] == 3
    assert figures["not recorded"] > 3
