"""Whether our clock is to be believed when something is deleted by it: not once it was set."""

from predictor.clock import AHEAD_S, Clock

PROBATION_S = 86_400
"""For so long a clock must go on as it was set, or a downtime have been one, to be believed."""


class Probation:
    """Compares our clock with the one that never jumps, and with what is known to have been."""

    def __init__(self, clock: Clock, known_at: int | None) -> None:
        """`known_at`: the newest instant that is recorded; None: there is none."""
        self._clock = clock
        self._ahead_s = self._ahead()
        gone_s = 0.0 if known_at is None else clock.now() - known_at
        self._since_s = clock.monotonic() - (0 if gone_s > PROBATION_S else PROBATION_S)

    def over(self) -> bool:
        """Return whether the clock has gone on evenly for long enough, as far as was asked."""
        if abs(self._ahead() - self._ahead_s) > AHEAD_S:
            self._ahead_s, self._since_s = self._ahead(), self._clock.monotonic()
        return self._clock.monotonic() - self._since_s >= PROBATION_S

    def _ahead(self) -> float:
        return self._clock.now() - self._clock.monotonic()
