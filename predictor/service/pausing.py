"""How long to leave a batch system alone that could not be asked."""

from predictor.site.model import SHORTEST_INTERVAL_S

SOONEST_S = 60
"""No second try within a minute, however short the interval."""
LONGEST_S = 600
STEPS = 10
"""The pause grows to so many intervals at most."""
JITTER = 0.2
"""By up to such a share it is shorter, so that many who look do not come back at once."""


def pause_s(failures: int, interval_s: float, chance: float) -> float:
    """Return the seconds until the next look after so many failures in a row, at least one.

    Doubles from failure to failure. `chance` is drawn from [0, 1). An interval below what is
    allowed without force also shortens the pause.
    """
    forced = interval_s < SHORTEST_INTERVAL_S
    first_s = interval_s if forced else max(interval_s, SOONEST_S)
    longest_s = max(first_s, min(STEPS * first_s, LONGEST_S))
    doubled_s = min(first_s * (1 << min(failures - 1, STEPS)), longest_s)
    return max(first_s, doubled_s * (1 - JITTER * chance))
