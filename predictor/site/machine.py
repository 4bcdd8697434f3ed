"""The tables that describe a machine which its batch system does not describe."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from predictor.domain.node import MOST_CPUS
from predictor.site.preemption import Fate, Span
from predictor.site.table import Table
from predictor.site.values import (
    Count,
    CountLimit,
    Hostlist,
    Name,
    TimeLimit,
    refuse,
)

Names = Annotated[tuple[Name, ...], Field(strict=False)]
Hostlists = Annotated[tuple[Hostlist, ...], Field(strict=False)]
Positive = Annotated[int, Field(ge=1)]


class Queue(Table):
    """A queue; what is not given here stays as the batch system tells it."""

    name: Name
    """As the jobs name it."""
    nodes: Hostlists | None = None
    """Groups from `[[nodes]]` by name, or hostlists; a queue nobody else knows has all nodes."""
    default: bool | None = None
    """Whether jobs that name no queue wait here."""
    tier: int | None = None
    """Jobs of a higher tier come first, whatever their priority."""
    job_factor: int | None = None
    """The queue's weight: `partition_job_factor` in formulas."""
    max_time_s: TimeLimit = None
    """The longest limit a job may ask for."""
    default_time_s: TimeLimit = None
    """The limit of jobs that ask for none."""
    min_nodes: Count | None = None
    """The fewest nodes a job may ask for."""
    max_nodes: CountLimit = None
    """The most nodes a job may ask for."""
    sharing: Literal["exclusive", "shared"] | None = None
    """Whether a job has its nodes to itself or only its CPUs."""
    jobs_per_cpu: Positive | None = None
    """How many jobs of a shared queue run on one CPU."""
    accounts: Names | None = None
    """The only accounts that may use it; empty: all."""
    qos: Name | None = None
    """The QOS from `[[qos]]` whose limits bind all jobs of the queue."""
    eviction: Fate | None = None
    """What becomes of its jobs that must make room for others, if tiers decide that."""
    grace_s: Span | None = None
    """How long they may go on then."""


class NodeGroup(Table):
    """Nodes that are alike."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]*$")] = ""
    """By which queues refer to them."""
    hosts: Hostlist
    """Which nodes they are."""
    cpus: Annotated[int, Field(ge=1, le=MOST_CPUS)]
    """CPUs that jobs can use on each."""
    memory_mb: Count | None = None
    """Memory that jobs can use on each, in MiB."""
    gres: dict[Name, Count] | None = None
    """Generic resources on each, e.g. `{ "gpu:a100" = 4 }`."""
    features: Names | None = None
    """Words by which jobs can ask for them."""
    weight: Count | None = None
    """Nodes of lower weight are taken first."""
    switches: Names | None = None
    """The network switches above each, the nearest first."""


class Bounds(Table):
    """How much may be running or waiting at a time."""

    max_jobs: CountLimit = None
    """Running jobs together."""
    max_submitted: CountLimit = None
    """Running and waiting jobs together."""
    max_nodes: Count | None = None
    """Nodes of running jobs together."""
    max_cpus: Count | None = None
    """CPUs of running jobs together."""
    max_jobs_per_user: CountLimit = None
    """Running jobs of one user."""
    max_submitted_per_user: CountLimit = None
    """Running and waiting jobs of one user."""
    max_nodes_per_user: Count | None = None
    """Nodes of one user's running jobs."""
    max_cpus_per_user: Count | None = None
    """CPUs of one user's running jobs."""
    max_nodes_per_job: Count | None = None
    """Nodes of one job."""
    max_cpus_per_job: Count | None = None
    """CPUs of one job."""
    max_time_per_job_s: TimeLimit = None
    """Wall time of one job."""


class QosTable(Bounds):
    """A quality of service; replaces one of the same name that the batch system tells."""

    name: Name
    """As jobs and queues name it."""
    priority: int = 0
    """Its weight: `qos_priority` in formulas."""
    usage_factor: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 1.0
    """By how much its jobs count as usage."""
    preempts: Names = ()
    """Those whose jobs must make room for its jobs, if QOS decide that."""
    eviction: Fate | None = None
    """What becomes of its own jobs that must."""
    grace_s: Span = 0
    """How long they may go on then."""
    exempt_s: Span | None = None
    """None must that has run for less time; unset: as for all."""


class LimitTable(Bounds):
    """Limits of one queue, one account, or one user (in one account or in all of them)."""

    queue: Name | None = None
    """The queue whose jobs they bind."""
    account: Name | None = None
    """The account whose jobs they bind."""
    user: Name | None = None
    """The user whose jobs they bind."""
    priority: int | None = None
    """Of the user or account: `user_priority` and `account_priority` in formulas."""

    @model_validator(mode="after")
    def _binds_somebody(self) -> "LimitTable":
        if self.queue is not None and (self.user or self.account):
            raise refuse("either a queue, or a user or account", "both")
        if not (self.queue or self.user or self.account):
            raise refuse("a queue, account or user whom it binds", "none")
        if self.queue is not None and self.priority is not None:
            raise refuse("job_factor or tier in [[queues]] to weigh a queue", "priority")
        return self
