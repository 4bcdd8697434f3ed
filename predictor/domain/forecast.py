"""What we say about a cluster's waiting jobs."""

from dataclasses import dataclass
from enum import Enum

from predictor.domain.explanation import Explanation
from predictor.domain.outlook import Outlook


class Cause(Enum):
    """Why a job does not start at once. A closed vocabulary."""

    STARTS_NOW = "starts_now"
    RESOURCES = "resources"
    """Not enough of its nodes are free."""
    PRIORITY = "priority"
    """Jobs before it in the queue take what is free."""
    RESERVATION = "reservation"
    """An advance reservation or maintenance is in the way, or its own has not begun."""
    DEPENDENCY = "dependency"
    BEGIN_TIME = "begin_time"
    ARRAY_LIMIT = "array_limit"
    """As many tasks of its array as allowed run already."""
    LICENSES = "licenses"
    LIMIT = "limit"
    """As much as a limit of its user, account or QOS allows runs already."""


class Unpredictable(Enum):
    """Why no start can be told. A closed vocabulary."""

    HELD = "held"
    DEPENDENCY = "dependency"
    """It waits for a job that itself has no predicted end, for an event nobody can foresee, or for
    what can no longer come about."""
    LIMIT = "limit"
    """A limit of its user, account or QOS holds it back, and when that ends is not modelled."""
    NEVER_FITS = "never_fits"
    """No nodes of its partitions could ever hold it, or they do not take its account, QOS, group or
    size: it can never start as it stands."""
    NODES_UNAVAILABLE = "nodes_unavailable"
    """It would fit, were it not for nodes that are down or drained."""
    PARTITION_CLOSED = "partition_closed"
    RESERVATION_GONE = "reservation_gone"
    """The reservation it asked for is gone, or will be before it could start."""
    DEADLINE = "deadline"
    """It is removed before it could start, as it could no longer be over by its deadline."""
    HORIZON = "horizon"
    """Its start lies beyond the horizon of the forecast."""
    UNSUPPORTED = "unsupported"
    """It asks for something that the replica does not model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """When and where a waiting job starts. For an array: its next task."""

    job_id: str
    start_at: int
    end_at: int
    """When it ends if it runs as long as predicted."""
    partition: str
    node_names: tuple[str, ...]
    cause: Cause
    rank: int
    """Its place in the queue, from 1."""
    last_start_at: int | None = None
    """When the last waiting task of an array starts; None for a job that is no array."""
    explanation: Explanation | None = None
    """Why not earlier; None: not asked for."""
    outlook: Outlook | None = None
    """How sure that is; None: only the single most likely course was worked out."""

    @property
    def likely_at(self) -> int:
        """What is told as its start: its outlook's, or that of the only course."""
        return self.start_at if self.outlook is None else self.outlook.likely_at

    @property
    def likely_last_at(self) -> int | None:
        """What is told as the start of an array's last waiting task; None as `last_start_at`."""
        return None if self.last_start_at is None else max(self.last_start_at, self.likely_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Abstention:
    """A waiting job about which we cannot say anything honest, and why."""

    job_id: str
    cause: Unpredictable
    detail: str
    """One sentence for a person; holds no text that a user controls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """The answers for all jobs that waited at `snapshot_at`: each id once, in one of the two."""

    cluster: str
    snapshot_at: int
    policy: str
    fingerprint: str
    """That of the configuration it was made under."""
    predictions: tuple[Prediction, ...]
    """In queue order."""
    abstentions: tuple[Abstention, ...]
