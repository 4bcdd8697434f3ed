"""The gamma distribution's function."""

import math
from typing import Final

TERMS: Final = 500


def gamma_cdf(value: float, shape: float, scale: float) -> float:
    """Return the share of the gamma distribution up to `value`, in [0, 1].

    By the series of the lower incomplete gamma function; good for values up to some 100 scales.
    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 6.5.29.
    """
    if value <= 0:
        return 0.0
    x = value / scale
    term = total = 1 / shape
    for number in range(1, TERMS):
        term *= x / (shape + number)
        total += term
        if term < total * 1e-15:
            break
    return min(1.0, total * math.exp(shape * math.log(x) - x - math.lgamma(shape)))
