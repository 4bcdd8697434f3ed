"""For all tests."""

import os

from hypothesis import HealthCheck, Phase, settings

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
