"""For all tests."""

import os
import sys
import tempfile
from pathlib import Path

import pytest
from entry_points import lay_out_ours
from hypothesis import HealthCheck, Phase, settings

# What is installed may be older than what is tested: a source that is new here would be unknown.
_METADATA = tempfile.TemporaryDirectory()
lay_out_ours(Path(_METADATA.name))
sys.path.insert(0, _METADATA.name)

# How long an example takes is the machine's affair, and says nothing about what is tested. Nobody
# explains a failure: for that every line of every example would be traced.
settings.register_profile(
    "unhurried",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[phase for phase in Phase if phase is not Phase.explain],
)
settings.load_profile("unhurried")
# A run that decides about a change tries the same examples each time; all others explore.
settings.register_profile("repeatable", settings.get_profile("unhurried"), derandomize=True)
if os.environ.get("CI") == "true":
    settings.load_profile("repeatable")


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(error):
    """End a run of which a process died: pytest-xdist may wait for ever for what it had left."""
    if error:
        pytest.exit(f"a process that ran tests died: {error}", returncode=3)
