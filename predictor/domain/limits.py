"""Limits, and who they bind: QOS, associations, fairshare."""

from dataclasses import dataclass
from enum import Enum

from predictor.domain.amounts import Limit, Tres
from predictor.domain.preemption import Eviction


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The bounds of a QOS or an association. None or an empty bundle: no such bound.

    Names follow Slurm's: `group_*` bind all jobs together, `max_*` one user's, one account's
    (`_per_account`) or one job's (`_per_job`, `_per_node`). Minutes are TRES-minutes.
    """

    group_jobs: Limit = None
    group_submit: Limit = None
    group_tres: Tres = ()
    group_tres_minutes: Tres = ()
    group_tres_run_minutes: Tres = ()
    group_wall_s: Limit = None
    max_jobs: Limit = None
    """Running jobs: of one user in a QOS, of the association itself otherwise."""
    max_submit: Limit = None
    max_tres: Tres = ()
    max_tres_run_minutes: Tres = ()
    max_jobs_per_account: Limit = None
    max_submit_per_account: Limit = None
    max_tres_per_account: Tres = ()
    max_tres_run_minutes_per_account: Tres = ()
    max_tres_per_job: Tres = ()
    max_tres_per_node: Tres = ()
    max_tres_minutes_per_job: Tres = ()
    max_wall_per_job_s: Limit = None
    min_tres_per_job: Tres = ()
    min_priority: int | None = None
    """Jobs below it get no reservation (`MinPrioThreshold`)."""
    group_accruing: Limit = None
    """Waiting jobs that grow old at a time, as age counts for priority; so are the next two."""
    max_accruing: Limit = None
    max_accruing_per_account: Limit = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """How much of its limits a QOS or an association has used up."""

    jobs: int = 0
    submitted: int = 0
    wall_minutes: float = 0.0
    tres: Tres = ()
    tres_minutes: Tres = ()
    tres_run_minutes: Tres = ()


class QosFlag(Enum):
    """How a QOS differs from the plain kind."""

    OVER_PARTITION = "over_partition"
    """It goes before the QOS of the partition."""
    NO_DECAY = "no_decay"
    """What its jobs have used up is never forgotten."""
    FACTOR_ASKED = "factor_asked"
    """Its usage factor also counts for what a job asks."""
    UNRESERVED = "unreserved"
    """Its jobs get no slots."""
    ABOVE_MAX_TIME = "above_max_time"
    """Its jobs may be longer than their partition allows."""
    ABOVE_MAX_NODES = "above_max_nodes"
    """They may be wider."""
    BELOW_MIN_NODES = "below_min_nodes"
    """They may be narrower."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Qos:
    """A quality of service."""

    name: str
    priority: int = 0
    limits: Limits = Limits()
    usage: Usage | None = None
    usage_factor: float = 1.0
    limit_factor: float = 1.0
    """By so much the limits of associations on what jobs use are larger for its jobs."""
    flags: frozenset[QosFlag] = frozenset()
    preempts: tuple[str, ...] = ()
    """The QOS whose jobs must make room for its jobs, where QOS decide that."""
    eviction: Eviction | None = None
    """What becomes of its jobs that must make room; None: what the settings say."""
    preempts_within: bool = False
    """Whether its jobs make others of its own leave that have a lower priority."""
    preempts_by_priority: bool = False
    """Whether its jobs make nobody leave who has no lower priority."""
    grace_s: int = 0
    exempt_s: int | None = None
    """Its jobs cannot be preempted when younger; None: the cluster's setting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fairshare:
    """An association's standing in the fairshare tree, as the batch system computed it."""

    shares_norm: float | None = None
    usage_raw: int = 0
    usage_norm: float | None = None
    usage_effective: float | None = None
    factor: float | None = None
    """In [0, 1]; None for an account."""
    level: float | None = None
    """Share divided by usage among siblings (Fair Tree); infinite without usage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Association:
    """A user in an account, or the account itself (`user` empty), with limits and fairshare."""

    account: str
    user: str = ""
    partition: str = ""
    """Empty: valid in all partitions."""
    parent: str = ""
    """The account above; empty for the root."""
    shares: int | None = 1
    """None: the parent's shares are used."""
    priority: int = 0
    limits: Limits = Limits()
    usage: Usage | None = None
    fairshare: Fairshare | None = None
    qos: tuple[str, ...] = ()
    default_qos: str = ""
