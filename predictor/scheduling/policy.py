"""Policies in numbers: how many blocked jobs are protected, and who may pass them."""

from dataclasses import dataclass
from enum import Enum


class Scope(Enum):
    """Among whom the reservations of a policy are counted, and whom a blocked job stops."""

    CLUSTER = "cluster"
    PARTITION = "partition"


class Allocation(Enum):
    """Which of the nodes that fit a job gets. Nodes of lower weight always come first."""

    FIRST_FIT = "first-fit"
    """The first in the batch system's order."""
    BEST_FIT = "best-fit"
    """Those with the fewest free CPUs, so that empty nodes stay empty."""
    BALANCED = "balanced"
    """Those with the largest share of their CPUs free."""
    CONSECUTIVE = "consecutive"
    """Runs of neighbours, the tightest that suffices first; Slurm's way."""
    ROUND_ROBIN = "round-robin"
    """The first after the node that was taken last."""
    DUAL_END = "dual-end"
    """The first for one node, the last for several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What the planner does about a job that cannot start at once.

    After flux-sched's queue policies, which share one loop and differ in the number of
    reservations.
    """

    name: str
    reservations: int | None
    """So many blocked jobs keep their planned start free of later ones; None: all of them."""
    skip_blocked: bool
    """Whether jobs behind a blocked one may start before it."""
    scope: Scope = Scope.CLUSTER
    allocation: Allocation = Allocation.BEST_FIT
    two_passes: bool = False
    """Whether the batch system's own two passes, limits and moving priorities decide instead.

    Then the numbers above do not count.
    """

    def __post_init__(self) -> None:
        if self.reservations is not None and self.reservations < 0:
            raise ValueError(f"a policy cannot make {self.reservations} reservations")


FCFS = Policy(name="fcfs", reservations=0, skip_blocked=False)
LIST = Policy(name="list", reservations=0, skip_blocked=True)
EASY = Policy(name="easy", reservations=1, skip_blocked=True)
CONSERVATIVE = Policy(name="conservative", reservations=None, skip_blocked=True)
TWO_PASS = Policy(name="two-pass", reservations=None, skip_blocked=True, two_passes=True)

POLICIES = {policy.name: policy for policy in (FCFS, LIST, EASY, CONSERVATIVE, TWO_PASS)}
