"""When a waiting job starts, and how sure that is. Instants are UTC epoch seconds."""

from bisect import bisect_right
from dataclasses import dataclass

Quantiles = tuple[tuple[float, int], ...]
"""Pairs of level, in (0, 1), and instant, both ascending."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lately:
    """How good answers to jobs like this one were of late, as far as known at the snapshot."""

    like: str
    """What those jobs have in common, as a clause: `jobs of batch said to start in 1 to 4 h`."""
    jobs: int
    """So many are known to have started, or to have missed their windows."""
    since_at: int
    """From when on they were answered."""
    typical_error_s: int
    """Half of them were at most so far off."""
    held80: float
    """The share of 80 % windows that held, in [0, 1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """The start of a waiting job as a distribution; of an array, that of its next task."""

    likely_at: int
    """The job starts as probably earlier as later."""
    low_at: int
    """From here on with 90 %; up to `high_at` it is the 80 % window."""
    high_at: int
    """By then with 90 %."""
    by_at: int
    """By then with 95 %: what may be promised."""
    quantiles: Quantiles
    """The whole distribution, those above included."""
    basis: str = ""
    """One sentence on what is believed of its run time, and why; holds no text that a user
    controls."""
    lately: Lately | None = None
    """None: nothing is known yet of jobs like this one."""

    def chance_by(self, deadline_at: int) -> float:
        """Return how probably it starts by then: linear between two quantiles.

        Before the first it is 0, after the last no more than the last level.
        """
        levels = [level for level, _ in self.quantiles]
        instants = [at for _, at in self.quantiles]
        place = bisect_right(instants, deadline_at)
        if place == 0:
            return 0.0
        if place == len(instants):
            return levels[-1]
        (low, from_at), (high, to_at) = self.quantiles[place - 1], self.quantiles[place]
        return low + (high - low) * (deadline_at - from_at) / (to_at - from_at)
