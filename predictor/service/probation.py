"""Whether our clock is to be believed when something is deleted by it: not once it was set."""

from predictor.clock import AHEAD_S, Clock
from predictor.domain.durations import DAY_S

PROBATION_S = DAY_S
"""For so long a clock must go on as it was set, or what is recorded bear it out, to be believed."""


class Probation:
    """Compares our clock with the one that never jumps, and with what is known to have been."""

    def __init__(self, clock: Clock, known_at: int | None, evenly_since: int | None) -> None:
        """Believe the clock if what is recorded goes on up to now, and did so for long enough.

        `known_at`: the newest instant that is recorded, `evenly_since` the one from which on
        there is no hole of AHEAD_S; None: nothing is recorded.
        """
        self._clock = clock
        self._ahead_s = self._ahead()
        now = clock.now()
        borne_out = (
            known_at is None
            or evenly_since is None
            or (now - known_at <= AHEAD_S and now - evenly_since >= PROBATION_S)
        )
        self._since_s = clock.monotonic() - (PROBATION_S if borne_out else 0)

    def over(self) -> bool:
        """Return whether the clock has gone on evenly for long enough, as far as was asked."""
        if abs(self._ahead() - self._ahead_s) > AHEAD_S:
            self._ahead_s, self._since_s = self._ahead(), self._clock.monotonic()
        return self._clock.monotonic() - self._since_s >= PROBATION_S

    def _ahead(self) -> float:
        return self._clock.now() - self._clock.monotonic()
