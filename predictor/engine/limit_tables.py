"""What the engine is told of limits, as plain numbers: groups, rules, and whom they bind.

Resources are numbered; the first are those named in `predictor.engine.bound`. Seconds of a
resource count by weights in `1 / unit`: integers, so that what is added can be taken away.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Jobs that are counted together, and what is counted of them."""

    held: Sequence[int] = ()
    """Resources in use."""
    spread: bool = False
    """Whether different nodes are."""
    ahead: Sequence[int] = ()
    """Resources times the seconds that running jobs have before them."""
    spent: Sequence[tuple[int, float]] = ()
    """Resources times the seconds they were used, with what it was at the opening."""
    half_life_s: int = 0
    """How fast what is spent decays; 0: not at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One limit. Its kind is one of the numbers of `predictor.engine.bound`."""

    kind: int
    resource: int
    cap: int
    """In units of the resource, or such units times seconds."""
    group: int = -1
    """Whose counters it looks at; -1: it is about each job by itself."""
    delays: bool = False
    """Whether all of its group are planned later who are behind somebody whom it blocks.

    Only if who is blocked by a limit stops others.
    """
    forgotten: bool = False
    """Whether it is not remembered whom it blocks, who then stops others in every pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """What binds jobs of one sort."""

    groups: Sequence[int] = ()
    """The groups in which such jobs are counted."""
    early: Sequence[Rule] = ()
    """Asked before nodes are looked at, and so only about `bound.ONE`."""
    late: Sequence[Rule] = ()
    held_weight: int
    """By how much their seconds count once they run."""
    asked_weight: int
    """By how much the seconds count for which they ask."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """A part of a tariff, by which a job's price follows from its other resources.

    Of the parts that are not `added` only the dearest counts.
    """

    resource: int
    weight: float
    added: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a waiting job counts as, should it start in one of its ways."""

    binding: int
    form: int
    """What it takes of each node: the number of a row of `LimitTables.forms`."""
    nodes: int
    node_class: int
    """The class of the first node that it might get."""
    limit_s: int
    extra: Sequence[tuple[int, int]] = ()
    """What it takes besides, wherever it runs: resource and amount."""
    cpus: int = 0
    """The fewest CPUs it takes, where its nodes give different numbers of them; else 0."""
    by_cpu: Sequence[tuple[int, int]] = ()
    """What it takes with each CPU there: resource and amount."""
    named: int = 0
    """The nodes that it names: a bitmap."""
    tariff: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A job that is counted from the beginning."""

    holder: int
    binding: int
    amounts: Sequence[int]
    """What it takes of every resource."""
    nodes: int
    """The nodes it runs on, as a bitmap."""
    started_at: int
    limit_s: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitTables:
    """All limits of a machine of `nodes` nodes, at the instant `opened_at`."""

    nodes: int
    opened_at: int
    counted_at: int = 0
    """When it was last counted what running jobs may still use."""
    counts_every_s: int = 1
    """How often that is counted; 0: never, until they end."""
    spends: bool = True
    """Whether anything that is used is spent."""
    resources: int
    """How many there are, those of `bound` included."""
    price: int = -1
    """The resource that is a price; -1: none is."""
    safe: bool = False
    """Whether what jobs may still use counts as spent."""
    unit: int = 1
    holders: int
    """How many jobs or groups of jobs there are that start and end."""
    classes: Sequence[int] = ()
    """Nodes that are alike, as disjoint bitmaps."""
    forms: Sequence[Sequence[Sequence[int]]] = ()
    """By form and class: what a job takes of one node, of every resource."""
    tariffs: Sequence[Sequence[Price]] = ()
    groups: Sequence[Group] = ()
    bindings: Sequence[Binding] = ()
    claims: Sequence[Claim] = ()
    running: Sequence[Running] = ()
