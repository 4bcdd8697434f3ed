"""Preemption: running jobs that must make room for others."""

from dataclasses import dataclass
from enum import Enum


class Eviction(Enum):
    """What becomes of a running job that must make room."""

    SPARED = "spared"
    """Nothing: it need not."""
    ENDED = "ended"
    """It is over."""
    SENT_BACK = "sent_back"
    """It goes back into the queue and later runs anew; if that cannot be, it is over."""
    SUSPENDED = "suspended"
    """It stands still until there is room again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preemption:
    """Who may make others leave, and how. Partitions and QOS may say otherwise of their jobs."""

    by_qos: bool = False
    """Whether a QOS names those whose jobs must leave; else it is partitions of a lower tier."""
    eviction: Eviction = Eviction.SPARED
    within: bool = False
    """Whether jobs of a QOS also make others of it leave that have a lower priority."""
    by_priority: bool = False
    """Whether nobody must leave for a job of lower priority; by QOS, nor for one of the same."""
    exempt_s: int = 0
    """Nobody must leave who has run for less time."""
    spared_from: int = 0
    """Nobody must who has this priority or more; 0: whatever it has."""
    youngest_first: bool = False
    """Whether who began last leaves first; else who has the lowest tier, or QOS priority."""
    keeps_order: bool = False
    """Whether looking for a better choice moves only one to the front at a time."""
    reorders: int = 1
    """How often a better choice is looked for."""
