"""The ways in which a promise about a job's start can end."""

from enum import Enum


class Verdict(Enum):
    """What became of a window or a promise."""

    KEPT = "kept"
    BROKEN = "broken"
    NOT_KNOWN_YET = "not_known_yet"
    """The job still waits as far as is known, and may yet do either."""
    VOID = "void"
    """The job left the queue before anybody could know."""
