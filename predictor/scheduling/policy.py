"""Policies in numbers: how many blocked jobs are protected, and who may pass them."""

from dataclasses import dataclass
from enum import Enum


class Scope(Enum):
    """Among whom the reservations of a policy are counted, and whom a blocked job stops."""

    CLUSTER = "cluster"
    PARTITION = "partition"


class Allocation(Enum):
    """Which of the nodes that fit a job gets.

    Nodes of lower weight come first, but for the three that go round or begin at the end.
    """

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
    TREE = "tree"
    """Under the tightest switch that suffices, leaf after leaf; Slurm's way with such a tree."""
    WEIGHTED = "weighted"
    """Those that have least of what is scarce and the job does not ask for."""
    HYBRID = "hybrid"
    """The same; of equal ones those with the largest share of their CPUs free."""
    RANDOM = "random"
    """The first in an order that is drawn once."""
    LAST = "last"
    """The last in the batch system's order."""
    LIGHTEST = "lightest"
    """The first of those that weigh least; Slurm's way with one node from 26.05 on."""


class Filling(Enum):
    """In which order those behind blocked jobs start, once no reservation is left.

    Source: Maui Administrator's Guide, 8.2 Backfill, `BACKFILLPOLICY`.
    """

    FIRST = "first"
    """In that of the queue."""
    BEST = "best"
    """Who asks for most CPUs first."""
    GREEDY = "greedy"
    """Those that together take most CPUs, some dozen candidates at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What is done about a job that cannot start at once.

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
    seed: int = 0
    """By which a random order of nodes is drawn."""
    filling: Filling = Filling.FIRST
    eligible_per_user: int | None = None
    """So many waiting jobs of one user are looked at in a pass; None: all."""
    queued_per_user: int | None = None
    """So many jobs of one user run or are looked at; None: all."""
    pass_every_s: int | None = None
    """Passes are so far apart, and so are starts; None: one whenever something happens."""
    two_passes: bool = False
    """Whether the batch system's own two passes, limits and moving priorities decide instead.

    Then the numbers above do not count.
    """

    def __post_init__(self) -> None:
        if self.reservations is not None and self.reservations < 0:
            raise ValueError(f"a policy cannot make {self.reservations} reservations")
        for number in (self.eligible_per_user, self.queued_per_user, self.pass_every_s):
            if number is not None and number < 1:
                raise ValueError(f"a policy's bounds are 1 or more, not {number}")


FCFS = Policy(name="fcfs", reservations=0, skip_blocked=False)
LIST = Policy(name="list", reservations=0, skip_blocked=True)
EASY = Policy(name="easy", reservations=1, skip_blocked=True)
CONSERVATIVE = Policy(name="conservative", reservations=None, skip_blocked=True)
TWO_PASS = Policy(name="two-pass", reservations=None, skip_blocked=True, two_passes=True)

POLICIES = {policy.name: policy for policy in (FCFS, LIST, EASY, CONSERVATIVE, TWO_PASS)}
