"""How many processors there are to work on."""

import os


def processors() -> int:
    """Return on how many processors this process may run, which may be fewer than there are."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
