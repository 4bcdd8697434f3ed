"""Who is ahead of a job, in a cell of a table: how many, and how many node-hours they take."""

from collections.abc import Mapping
from typing import Any

from predictor.cli.cells import NOT_AVAILABLE

Job = Mapping[str, Any]
"""A job as the API tells it."""


def ahead(job: Job) -> str:
    """Return jobs and node-hours, these in about two digits: `44 / 9.1k nh`."""
    told = job["ahead"]
    if told is None:
        return NOT_AVAILABLE
    return f"{told['jobs']} / {_rounded(told['node_hours'])} nh"


def ahead_exactly(job: Job) -> str:
    """Return both as they were told: `44 / 9100.5`."""
    told = job["ahead"]
    return NOT_AVAILABLE if told is None else f"{told['jobs']} / {told['node_hours']:.10g}"


def ahead_order(job: Job) -> float:
    """Return what to sort by: the node-hours; of whom they are not told comes first."""
    told = job["ahead"]
    return -1 if told is None else float(told["node_hours"])


def _rounded(amount: float) -> str:
    for unit in ("", "k", "M", "G"):
        if amount < 9.95:
            return f"{amount:.1f}{unit}"
        if amount < 999.5:
            return f"{amount:.0f}{unit}"
        amount /= 1_000
    return f"{amount:.0f}T"
