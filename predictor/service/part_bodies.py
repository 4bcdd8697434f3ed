"""What the API answers of the parts of a cluster, as types."""

from typing import Literal

from predictor.service.bodies import Accuracy, Alarm, Body, Explanation, Freshness, Quality, Told


class PartitionBody(Body):
    """A partition and its rules."""

    name: str
    state: Literal["up", "down", "drain", "inactive"]
    default: bool
    tier: int
    """Jobs of a higher tier come first, whatever their priority."""
    nodes: int
    max_time_s: int | Literal["UNLIMITED"] | None
    """Null: not told."""
    default_time_s: int | Literal["UNLIMITED"] | None
    min_nodes: int
    max_nodes: int | Literal["UNLIMITED"] | None


class Partitions(Freshness):
    """The partitions of a cluster."""

    partitions: list[PartitionBody]


class Waiting(Body):
    """What waits for a partition, and what runs there."""

    partition: str
    """All of a job's partitions, with commas, where it is open which one it will start in."""
    pending_jobs: int
    """Records of the queue: an array's waiting tasks are one."""
    pending_tasks: int
    running_jobs: int
    pending_node_hours: float | None
    """Nodes times planned time of all that waits; null: of too few jobs of others to tell."""
    unpredicted_jobs: int
    """Waiting jobs without a start."""
    last_start: str | None
    """When the last that waits now is likely to start; null: none will, or as above."""


class Backlog(Freshness):
    """What waits, by partition."""

    partitions: list[Waiting]


class ReservationBody(Body):
    """Nodes or licenses set apart."""

    name: str
    start_at: str | None
    end_at: str | None
    nodes: str
    """As a hostlist."""
    partition: str | None
    flags: list[str]


class Reservations(Freshness):
    """The reservations of a cluster."""

    reservations: list[ReservationBody]


class Accuracies(Freshness):
    """How good answers were of late, for the jobs that wait now and by what these have in common.

    Nothing is made up: what is not judged yet is not there.
    """

    quality: Accuracy | None
    """Null: nothing is known yet."""
    classes: list[Quality]
    alarms: list[Alarm]
    """Those of the last week, the newest first."""


class JobExplanation(Freshness):
    """Why one job starts no earlier."""

    job_id: str
    cause: str | None
    not_predicted_reason: str | None
    detail: str
    explanation: Explanation | None
    """Null unless it waits and a start can be told."""


class JobHistory(Freshness):
    """What one job was told so far."""

    job_id: str
    history: list[Told]
    """The newest last; an answer that hardly differs is not repeated."""
