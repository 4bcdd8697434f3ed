"""How well told distributions of starts fit, by their quantiles. Losses are seconds.

A distribution runs straight from quantile to quantile; what lies beyond the outermost ones is
taken to lie on them.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from verification.judging.case import Said
from verification.scoring.columns import Columns
from verification.scoring.weighted import mean

BINS = 10
"""So many parts of equal level the starts are counted in."""

Quantiles = Sequence[tuple[float, int]]
"""Pairs of level and instant, both ascending; at least one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Distributions:
    """What told distributions are worth. None, or empty: none was told."""

    pinball_s: Mapping[str, float]
    """The mean loss by level: `0.05`, ..."""
    crps_s: float | None
    """The mean continuous ranked probability score; of a single instant it is the MAE."""
    pit: tuple[float, ...]
    """The weight of starts in each tenth of what was told, lowest first; flat is best."""


def pinball_s(level: float, said_at: int, started_at: int) -> float:
    """Return the loss of one quantile: `level` for each second too early, else 1 - `level`.

    Source: Koenker and Bassett, Regression Quantiles (1978).
    """
    late_s = started_at - said_at
    return level * late_s if late_s > 0 else (level - 1) * late_s


def crps_s(quantiles: Quantiles, started_at: int) -> float:
    """Return twice the pinball loss over all levels from 0 to 1, exactly.

    Source: Gneiting and Raftery, Strictly Proper Scoring Rules (2007), section 4.2.
    """
    (lowest, first_at), (highest, last_at) = quantiles[0], quantiles[-1]
    total = _flat(0, lowest, started_at - first_at) + _flat(highest, 1, started_at - last_at)
    for (low, low_at), (high, high_at) in pairwise(quantiles):
        total += _segment(low, high, started_at - low_at, started_at - high_at)
    return 2 * total


def _flat(low: float, high: float, late_s: float) -> float:
    """Return the loss over levels at which the same instant was told."""
    return _segment(low, high, late_s, late_s)


def _segment(low: float, high: float, late_low_s: float, late_high_s: float) -> float:
    """Return the loss over levels between which lateness falls evenly."""
    if late_low_s > 0 > late_high_s:
        at = low + (high - low) * late_low_s / (late_low_s - late_high_s)
        return _segment(low, at, late_low_s, 0) + _segment(at, high, 0, late_high_s)
    middle_s, middle = (late_low_s + late_high_s) / 2, (low + high) / 2
    # Lateness times level is of the second degree, for which Simpson's rule is exact.
    shift = 0.0 if middle_s > 0 else 1.0
    ends = (low - shift) * late_low_s + (high - shift) * late_high_s
    return (high - low) / 6 * (ends + 4 * (middle - shift) * middle_s)


def levels_of(quantiles: Quantiles, started_at: int) -> tuple[float, float]:
    """Return the lowest and the highest level told for an instant; apart where it is an atom."""
    below = [level for level, at in quantiles if at < started_at]
    above = [level for level, at in quantiles if at > started_at]
    upon = [level for level, at in quantiles if at == started_at]
    if upon:
        return (upon[0] if below else 0.0), (upon[-1] if above else 1.0)
    if not below:
        return 0.0, above[0]
    if not above:
        return below[-1], 1.0
    place = len(below)
    (low, low_at), (high, high_at) = quantiles[place - 1], quantiles[place]
    level = low + (high - low) * (started_at - low_at) / (high_at - low_at)
    return level, level


def spread(low: float, high: float) -> Iterator[tuple[int, float]]:
    """Yield the bins that levels from `low` to `high` lie in, with the share in each."""
    if high <= low:
        yield min(int(low * BINS), BINS - 1), 1.0
        return
    for bin_ in range(BINS):
        inside = min(high, (bin_ + 1) / BINS) - max(low, bin_ / BINS)
        if inside > 0:
            yield bin_, inside / (high - low)


def distributions(
    columns: Columns, said: Sequence[Said], weights: Sequence[float]
) -> Distributions:
    """Return what one predictor's distributions are worth, over jobs that started.

    Starts outside, or on an instant told for several levels, are spread evenly over these.
    Source: Czado, Gneiting and Held, Predictive Model Assessment for Count Data (2009).
    """
    losses: defaultdict[float, float] = defaultdict(float)
    told: defaultdict[float, float] = defaultdict(float)
    ranked: list[float] = []
    own: list[float] = []
    pit = [0.0] * BINS
    for row in columns.started:
        quantiles, started_at, weight = (
            said[row].quantiles,
            columns.cases[row].started_at,
            weights[row],
        )
        if not quantiles or not weight or started_at is None:
            continue
        own.append(weight)
        ranked.append(crps_s(quantiles, started_at))
        for level, at in quantiles:
            losses[level] += weight * pinball_s(level, at, started_at)
            told[level] += weight
        for bin_, share in spread(*levels_of(quantiles, started_at)):
            pit[bin_] += share * weight
    return Distributions(
        pinball_s={f"{level:g}": losses[level] / told[level] for level in sorted(losses)},
        crps_s=mean(ranked, own),
        pit=tuple(pit) if own else (),
    )
