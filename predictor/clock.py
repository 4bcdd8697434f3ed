"""The clock that the service and the sources are given, so that tests and replays can set it.

Commands of one answer read the machine's own time where they write it.
"""

import time
from typing import Protocol

from predictor.domain.durations import HOUR_S

AHEAD_S = HOUR_S
"""The batch system's clock may be so far ahead of ours; what is dated later is dated wrongly."""


class Clock(Protocol):
    """Tells the time and waits."""

    def now(self) -> float:
        """Return UTC epoch seconds."""
        ...

    def monotonic(self) -> float:
        """Return seconds that never jump, for durations only."""
        ...

    def sleep(self, seconds: float) -> None:
        """Return after `seconds`."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> float:
        """Return UTC epoch seconds."""
        return time.time()

    def monotonic(self) -> float:
        """Return seconds that never jump, for durations only."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Return after `seconds`."""
        time.sleep(seconds)
