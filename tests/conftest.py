"""For all tests."""

import os

from hypothesis import settings

# A run that decides about a change tries the same examples each time; all others explore.
settings.register_profile("repeatable", derandomize=True)
if os.environ.get("CI") == "true":
    settings.load_profile("repeatable")
