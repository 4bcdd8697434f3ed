"""Where to record, and a clock to turn by hand."""

import pytest
from recordings import HandClock


@pytest.fixture
def folder(tmp_path):
    """Where a recording may be made."""
    return tmp_path / "recording"


@pytest.fixture
def clock():
    """A clock that stands at the first snapshot."""
    return HandClock()
