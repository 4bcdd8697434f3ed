"""What a job asks for."""

from dataclasses import dataclass
from enum import Enum

from predictor.domain.amounts import Limit, Tres


class Sharing(Enum):
    """Whom a job tolerates beside it on its nodes."""

    SHARED = "shared"
    """Other jobs may use the rest of a node."""
    AGREES = "agrees"
    """They may even use its own CPUs, where its partition lets them."""
    USER = "user"
    """Only jobs of the same user may."""
    EXCLUSIVE = "exclusive"
    """Nobody: the job takes whole nodes, whatever it asks per node."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a job asked for. Names ending in `_s` are whole seconds, in `_mb` MiB.

    CPUs are counted as the batch system counts them (cores or hardware threads).
    """

    nodes: int
    """The least number of nodes."""
    cpus: int
    """CPUs over all nodes, at least."""
    cpus_named: int | None = None
    """The CPUs it names, where tasks that have cores to themselves take more; None: `cpus`."""
    nodes_named: int | None = None
    """The least number it names, where that could not hold its CPUs or tasks; None: `nodes`."""
    limit_s: Limit = None
    """The wall-time limit; None: not given, the partition's applies."""
    limit_min_s: int | None = None
    """The shortest limit the job would accept (`--time-min`)."""
    nodes_max: int | None = None
    """The most nodes it would take; None: as many as `nodes`."""
    cpus_per_node: int | None = None
    """The least CPUs on each node; None: `cpus` spread evenly."""
    tasks_per_node: int | None = None
    """So many of its tasks are on each node; None: it does not say that."""
    cpus_per_core: int | None = None
    """It uses at most so many CPUs of a core, and has all of them; None: as many as there are."""
    uneven: bool = False
    """Whether nodes may give different numbers of the CPUs, each `cpus_per_node` (1) at least."""
    scattered: bool = False
    """Whether it wants to lie on as many nodes as it may, be they busy."""
    memory_per_node_mb: int | None = None
    """None: not given per node; 0: all of the node's memory."""
    memory_per_cpu_mb: int | None = None
    tmp_disk_mb: int = 0
    """The least local disk of each node."""
    gres_per_node: Tres = ()
    """Generic resources on each node, by name and type: `(("gpu:a100", 2),)`."""
    gres_total: Tres = ()
    """Generic resources over all nodes together."""
    licenses: Tres = ()
    other_licenses: Tres = ()
    """Any one of these would do in their place."""
    sharing: Sharing = Sharing.SHARED
    features: str = ""
    """The constraint as written, e.g. `fast&(a|b)`; empty: none."""
    required_nodes: tuple[str, ...] = ()
    excluded_nodes: tuple[str, ...] = ()
    contiguous: bool = False
    switches: int | None = None
    """At most so many leaf switches; None: any."""
    switches_wait_s: int | None = None
    """So long it insists on that while it could start elsewhere; None: for ever."""
    uncounted: tuple[str, ...] = ()
    """What it asks for besides that no plan counts, in the batch system's words.

    It may have to wait longer for that, or lie elsewhere.
    """

    def __post_init__(self) -> None:
        if self.nodes < 1:
            raise ValueError(f"a job needs at least one node, not {self.nodes}")
        for cpus in (self.cpus, self.cpus_named):
            if cpus is not None and cpus < 1:
                raise ValueError(f"a job needs at least one CPU, not {cpus}")
        if self.cpus_per_core is not None and self.cpus_per_core < 1:
            raise ValueError(f"a job uses at least one CPU of a core, not {self.cpus_per_core}")
        if isinstance(self.limit_s, int) and self.limit_s < 0:
            raise ValueError(f"a wall-time limit cannot be negative: {self.limit_s}")

    @property
    def nodes_asked(self) -> int:
        """Return the least number of nodes it names, whether or not these could hold its CPUs."""
        return self.nodes if self.nodes_named is None else self.nodes_named
