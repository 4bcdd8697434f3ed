"""How far chance moves what a sweep finds, told from its replications.

All points have the same replications (an input and a seed each), so points are compared within
each: what they share cancels out. Where an input has several seeds, chance is what differs between
these: what is said then is what the draws leave open, not what another recording would bring. Else
chance is what differs between inputs.
"""

from collections.abc import Hashable, Iterator, Sequence
from random import Random
from statistics import fmean, variance

from verification.diff.change_of import FEWEST, LEVEL, student

TIMES = 1000
SEED = 1

Interval = tuple[float, float]
Resamples = Sequence[Sequence[int]]
"""Places of replications, with repeats; none: there is nothing to draw from."""


def _strata(inputs: Sequence[Hashable]) -> list[list[int]] | None:
    """Return places among which chance decides; None: too few to tell."""
    groups: dict[Hashable, list[int]] = {}
    for place, name in enumerate(inputs):
        groups.setdefault(name, []).append(place)
    strata = list(groups.values())
    if min(map(len, strata), default=0) < 2:
        strata = [[place for one in strata for place in one]]
    freedom = sum(len(one) - 1 for one in strata)
    return strata if freedom >= FEWEST - 1 else None


def interval(values: Sequence[float], inputs: Sequence[Hashable]) -> Interval | None:
    """Return where the mean lies with LEVEL, by Student's t; None: too few values to tell.

    `inputs` are those of the values.
    """
    strata = _strata(inputs)
    if strata is None:
        return None
    spread = sum(_spread(values, one) for one in strata) ** 0.5 / len(values)
    freedom = sum(len(one) - 1 for one in strata)
    middle, reach = fmean(values), student(LEVEL, freedom) * spread
    return middle - reach, middle + reach


def _spread(values: Sequence[float], stratum: Sequence[int]) -> float:
    """Return the variance of the sum over a stratum."""
    return len(stratum) * variance([values[place] for place in stratum])


def resamples(inputs: Sequence[Hashable]) -> Resamples:
    """Return what is drawn of replications, given each one's input. None of too few."""
    return list(_resamples(_strata(inputs) or []))


def _resamples(strata: Sequence[Sequence[int]]) -> Iterator[Sequence[int]]:
    source = Random(SEED)  # noqa: S311 - no secret
    for _ in range(TIMES if strata else 0):
        yield [place for one in strata for place in source.choices(one, k=len(one))]


def share_best(values: Sequence[Sequence[float]], best: int, drawn: Resamples) -> float | None:
    """Return in which share of what is drawn the mean of `best` is the least, in [0, 1].

    `values`: of each of those compared, by replication. None if there is nothing to draw from, or
    nothing to compare with.
    """
    if not drawn or len(values) < 2:
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
