"""Jobs: waiting, holding nodes, and over. Three types, so that nobody needs a start of -1."""

from dataclasses import dataclass
from enum import Enum

from predictor.domain.amounts import UNLIMITED, Tres
from predictor.domain.request import Request
from predictor.domain.text import Untrusted


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayTasks:
    """Which tasks of a job array a record stands for."""

    job_id: str
    """The id all tasks share."""
    tasks: tuple[int, ...]
    """Task numbers, ascending. A waiting record holds all tasks not yet split off."""
    max_running: int | None = None
    """At most so many tasks run at a time (`%4`); None: any number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HetComponent:
    """A heterogeneous job's component; all components start together."""

    job_id: str
    """The id of the leading component."""
    offset: int


class Hold(Enum):
    """Who keeps a job from being considered."""

    NONE = "none"
    USER = "user"
    ADMIN = "admin"


class Obstacle(Enum):
    """What the batch system says keeps a job back that neither time nor free nodes will mend."""

    NONE = "none"
    LIMIT = "limit"
    """A limit of its user, account or QOS; ends when other jobs of that group end."""
    OWN_LIMIT = "own_limit"
    """A limit on what one job may have; ends when it or the job is changed."""
    USAGE = "usage"
    """Used-up minutes; fades with their decay."""
    SHARE = "share"
    """A used-up share; fades likewise."""
    ADMIN = "admin"
    """Someone must do something: the user, or an administrator."""
    NEVER = "never"
    """It cannot start as it stands."""
    UNMET = "unmet"
    """Nor can it, as what it depends on can no longer come about."""


BY_HAND = frozenset({Obstacle.ADMIN, Obstacle.NEVER, Obstacle.UNMET})
"""The obstacles that are put up and removed from outside the scheduler."""


class DependencyKind(Enum):
    """What must happen to another job first."""

    AFTER = "after"
    """It has started."""
    AFTER_ANY = "afterany"
    """It has ended."""
    AFTER_OK = "afterok"
    AFTER_NOT_OK = "afternotok"
    AFTER_CORR = "aftercorr"
    """Its task of the same number has ended well."""
    SINGLETON = "singleton"
    """No earlier job of the same name and user is left."""
    OTHER = "other"
    """A kind we do not know: the job cannot be predicted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependency:
    """One condition on another job. Conditions of a job hold all together, unless `any_of`."""

    kind: DependencyKind
    job_id: str = ""
    """Empty for SINGLETON. An array's base id stands for all its tasks."""
    delay_s: int = 0
    any_of: bool = False
    """True: it is enough that one of the job's conditions holds."""


