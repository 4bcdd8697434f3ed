"""What the API answers, as types: the OpenAPI document is made of them."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

SCHEMA = "queuecast/1"


class Body(BaseModel):
    """Base of all: nothing but the fields listed."""

    model_config = ConfigDict(extra="forbid")


class Freshness(Body):
    """How old an answer is. Instants are RFC 3339 in UTC."""

    schema_: Literal["queuecast/1"] = Field(alias="schema")
    cluster: str
    snapshot_at: str
    """When the cluster was looked at."""
    computed_at: str
    age_seconds: int
    """The age of the snapshot."""
    stale: bool
    """Whether it is older than the site allows."""
    policy: str


class Job(Body):
    """A job and what is said about it."""

    job_id: str
    partition: str
    """Where it runs or will start; all its partitions, with commas, where that is open."""
    name: str
    user: str
    account: str
    qos: str
    state: str
    """`pending`; `configuring`, `running`, `suspended`, `completing`; or how it ended."""
    nodes: int
    """How many it asked for, at least."""
    limit_s: int | Literal["UNLIMITED"] | None
    submitted_at: str | None
    likely_start: str | None
    """Null unless it waits and a start can be told. For an array: of its next task."""
    likely_start_epoch: int | None
    last_task_start: str | None
    """When the last waiting task of an array starts."""
    started_at: str | None
    ended_at: str | None
    nodelist: str
    """The nodes it has or will have, as a hostlist."""
    rank: int | None
    """Its place in the queue, from 1."""
    cause: str | None
    """Why it does not start at once."""
    not_predicted_reason: str | None
    """Why no start can be told; null if one is, or if none is needed."""
    detail: str
    """The same as a sentence."""


class JobAnswer(Freshness, Job):
    """One job."""


class Forecasts(Freshness):
    """A page of jobs, the waiting ones in queue order."""

    jobs: list[Job]
    unknown_jobs: list[str]
    """Those of the ids asked for that the snapshot does not know."""
    next: str | None
    """The `cursor` of the next page; null on the last."""


class Count(Body):
    """How many jobs a partition has."""

    partition: str
    pending: int
    running: int
    finished: int


class Cluster(Freshness):
    """A cluster in numbers."""

    source: str
    jobs_private: bool
    """The site keeps jobs private: single jobs are not shown."""
    hidden: list[str]
    """What could not be seen, and why."""
    quarantined: int
    """Records that could not be understood and were left out."""
    partitions: list[Count]
    unpredicted: dict[str, int]
    """Waiting jobs without a start, by reason."""


class Clusters(Body):
    """All clusters served here."""

    schema_: Literal["queuecast/1"] = Field(alias="schema")
    clusters: list[Cluster]


class Health(Body):
    """Fine."""

    status: Literal["ok"]


class Wrong(Body):
    """One parameter that was refused."""

    parameter: str
    detail: str


class Problem(BaseModel):
    """What went wrong, by RFC 9457."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    errors: list[Wrong] = []
