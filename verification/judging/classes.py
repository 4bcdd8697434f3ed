"""Classes of size and of limit that jobs are told apart by."""

from bisect import bisect_left

from predictor.domain.durations import HOUR_S

SIZE_BOUNDS = (1, 4, 16, 64, 256)
"""The most nodes of each class but the last."""
SIZES = ("1", "2-4", "5-16", "17-64", "65-256", "257 and more")
DURATION_BOUNDS_S = (600, HOUR_S, 6 * HOUR_S, 24 * HOUR_S)
"""The longest duration of each class but the last."""
DURATIONS = ("up to 10 min", "up to 1 h", "up to 6 h", "up to 24 h", "longer")


def size_class(nodes: int) -> str:
    """Return the class of a job on so many nodes."""
    return SIZES[bisect_left(SIZE_BOUNDS, nodes)]


def duration_class(length_s: int) -> str:
    """Return the class of a limit, or of a time from now on; what is past lies in the first."""
    return DURATIONS[bisect_left(DURATION_BOUNDS_S, length_s)]
