"""Classes of size and of limit that jobs are told apart by."""

from bisect import bisect_left

SIZES = ((1, "1"), (4, "2-4"), (16, "5-16"), (64, "17-64"), (256, "65-256"))
"""The most nodes of each class, and its name; beyond lies LARGEST."""
LARGEST = "257 and more"
LIMITS = (
    (600, "up to 10 min"),
    (3600, "up to 1 h"),
    (6 * 3600, "up to 6 h"),
    (24 * 3600, "up to 24 h"),
)
"""The longest duration of each class, and its name; beyond lies LONGEST."""
LONGEST = "longer"


def size_class(nodes: int) -> str:
    """Return the class of a job on so many nodes."""
    place = bisect_left(SIZES, nodes, key=lambda size: size[0])
    return SIZES[place][1] if place < len(SIZES) else LARGEST


def duration_class(length_s: int) -> str:
    """Return the class of a limit, or of a time from now on; what is past lies in the first."""
    place = bisect_left(LIMITS, length_s, key=lambda limit: limit[0])
    return LIMITS[place][1] if place < len(LIMITS) else LONGEST
