"""What priorities are made of, as plain numbers: a share tree, whoever waits, and whoever runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

FAIR_TREE: Final = 0
"""Usage counts by rank."""
CLASSIC: Final = 1
"""Usage counts by how much one's share was exceeded, and that of each account above."""
DEPTH_OBLIVIOUS: Final = 2
"""As `CLASSIC`, with each account's excess as it is within the account above."""

NOBODY: Final = -1
UNKNOWN: Final = -1
"""An instant or a priority that is not known; those known are never negative."""
NEVER: Final = 1 << 60


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeTables:
    """A share tree. Members are places: the root is 0, everybody comes after those above."""

    above: Sequence[int] = ()
    """The account that one's usage counts for too; the root's is itself."""
    rivals_under: Sequence[int] = ()
    """The account among whose rivals one is."""
    rivals: Sequence[Sequence[int]] = ()
    """By account, ascending: who competes for what it gets."""
    is_user: Sequence[bool] = ()
    inherits: Sequence[bool] = ()
    """Whether one has no shares but those of the account above."""
    level_share: Sequence[float] = ()
    """One's part of the shares of all rivals."""
    share: Sequence[float] = ()
    """One's part of the whole cluster."""
    usage: Sequence[float] = ()
    points: Sequence[float] = ()
    """What one's fairshare is worth at the start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotTables:
    """A waiting record in one of its partitions."""

    number: int = UNKNOWN
    """The priority at the start; 0: held. It stays, if it cannot be recomputed."""
    moves: bool = False
    """Whether it can be recomputed; the rest says from what."""
    waits: bool = True
    """False: it arrives later."""
    since: int = UNKNOWN
    """From when on it ages; until that is known its age is worth `age`."""
    age: float = 0.0
    place: int = 0
    """Its place among all jobs as the batch system goes through them; slots ascend by it."""
    held: bool = False
    """Whether somebody holds it at the start: there it is passed over."""
    payer: int = NOBODY
    """The member who is charged for its runs."""
    sharer: int = NOBODY
    """The member whose fairshare counts; of nobody: it is worth `fairshare`."""
    fairshare: float = 0.0
    association: float = 0.0
    size: float = 0.0
    size_tried: float = 0.0
    """What its size is worth once the scheduler has found it a place."""
    size_per_cpu: float = 0.0
    """What each CPU of that place is worth besides."""
    partition: float = 0.0
    qos: float = 0.0
    tres: float = 0.0
    rest: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTables:
    """Somebody who runs at the start, and goes on until it is finished."""

    payer: int
    rate: float
    """Usage per second."""
    started_at: int
    place: int = 0
    """Its job's place, as of slots; runs ascend by it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accruer:
    """A waiting job, of which it may depend on others whether it grows old."""

    slots: Sequence[int]
    groups: Sequence[int] = ()
    """The groups in which it is counted while it grows old and waits."""
    bound: int = -1
    """The group that must have room for it; -1: none."""
    cap: int = 0
    """So many of the `bound` group grow old at a time."""
    weight: int = 1
    """As so many it is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccrualTables:
    """Who may grow old beside whom, in the order of submission."""

    groups: int
    accruers: Sequence[Accruer]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingTables:
    """All priorities as of `recomputed_at`, and how they are recomputed each `period_s`."""

    recomputed_at: int
    period_s: int = 1
    age_weight: float = 0.0
    max_age_s: int = 0
    fairshare_weight: float = 0.0
    kept: float = 1.0
    """What is left of usage after a second."""
    formula: int = FAIR_TREE
    dampening: int = 1
    rises_only: bool = False
    resets: Sequence[int] = ()
    """When usage is set to zero, ascending."""
    tree: TreeTables = TreeTables()
    """Empty: nothing depends on shares, or they are not known."""
    slots: Sequence[SlotTables] = ()
    runs: Sequence[RunTables] = ()
    """Numbered in this order; those that begin later have higher numbers."""
    most_runs: int = 0
    """How many runs there may be, those of the start included."""
