"""How far chance moves what a sweep finds, by drawing its replications again and again.

All points have the same replications (an input and a seed each), so points are compared within
each: what they share cancels out.
"""

from collections.abc import Hashable, Sequence
from random import Random
from statistics import fmean

TIMES = 1000
LEVEL = 0.95
SEED = 1

Interval = tuple[float, float]
Resamples = Sequence[Sequence[int]]
"""Places of replications, with repeats; none: there is nothing to draw from."""


def resamples(inputs: Sequence[Hashable]) -> Resamples:
    """Return what is drawn of replications, given each one's input.

    Where an input has several seeds, these are drawn within it: what is said then is what the draws
    leave open, not what another recording would bring. Else inputs are drawn. None of one.
    """
    groups: dict[Hashable, list[int]] = {}
    for place, name in enumerate(inputs):
        groups.setdefault(name, []).append(place)
    strata = list(groups.values())
    if all(len(one) == 1 for one in strata):
        strata = [[place for one in strata for place in one]]
    if all(len(one) == 1 for one in strata):
        return ()
    source = Random(SEED)  # noqa: S311 - no secret
    return [
        [place for one in strata for place in source.choices(one, k=len(one))] for _ in range(TIMES)
    ]


def interval(values: Sequence[float], drawn: Resamples) -> Interval | None:
    """Return where the mean lies with LEVEL; None if there is nothing to draw from."""
    if not drawn:
        return None
    means = sorted(fmean(values[place] for place in one) for one in drawn)
    beyond = int(len(means) * (1 - LEVEL) / 2)
    return means[beyond], means[-1 - beyond]


def share_best(values: Sequence[Sequence[float]], best: int, drawn: Resamples) -> float | None:
    """Return in which share of what is drawn the mean of `best` is the least, in [0, 1].

    `values`: of each of those compared, by replication. None if there is nothing to draw from.
    """
    if not drawn:
        return None
    wins = 0
    for one in drawn:
        sums = [sum(row[place] for place in one) for row in values]
        wins += sums[best] <= min(sums)
    return wins / len(drawn)


def verdict(difference: float, between: Interval | None) -> str:
    """Return `lower`, `higher`, `no_detectable_change`, or `not_known_yet` without an interval."""
    if between is None:
        return "same" if difference == 0 else "not_known_yet"
    if between[0] <= 0 <= between[1]:
        return "no_detectable_change"
    return "lower" if between[1] < 0 else "higher"
