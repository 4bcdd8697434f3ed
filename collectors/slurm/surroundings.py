"""What stands elsewhere and must be known to read a job."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from predictor.domain import PriorityFactors

Priorities = Mapping[int, tuple[PriorityFactors, ...]]
"""By the job's internal number."""

PARTITION_WIDTH = 9
"""sprio cuts a partition's name to so many characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """On how many leaf switches a job wants to run."""

    switches: int
    wait_s: int | None
    """So long it insists on that; None: for ever."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What else must be known to read a job record."""

    taken_at: int
    cpus_per_core: Mapping[str, int] = field(default_factory=dict)
    """By node name."""
    widest: int = 0
    """CPUs of the largest node; 0: unknown."""
    threads: int = 1
    """The most CPUs that a core has."""
    sockets: int = 1
    """The most that a node has."""
    priorities: Priorities = field(default_factory=dict)
    ids: Mapping[int, str] = field(default_factory=dict)
    """Ids of array tasks by their internal number."""
    switches: Mapping[int, Wish] = field(default_factory=dict)
    """By internal number; of jobs that do not tell themselves."""
    planned: Mapping[int, str] = field(default_factory=dict)
    """The nodes planned for waiting jobs, by internal number; of jobs that do not tell."""


def full_name(shown: str, partitions: Sequence[str]) -> str:
    """Return the partition that sprio shows as `shown`, of those the job is submitted to."""
    if shown in partitions or len(shown) < PARTITION_WIDTH:
        return shown
    return next((name for name in partitions if name.startswith(shown)), shown)
