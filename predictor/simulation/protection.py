"""Which waiting jobs get a reservation from the backfill pass: by priority, and by QOS.

Source: Slurm 24.11, and sacctmgr(1), `MinPrioThreshold` and the QOS flag `NoReserve`.
"""

from dataclasses import dataclass
from typing import NamedTuple

from predictor.domain import PassSettings, QosFlag, Snapshot
from predictor.limits.tables import Sort, Tables

HIGHEST = 0xFFFF_FFFF
"""No priority is higher."""


class Guard(NamedTuple):
    """How a job is protected in one of its partitions."""

    priority: int = 0
    """With a lower priority it gets no slot, and stops nobody."""
    reserves: bool = True
    """Whether it may get a slot."""
    fleeting: bool = False
    """Whether it is planned short only to find a place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Protection:
    """How each job is protected."""

    tables: Tables
    enforced: bool
    """Whether limits of QOS and associations count."""
    priority: int
    """The threshold where none of them says another."""
    preempting: bool

    @classmethod
    def of(cls, snapshot: Snapshot) -> "Protection":
        """Return the protection in force."""
        settings = snapshot.settings
        return cls(
            tables=Tables(snapshot),
            enforced=settings.limits_enforced,
            priority=(settings.passes or PassSettings()).protected_priority,
            preempting=settings.preemption is not None,
        )

    def of_jobs(self, sort: Sort) -> Guard:
        """Return how jobs of that sort are protected."""
        qos = self.tables.qos(sort.qos)
        free = qos is not None and QosFlag.UNRESERVED in qos.flags
        return Guard(
            priority=max(0, min(self._threshold(sort), HIGHEST)),
            reserves=not free,
            fleeting=free and self.preempting,
        )

    def _threshold(self, sort: Sort) -> int:
        """Return the first threshold found: of the QOS, of the association, of the scheduler."""
        if not self.enforced:
            return self.priority
        tables = (*self.tables.of_qos(sort), *self.tables.of_associations(sort)[:1])
        found = (table.limits.min_priority for table in tables if table.limits.min_priority)
        return next(found, self.priority)
