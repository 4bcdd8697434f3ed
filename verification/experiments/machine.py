"""What a machine is made of, whatever its nodes have: a frozen description."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from predictor.priority.formula import Formula
    from verification.experiments.neighbours import Speedups
    from verification.experiments.network import Network

CORE: Final = "core"
"""The resource that a trace's processors are."""
MEMORY: Final = "memory_kib"
"""The resource that a trace's memory is, in KiB."""

SCORED: Final = frozenset(
    {
        "waited_s",
        "planned_s",
        "procs",
        "machine_procs",
        "queue_priority",
        "expected_wait_s",
    }
)
"""What a score may depend on."""
XFACTOR: Final = "(waited_s + planned_s) / planned_s"
"""The expansion factor."""

Amounts = Mapping[str, int]
"""How much, by resource. Resources have any names; `core` and `memory_kib` are known to traces."""


def one_core() -> Amounts:
    """Return what one unit takes where nothing else is told."""
    return {CORE: 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Nodes that are alike."""

    name: str
    nodes: int
    has: Amounts
    """What each node has."""

    def __post_init__(self) -> None:
        if self.nodes < 1:
            raise ValueError(f"group {self.name} needs at least one node, not {self.nodes}")
        if not self.has or any(amount < 0 for amount in self.has.values()):
            raise ValueError(f"nodes of group {self.name} need amounts of 0 or more of something")


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """What is special about a queue."""

    expected_wait_s: int = 1800
    """How long its jobs are expected to wait, at least 1."""
    priority: int = 0
    """Jobs of queues with more go first, where a scheduler heeds that."""

    def __post_init__(self) -> None:
        if self.expected_wait_s < 1:
            raise ValueError(f"a wait of {self.expected_wait_s} s cannot be exceeded")


@dataclass(frozen=True, kw_only=True)
class Machine:
    """Groups of nodes, in the order in which nodes are numbered."""

    groups: tuple[Group, ...]
    name: str = "machine"
    unit: Amounts = field(default_factory=one_core)
    """What jobs come in: so many processors of a trace, `core`, are one unit on one node."""
    kinds: Mapping[int, Amounts] = field(default_factory=dict)
    """Units of another kind, by the number of the partition that the trace names."""
    queues: Mapping[int, Queue] = field(default_factory=dict)
    """By the number of the queue that the trace names."""
    critical: tuple[str, ...] | None = None
    """Resources to be spared for who needs them; None: those that some nodes are without."""
    grid: tuple[int, ...] = ()
    """The extents of a grid that the nodes form, the last counted fastest; empty: a line."""
    leaf_nodes: int = 0
    """So many nodes share a leaf switch, in order; 0: all."""
    score: str = XFACTOR
    """Who has more goes first, where a scheduler heeds that: a formula over `SCORED`."""
    speedups: "Speedups | None" = None
    """How fast jobs run on halves of nodes, by who is beside them; None: all at speed 1."""
    network: "Network | None" = None
    """None: it does not matter how far the nodes of a job are from one another."""
    talks: float = 0.0
    """The share of its time that a job spends on messages if its nodes are as near as can be."""

    def __post_init__(self) -> None:
        if not self.groups:
            raise ValueError("a machine needs at least one group of nodes")
        for told in (self.unit, *self.kinds.values()):
            self._check_unit(told)
        if unknown := set(self.critical or ()) - set(self.resources):
            raise ValueError(f"no node has {sorted(unknown)[0]}")
        size = 1
        for extent in self.grid:
            size *= extent
        if self.grid and (size != self.nodes or min(self.grid) < 1):
            raise ValueError(f"a grid of {self.grid} does not hold {self.nodes} nodes")
        if not 0 <= self.talks <= 1:
            raise ValueError(f"{self.talks} is no share")
        if self.network is not None and self.network.nodes < self.nodes:
            raise ValueError(f"the network joins {self.network.nodes} nodes of {self.nodes}")

    def _check_unit(self, unit: Amounts) -> None:
        if unit.get(CORE, 0) < 1 or min(unit.values()) < 0:
            raise ValueError(f"a unit needs at least one {CORE}, and no less than 0 of others")
        for name in unit:
            if name not in self.resources:
                raise ValueError(f"no node has {name}, which a unit asks for")

    @cached_property
    def score_formula(self) -> "Formula":
        """The formula of the score. Raises FormulaError."""
        from predictor.priority.formula import compile_formula

        return compile_formula(self.score, SCORED)

    @cached_property
    def resources(self) -> tuple[str, ...]:
        """The names of all resources, cores first."""
        names = dict.fromkeys((CORE, *(name for group in self.groups for name in group.has)))
        return tuple(names)

    @cached_property
    def nodes(self) -> int:
        """How many nodes there are."""
        return sum(group.nodes for group in self.groups)

    @cached_property
    def cores(self) -> int:
        """How many cores all nodes have."""
        return self.total(CORE)

    @cached_property
    def one_kind(self) -> bool:
        """Whether all jobs come in units of one kind, so that counting units is enough."""
        return not self.kinds and (MEMORY not in self.resources or MEMORY in self.unit)

    @cached_property
    def scarce(self) -> tuple[str, ...]:
        """The resources to be spared for who needs them."""
        if self.critical is not None:
            return self.critical
        lacking = (n for n in self.resources if not all(g.has.get(n, 0) for g in self.groups))
        return tuple(name for name in lacking if self.total(name))

    def total(self, resource: str) -> int:
        """Return how much of a resource all nodes have."""
        return sum(group.nodes * group.has.get(resource, 0) for group in self.groups)

    def column(self, resource: str) -> list[int]:
        """Return how much of a resource each node has."""
        return [group.has.get(resource, 0) for group in self.groups for _ in range(group.nodes)]

    def unit_of(self, partition: int) -> Amounts:
        """Return what one unit of a job of that partition takes."""
        return self.kinds.get(partition, self.unit)

    def queue(self, number: int) -> Queue:
        """Return what is special about a queue."""
        return self.queues.get(number, PLAIN)


PLAIN: Final = Queue()
"""A queue of which nothing is told."""


def alike(nodes: int, cores: int, name: str = "machine") -> Machine:
    """Return a machine of so many nodes with so many cores each."""
    return Machine(name=name, groups=(Group(name="nodes", nodes=nodes, has={CORE: cores}),))
