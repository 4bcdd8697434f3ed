"""What somebody would guess who knows nothing but how long jobs waited of late."""

from collections import deque
from statistics import median_low

from predictor.service.probes import Kind

RECENT = 100
"""So many of the last waits of a kind count."""
FEW = 5
"""Of fewer nothing is guessed."""
MOST_KINDS = 1_000
"""Of so many kinds waits are remembered."""


class Habit:
    """Remembers waits by kind. Its memory is bounded."""

    def __init__(self) -> None:
        self._waits_s: dict[Kind, deque[int]] = {}
        self._medians_s: dict[Kind, int | None] = {}

    def add(self, kind: Kind, waited_s: int) -> None:
        """Take in how long a job waited that has started."""
        if kind not in self._waits_s:
            if len(self._waits_s) >= MOST_KINDS:
                return
            self._waits_s[kind] = deque(maxlen=RECENT)
        self._waits_s[kind].append(waited_s)
        self._medians_s.pop(kind, None)

    def guess_s(self, kind: Kind) -> int | None:
        """Return the median wait of the last ones; None: too few are known."""
        if kind not in self._waits_s:
            return None
        if kind not in self._medians_s:
            known = self._waits_s[kind]
            self._medians_s[kind] = median_low(known) if len(known) >= FEW else None
        return self._medians_s[kind]
