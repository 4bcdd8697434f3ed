"""A compute node and what can be had of it."""

from dataclasses import dataclass
from enum import Enum

from predictor.domain.amounts import Tres


class NodeState(Enum):
    """What a node mainly is."""

    IDLE = "idle"
    MIXED = "mixed"
    ALLOCATED = "allocated"
    DOWN = "down"
    UNKNOWN = "unknown"
    """Also every state we have no word for: such a node is not planned with."""


class NodeFlag(Enum):
    """What holds of a node besides its state."""

    DRAIN = "drain"
    FAIL = "fail"
    NOT_RESPONDING = "not_responding"
    INVALID = "invalid"
    COMPLETING = "completing"
    MAINTENANCE = "maintenance"
    RESERVED = "reserved"
    PLANNED = "planned"
    POWERED_DOWN = "powered_down"
    POWERING_UP = "powering_up"
    POWERING_DOWN = "powering_down"
    REBOOT = "reboot"
    RETURNING = "returning"
    """It is being rebooted, and is in service again after that."""
    BLOCKED = "blocked"
    """It is kept for a job nearby that shares its part of the network with nobody."""


UNUSABLE_STATES = frozenset({NodeState.DOWN, NodeState.UNKNOWN})
UNUSABLE_FLAGS = frozenset(
    {NodeFlag.DRAIN, NodeFlag.FAIL, NodeFlag.NOT_RESPONDING, NodeFlag.INVALID}
)

AWAY_FLAGS = frozenset({NodeFlag.RETURNING, NodeFlag.BLOCKED})

ASLEEP_FLAGS = (NodeFlag.POWERING_UP, NodeFlag.POWERED_DOWN, NodeFlag.POWERING_DOWN)
"""A node of these has to boot before a job runs on it; the first will have soonest."""
HEAVIEST = 2**32
MOST_CPUS = 2**24
"""No node has more; tables as long as its CPUs are made of the largest one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A compute node. Amounts are what jobs can use of it, in all."""

    name: str
    cpus: int
    memory_mb: int
    state: NodeState
    flags: frozenset[NodeFlag] = frozenset()
    cpus_per_core: int = 1
    """Hardware threads that are handed out together."""
    sockets: int = 1
    gres: Tres = ()
    """Generic resources by name and type: `(("gpu:a100", 4),)`."""
    features: tuple[str, ...] = ()
    tmp_disk_mb: int = 0
    """Local disk. Jobs ask for nodes that have it; none takes it away from others."""
    weight: int = 1
    """Nodes of lower weight are taken first."""
    cpus_allocated: int = 0
    memory_allocated_mb: int = 0
    owner: str = ""
    """The one user whose jobs may use it for now; empty: anyone."""
    switches: tuple[str, ...] = ()
    """The network switches above it, the nearest first; empty: not told."""
    reason: str = ""
    """Why it is down or drained, as an administrator put it."""
    boot_at: int | None = None
    back_by: int | None = None
    """By when one that returns is in service again; None: not told."""
    idle_since: int | None = None
    """Since when nobody has been on it, if so; None: not told."""

    def __post_init__(self) -> None:
        if not 0 <= self.cpus <= MOST_CPUS or self.cpus_per_core < 1:
            raise ValueError(f"a node has no {self.cpus} CPUs, {self.cpus_per_core} of a core")

    @property
    def usable(self) -> bool:
        """Whether jobs can be planned on it, be it later. While it sleeps it need not respond."""
        if NodeFlag.RETURNING in self.flags:
            return True
        excused = {NodeFlag.NOT_RESPONDING} if self.asleep else set()
        return self.state not in UNUSABLE_STATES and not (self.flags & UNUSABLE_FLAGS - excused)

    @property
    def returning(self) -> bool:
        """Whether nobody can start on it yet, as it is being rebooted or is blocked."""
        return not self.flags.isdisjoint(AWAY_FLAGS)

    @property
    def asleep(self) -> bool:
        """Whether a job that is placed on it begins only after it has booted."""
        return not self.flags.isdisjoint(ASLEEP_FLAGS)

    @property
    def rank(self) -> int:
        """Nodes of lower rank are taken first: those awake before all others, then by weight."""
        places = enumerate(ASLEEP_FLAGS, start=1)
        return max((p for p, flag in places if flag in self.flags), default=0) * HEAVIEST + (
            self.weight
        )
