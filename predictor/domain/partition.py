"""A partition: a queue with its nodes and rules."""

from dataclasses import dataclass
from enum import Enum

from predictor.domain.amounts import Limit
from predictor.domain.preemption import Eviction


class PartitionState(Enum):
    """Whether a partition takes and starts jobs."""

    UP = "up"
    """Takes and starts."""
    DOWN = "down"
    """Takes jobs, starts none."""
    DRAIN = "drain"
    """Starts what waits, takes no new jobs."""
    INACTIVE = "inactive"
    """Neither."""


class NodeSharing(Enum):
    """How many jobs a partition lets onto one node."""

    EXCLUSIVE = "exclusive"
    """One: every job takes whole nodes."""
    NO = "no"
    """Several jobs per node, one per CPU."""
    YES = "yes"
    """Several jobs per CPU, where the job agrees."""
    FORCE = "force"
    """Several jobs per CPU, always."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Partition:
    """A queue with its nodes and rules. Empty allow lists allow everyone."""

    name: str
    node_names: tuple[str, ...]
    """In the batch system's node order."""
    state: PartitionState = PartitionState.UP
    is_default: bool = False
    tier: int = 1
    """Jobs of a higher tier come first, whatever their priority."""
    job_factor: int = 1
    max_time_s: Limit = None
    default_time_s: Limit = None
    min_nodes: int = 0
    max_nodes: Limit = None
    max_cpus_per_node: Limit = None
    sharing: NodeSharing = NodeSharing.NO
    jobs_per_cpu: int = 1
    exclusive_user: bool = False
    spread: bool = False
    """Prefer the least loaded node (LLN)."""
    default_memory_per_cpu_mb: int | None = None
    default_memory_per_node_mb: int | None = None
    max_memory_per_cpu_mb: int | None = None
    max_memory_per_node_mb: int | None = None
    allow_accounts: tuple[str, ...] = ()
    deny_accounts: tuple[str, ...] = ()
    allow_groups: tuple[str, ...] = ()
    group_members: tuple[str, ...] = ()
    """Users who are in `allow_groups` by another group than their primary one."""
    groups_told: bool = False
    """Whether `group_members` is known."""
    allow_qos: tuple[str, ...] = ()
    deny_qos: tuple[str, ...] = ()
    qos: str = ""
    """The QOS whose limits bind every job here; empty: none."""
    grace_s: int = 0
    over_time_s: Limit = None
    eviction: Eviction | None = None
    """What becomes of its jobs that must make room; None: what the settings say."""
    preempts_by_priority: bool = False
    """Whether its jobs make nobody leave who has a higher priority."""
    billing_weights: tuple[tuple[str, float], ...] = ()
    sleeps_after_s: Limit = None
    """Its nodes sleep once they have been idle for so long; None: as the settings say."""
    boot_s: int | None = None
    """How long its nodes take at most to wake; None: as the settings say."""
    dozes_s: int | None = None
    """How long its nodes take at most to fall asleep; None: as the settings say."""
