"""How a snapshot was learned, and what was hidden from the one who looked."""

from dataclasses import dataclass
from enum import Enum


class Fact(Enum):
    """A kind of fact that a snapshot may lack."""

    JOBS = "jobs"
    NODES = "nodes"
    PARTITIONS = "partitions"
    RESERVATIONS = "reservations"
    PRIORITIES = "priorities"
    FAIRSHARE = "fairshare"
    QOS = "qos"
    ASSOCIATIONS = "associations"
    USAGE = "usage"
    LICENSES = "licenses"
    SETTINGS = "settings"
    HEALTH = "health"
    TOPOLOGY = "topology"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hidden:
    """A kind of fact that could not be seen, or only in part, and why."""

    fact: Fact
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Quarantined:
    """Records of one kind that could not be understood and were left out."""

    fact: Fact
    count: int
    example: str
    """The first cause, with the record's id where it had one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where a snapshot comes from: its visibility statement."""

    source: str
    """Which way of looking, e.g. `slurm-cli`."""
    account: str = ""
    """The account that looked; empty: unknown."""
    version: str = ""
    """The batch system's version as it tells it."""
    private: tuple[str, ...] = ()
    """What the site keeps private between users (`PrivateData`), sorted."""
    hidden: tuple[Hidden, ...] = ()
    quarantined: tuple[Quarantined, ...] = ()
