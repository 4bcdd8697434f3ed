"""Which of several simulations of the same time is the most typical one."""

from collections.abc import Mapping, Sequence

from predictor.simulation.story import Start
from verification.fidelity.scores import CLOSE_S

Said = Mapping[str, Start]
"""Who starts in a simulation, by single id."""


def most_typical(simulations: Sequence[Said]) -> Said:
    """Return the one from which all are least apart in sum; of equals the first.

    Raises ValueError without any.
    """
    return min(simulations, key=lambda one: sum(_apart(one, other) for other in simulations))


def _apart(one: Said, other: Said) -> int:
    """Return how many jobs start in only one of the two, or not within CLOSE_S of each other."""
    both = one.keys() & other.keys()
    close = sum(abs(one[id_].at - other[id_].at) <= CLOSE_S for id_ in both)
    return len(one.keys() | other.keys()) - close
