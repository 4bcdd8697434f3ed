"""What is set apart: advance reservations and licenses."""

from dataclasses import dataclass
from enum import Enum

from predictor.domain.amounts import Tres


class ReservationFlag(Enum):
    """How an advance reservation differs from the plain kind."""

    MAINTENANCE = "maintenance"
    OVERLAP = "overlap"
    """May overlap other reservations."""
    IGNORE_JOBS = "ignore_jobs"
    FLEX = "flex"
    """Its jobs may use other nodes and other times too."""
    ANY_NODES = "any_nodes"
    ALL_NODES = "all_nodes"
    PARTITION_NODES = "partition_nodes"
    MAGNETIC = "magnetic"
    """Draws in the jobs it is meant for without their asking."""
    TIME_FLOAT = "time_float"
    """Its start moves along with the clock."""
    HOURLY = "hourly"
    DAILY = "daily"
    WEEKDAY = "weekday"
    WEEKEND = "weekend"
    WEEKLY = "weekly"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """Nodes or licenses set apart from `start_at` until `end_at`."""

    name: str
    start_at: int
    end_at: int
    node_names: tuple[str, ...] = ()
    cpus: int | None = None
    """How many CPUs of its nodes it sets apart; None: whole nodes."""
    flags: frozenset[ReservationFlag] = frozenset()
    partition: str = ""
    users: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    accounts: tuple[str, ...] = ()
    qos: tuple[str, ...] = ()
    """Jobs of which QOS may use it, or may not: with a minus before. Empty: of any."""
    allowed_partitions: tuple[str, ...] = ()
    """The same of partitions."""
    licenses: Tres = ()

    def __post_init__(self) -> None:
        if self.end_at < self.start_at:
            raise ValueError(f"reservation {self.name!r} ends before it starts")


@dataclass(frozen=True, slots=True, kw_only=True)
class License:
    """A pool of licenses that jobs draw from."""

    name: str
    total: int
    used: int = 0
    reserved: int = 0
    remote: bool = False