def choices(asked: str) -> tuple[str, ...]:
    """Return the reservations, or QOS, a job asks for, any of which will do; perhaps none."""
    return tuple(name for name in asked.split(",") if name)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobSpec:
    """What is true of a job from submission on. Names ending in `_at` are UTC epoch seconds."""

    id: str
    """As the batch system writes it: `12`, `12_3`, `12_[4-9%2]`, `12+1`."""
    user: str
    request: Request
    partitions: tuple[str, ...]
    """In the order of the job's list; a started job has the one it runs in."""
    submitted_at: int
    account: str = ""
    group: str = ""
    qos: str = ""
    """Of a waiting job perhaps several, with commas between, any of which will do."""
    name: Untrusted = Untrusted("")
    comment: Untrusted = Untrusted("")
    reservation: str = ""
    """The advance reservation it asked for, or several with commas between; empty: none."""
    eligible_at: int | None = None
    """Since when, or from when on, it may be considered; None: not yet known."""
    accrues_age_since: int | None = None
    """From when on its age counts for priority; None: not yet."""
    priority: int | None = None
    """The batch system's own number; None: not shown. 0 means held."""
    nice: int = 0
    array: ArrayTasks | None = None
    het: HetComponent | None = None
    restarts: int = 0
    can_restart: bool = True
    """Whether it may be sent back into the queue when it runs."""

    @property
    def first_partition(self) -> str:
        """The first of its partitions: of a started job the one it runs in; empty: it has none."""
        return self.partitions[0] if self.partitions else ""

    @property
    def waits_since(self) -> int:
        """Since when, or from when on, it waits only for its turn; as far as is known."""
        return self.submitted_at if self.eligible_at is None else self.eligible_at


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorityFactors:
    """A waiting job's priority in one partition and its summands, as the batch system shows them.

    Weighted and rounded points, not factors in [0, 1]. None: not shown.
    """

    partition: str
    priority: int
    age: int | None = None
    association: int | None = None
    fairshare: int | None = None
    job_size: int | None = None
    partition_points: int | None = None
    qos: int | None = None
    site: int | None = None
    nice: int | None = None
    tres: Tres = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchEstimate:
    """What the batch system itself announces for a waiting job: a baseline, never the truth."""

    start_at: int | None = None
    node_names: tuple[str, ...] = ()
    evaluated_at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingJob:
    """A job that waits."""

    spec: JobSpec
    hold: Hold = Hold.NONE
    reason: str = ""
    """The batch system's word for why it waits, e.g. `Resources`."""
    obstacle: Obstacle = Obstacle.NONE
    begin_at: int | None = None
    """Not before this instant (`--begin`); None: any time."""
    start_by: int | None = None
    """The last instant at which it may start: the batch system removes it afterwards.

    It could no longer be over by its deadline (`--deadline`). None: it waits for ever.
    """
    dependencies: tuple[Dependency, ...] = ()
    """Those not yet fulfilled."""
    priorities: tuple[PriorityFactors, ...] = ()
    """One per partition where the batch system tells them."""
    estimate: BatchEstimate = BatchEstimate()

    @property
    def over_by(self) -> int | None:
        """By when it is over: what it would last beyond that is cut off its limit as it starts.

        None: it starts with all its limit, as it names no shorter one (`--time-min`).
        """
        least_s = self.spec.request.limit_min_s
        return self.start_by + least_s if self.start_by is not None and least_s else None


class RunState(Enum):
    """What a job that holds nodes is doing there."""

    CONFIGURING = "configuring"
    RUNNING = "running"
    SUSPENDED = "suspended"
    COMPLETING = "completing"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeShare:
    """What a job holds of one node."""

    node: str
    cpus: int
    memory_mb: int = 0
    gres: Tres = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningJob:
    """A job that holds nodes."""

    spec: JobSpec
    started_at: int
    allocation: tuple[NodeShare, ...]
    state: RunState = RunState.RUNNING
    suspended_s: int = 0
    """How long it stood still so far; its limit does not count that time."""
    stopped_since: int | None = None
    """Since when it stands still because a person wants it to, until one lets it go on.

    Others get its CPUs meanwhile, not what else it holds. None: it does not.
    """
    spared_until: int | None = None
    """When its grace time is over, if it is to make room for others; None: it is not."""

    @property
    def ends_by(self) -> int | None:
        """When its limit is over; None if it has none of its own."""
        limit = self.spec.request.limit_s
        if limit is None or limit is UNLIMITED:
            return None
        return self.started_at + self.suspended_s + limit

    def is_sent_back(self, now: int) -> bool:
        """Return whether it waits anew, as seen then, and only its nodes are still to be cleared.

        It is told so by having no start before that.
        """
        return self.state is RunState.COMPLETING and self.started_at >= now


class Outcome(Enum):
    """How a job ended."""

    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    TIMEOUT = "timeout"
    NODE_FAIL = "node_fail"
    PREEMPTED = "preempted"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedJob:
    """A job that is over. `started_at` is None if it was cancelled before it started."""

    spec: JobSpec
    ended_at: int
    outcome: Outcome
    started_at: int | None = None
    node_names: tuple[str, ...] = ()
    exit_code: int | None = None
