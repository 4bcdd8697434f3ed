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


class Quality(Body):
    """How good answers to jobs like this one were of late."""

    like: str
    """What those jobs have in common."""
    jobs: int
    """So many are known to have started, or to have missed their windows."""
    since: str | None
    """From when on they were answered."""
    typical_error_s: int
    """Half of them were at most so far off."""
    coverage80: float
    """The share of windows of 80 % that held."""


class Deadline(Body):
    """How probably a job starts by an instant that was asked for."""

    by: str
    probability: float


class Share(Body):
    """Jobs, and the node-hours they are planned for."""

    jobs: int
    node_hours: float


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
    ahead: Share | None
    """Jobs before it in the queue that start before it on nodes it could use; null: not known."""
    cause: str | None
    """Why it does not start at once."""
    not_predicted_reason: str | None
    """Why no start can be told; null if one is, or if none is needed."""
    detail: str
    """The same as a sentence."""
    p10: str | None
    """It starts from here on with 90 %: to `p90` it is the window of 80 %. Null: not told."""
    p50: str | None
    """It starts as probably earlier as later."""
    p90: str | None
    by95: str | None
    """It starts by then with 95 %."""
    basis: str | None
    """How it is believed to run, as a clause: `as the last 9 jobs of this user: half of them …`."""
    quality: Quality | None
    """Null: nothing is known yet of answers to jobs like this one."""
    deadline: Deadline | None
    """Null unless `by` was asked for and a chance can be told."""


class Awaited(Body):
    """Another job that must end, or start, first."""

    job_id: str | None
    """Null: not to be named."""
    user: str | None
    at: str | None
    """When that is expected."""
    nodes: int
    """How many of the nodes waited for its end opens."""
    waits: bool
    """Whether it waits itself."""
    starts: bool
    """Whether its start is enough."""


class InTheWay(Body):
    """A reservation that a job waits for."""

    name: str | None
    """Null: not to be named."""
    start_at: str | None
    end_at: str | None
    own: bool
    """Whether it is the one the job asked for."""


class Explanation(Body):
    """Why a waiting job starts no earlier; for an array, its next task. Names are bounded."""

    sentences: list[str]
    """All of it in English, with instants in the site's time."""
    nodes: int
    """How many it needs."""
    nodes_free: int | None
    """How many could hold it now; null for a heterogeneous job."""
    nodes_down: int
    """How many more could, were they not down or drained."""
    waits_for: list[Awaited]
    """Whose ends open the nodes it starts on, the latest end first."""
    waits_for_more: int
    ahead: Share
    """Jobs before it in the queue that start before it on nodes it could use."""
    let_past: Share
    """Jobs behind it in the queue that do so."""
    passes_jobs: int
    """Jobs before it in the queue that start after it."""
    limit: str | None
    """The limit that holds it back."""
    limit_later: bool
    """Whether that binds only when others have started, and until it starts."""
    licenses: list[str]
    array_limit: int | None
    lifted_by: Awaited | None
    """The last whose end lets it past its limit, to its licenses, or on as its array's next."""
    reservation: InTheWay | None
    dependencies: list[Awaited]
    dependencies_more: int
    any_dependency: bool
    """Whether one of its conditions is enough."""
    makes_leave: list[Awaited]
    """Those who must make room for it, and when they are gone."""
    makes_leave_more: int
    gives_way: bool
    """Whether others may make it leave once it runs."""
    not_before: str | None
    planned_start: str | None
    """When it starts in the plan that is told here, of many courses one."""
    uncounted: list[str]
    """What it asks for that is not counted, in the batch system's words: it may wait longer."""
    turn_from: str | None
    """From when on nothing told here keeps it any more: others come first all the same."""


class Told(Body):
    """What a job was told before."""

    at: str | None
    likely_start: str | None
    p10: str | None
    p90: str | None
    moved_by: str | None
    """What moved it since the answer before, as a clause; null: the first, or not known."""


class JobAnswer(Freshness, Job):
    """One job."""

    explanation: Explanation | None
    """Null unless it waits and a start can be told."""
    history: list[Told]
    """What it was told so far, the newest last; an answer that hardly differs is not repeated."""


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


class Accuracy(Body):
    """How good answers like those to the jobs that wait were of late."""

    jobs: int
    """So many are known to have started, or to have missed their windows."""
    typical_error_s: int
    """Half of them were at most so far off."""
    coverage80: float
    """The share of windows of 80 % that held."""


class Alarm(Body):
    """Answers are other than they were."""

    figure: str
    """`off`, `lean`, `held` or `agreement`."""
    what: str
    """What that is, in words."""
    whom: str
    """The jobs it is of."""
    since: str | None
    raised: str | None
    before: float
    after: float
    sentence: str
    """All of it in English."""


class Accounting(Body):
    """How much of what no look has shown is known from accounting."""

    behind_s: int
    """So much time it is still to be asked about."""
    missing: int
    """So many jobs are gone of which nobody has told yet how they ended."""
    repaired: int
    """Of so many it was told later, since the service began."""
    unrepaired: int
    """On so many the service gave up."""
    error: str
    """Why accounting did not answer when it was asked last; empty: it did."""


class Trouble(Body):
    """Why the newest looks at the cluster brought nothing."""

    looks: int
    """So many in a row."""
    kind: str
    """What was wrong with the last one, as the metrics name it."""
    cause: str
    next_look_at: str
    sentence: str
    """All of it in English."""


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
    quality: Accuracy | None
    """Null: nothing is known yet."""
    trouble: Trouble | None
    """What keeps newer answers away; null: nothing."""
    alarms: list[Alarm]
    """Those of the last week, the newest first."""
    accounting: Accounting


class Clusters(Body):
    """All clusters served here."""

    schema_: Literal["queuecast/1"] = Field(alias="schema")
    clusters: list[Cluster]


class Me(Body):
    """Who asks, as far as known, and what that one may see."""

    schema_: Literal["queuecast/1"] = Field(alias="schema")
    user: str | None
    role: Literal["anonymous", "user", "operator"]
    how: str | None
    """How that is known, as a clause."""
    sees_jobs: Literal["none", "own", "all"] | None
    """Null: before the first result."""


class Bar(Body):
    """Nodes held for a while."""

    job_id: str | None
    """Null: a job that is not shown."""
    user: str | None
    own: bool
    """Whether it is the one's who asks."""
    partition: str
    waits: bool
    start_at: str | None
    end_at: str | None
    """By when it has ended: a running job by its limit, a waiting one as foreseen."""
    nodes: str
    """As a hostlist."""


class SetApart(Body):
    """A reservation, or one of its recurrences."""

    name: str
    start_at: str | None
    end_at: str | None
    nodes: str


class Schedule(Freshness):
    """Who holds which nodes when, as foreseen in the most likely course."""

    bars: list[Bar]
    more: bool
    """Whether there are more than are told."""
    reservations: list[SetApart]
    nodes: list[str]
    """The nodes asked for, in the batch system's order."""


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
    """`about:blank`, or `urn:queuecast:starting`: just started, and answers within seconds."""
    title: str
    status: int
    detail: str
    instance: str
    errors: list[Wrong] = []
