"""The functions of real numbers that come from the C library, in either kind of engine."""

import math


def power(base: float, exponent: float) -> float:
    """Return `base` to the power of `exponent`."""
    return math.pow(base, exponent)


def logarithm(number: float) -> float:
    """Return the natural logarithm of a number above 0."""
    return math.log(number)
