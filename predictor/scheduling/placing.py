"""The words of planning: what is asked for, and where it goes. Sets of nodes are bitmaps."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations

from predictor.domain import Tres


class Trimming(Enum):
    """When no more CPUs of nodes count where these are compared than are taken of each."""

    NEVER = "never"
    SHARED = "shared"
    """Unless it is tried as if nodes were shared with nobody."""
    ALWAYS = "always"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How a total of CPUs may lie on nodes of which each gives as many as it has."""

    cpus: int
    """All nodes together."""
    share: int
    """The shape of the least that a node gives, with what is taken of it besides."""
    besides: int
    """The shape of what is taken of a node beside CPUs and memory for these."""
    task: int
    """How many CPUs a task takes. They are all on one node."""
    pieces: int
    """In how many pieces it gets its generic resources, 1 or more."""
    piece_gres: Tres
    """The generic resources of one piece; empty: it wants none.

    A piece goes with a task, if there are as many tasks as pieces, else anywhere.
    """
    whole_tasks: bool
    """Whether of a node only CPUs for whole tasks count."""
    memory_per_cpu_mb: int
    nodes_least: int
    nodes_wanted: int
    """It is spread so far if possible."""
    nodes_most: int
    """0: any number."""
    scattered: bool = False
    """Whether nodes are taken as they come, not those that fit best."""
    whole: bool = False
    """Whether each gives all it has."""
    widest_first: bool = False
    """Whether the widest come first where some might be too narrow, and one alone is as good as any
    other that suffices."""
    weakest_singly: bool = False
    """Whether those that can give least are left out one by one where all there would not do."""

    @property
    def loose(self) -> bool:
        """Whether it wants generic resources that do not go with its tasks: of each node some."""
        return bool(self.piece_gres) and self.pieces * self.task != self.cpus

    @property
    def unit(self) -> int:
        """Of a node only multiples of so many CPUs count."""
        return self.task if self.whole_tasks else 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """One way to place a job: so many nodes out of a set, for so long."""

    partition: str
    shape: int
    """The number the machine gave it."""
    nodes: int
    candidates: int
    """Bitmap of the nodes that may be chosen."""
    lacking: int = 0
    """Bitmap of more nodes, on which ends of jobs count though they lack what it asks for."""
    required: int = 0
    """Bitmap of the nodes that must be among the chosen."""
    duration_s: int
    least_s: int = 0
    """It would accept to be ended after so long; 0: no sooner than after `duration_s`."""
    qos: str = ""
    reservation: str = ""
    drawn_by: str = ""
    """The same, if it does not ask for it, but is drawn in."""
    licenses: Tres = ()
    members: int = 0
    """Bitmap of all nodes of the partition."""
    unit: int = 1
    """CPUs count in so many where nodes are compared."""
    trimmed: Trimming = Trimming.NEVER
    """When no more of them count there than it takes of each node."""
    contiguous: bool = False
    """Whether the nodes must be neighbours."""
    switches: int = 0
    """On at most so many leaf switches, as long as the job insists on it; 0: on any number."""
    groups: tuple[tuple[int, int], ...] = ()
    """So many nodes must be of each of these bitmaps, none counting twice; two overlap at most."""
    user: str = ""
    """Whose job it is."""
    beside_own: int | None = None
    """The shape it takes where only its own user's jobs share its nodes; None: it does not so."""
    spread: Spread | None = None
    """How nodes may give different numbers of CPUs; else each gives the shape. Then that is about
    what a node gives."""
    out_of_order: bool = False
    """Whether too many of the nodes are down or drained: it cannot be met."""
    overlong: bool = False
    """Whether it is within the partition's bounds only if it is ended sooner than it asks for."""

    @property
    def size(self) -> int:
        """What is counted up for it: nodes, or CPUs where nodes may give different numbers."""
        return self.nodes if self.spread is None else self.spread.cpus

    @property
    def nodes_claimed(self) -> int:
        """As how many nodes limits count it before it has some."""
        if self.spread is None or not self.spread.whole:
            return self.nodes
        return self.spread.nodes_wanted

    @property
    def taken(self) -> int:
        """The shape that is really taken of each node."""
        return self.shape if self.beside_own is None else self.beside_own

    @property
    def beside_cpus(self) -> int:
        """The shape that is taken of each node alike: without CPUs if these may be different."""
        return self.taken if self.spread is None else self.spread.besides


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A piece of a job that is placed as one; `ways` are tried, the earliest start wins."""

    job_id: str
    ways: tuple[Need, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A job in the queue. Several parts (a heterogeneous job) must start together."""

    id: str
    parts: tuple[Part, ...]

    @property
    def partition(self) -> str:
        """The partition in which it stands in the queue."""
        return self.parts[0].ways[0].partition


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """Nodes (a bitmap) held from `start_at` to `end_at`, with what is taken of each."""

    start_at: int
    end_at: int
    nodes: int
    shape: int
    licenses: Tres = ()
    user: str = ""
    """Who holds them; empty: not told."""
    beside_own: int | None = None
    """As in `Need`."""

    @property
    def taken(self) -> int:
        """The shape that is really taken of each node."""
        return self.shape if self.beside_own is None else self.beside_own


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Where a part goes: which of its ways, and the nodes and hours it holds."""

    part: Part
    need: Need
    holding: Holding
    given: tuple[tuple[int, int], ...] = ()
    """So many CPUs each node gives of a bitmap; empty: what the shape says, or it is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """When an ask starts, with one `Placed` for each part."""

    ask: Ask
    start_at: int
    placed: tuple[Placed, ...]

    @property
    def end_at(self) -> int:
        """When the last of its parts ends."""
        return max(placed.holding.end_at for placed in self.placed)


def has_all(nodes: int, groups: Sequence[tuple[int, int]]) -> bool:
    """Return whether as many of each group are among the nodes as are wanted of it."""
    return all((nodes & of_group).bit_count() >= least for of_group, least in groups) and all(
        (nodes & (of_group | other)).bit_count() >= least + more
        for (of_group, least), (other, more) in combinations(groups, 2)
    )
