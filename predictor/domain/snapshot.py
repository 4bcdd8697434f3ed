"""The state of a cluster at one instant, as far as it could be seen."""

import hashlib
from dataclasses import dataclass

from predictor.domain.calendar import License, Reservation
from predictor.domain.job import FinishedJob, PendingJob, RunningJob
from predictor.domain.limits import Association, Qos
from predictor.domain.node import Node
from predictor.domain.partition import Partition
from predictor.domain.provenance import Provenance
from predictor.domain.scheduler import SchedulerHealth, SchedulerSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A cluster at `taken_at` (UTC epoch seconds, by the batch system's clock).

    Nodes and partitions stand in the batch system's own order, because ties between nodes
    follow it; jobs in any order, each id once.
    """

    cluster: str
    taken_at: int
    provenance: Provenance
    nodes: tuple[Node, ...] = ()
    partitions: tuple[Partition, ...] = ()
    pending: tuple[PendingJob, ...] = ()
    running: tuple[RunningJob, ...] = ()
    finished: tuple[FinishedJob, ...] = ()
    """Those that ended a short while ago and are still shown."""
    qos: tuple[Qos, ...] = ()
    associations: tuple[Association, ...] = ()
    reservations: tuple[Reservation, ...] = ()
    licenses: tuple[License, ...] = ()
    settings: SchedulerSettings = SchedulerSettings()
    health: SchedulerHealth | None = None
    utc_offset_s: int = 0
    """How far the site's local time is ahead of UTC at that instant."""

    @property
    def fingerprint(self) -> str:
        """Return 16 hex digits that change when the scheduler's configuration changes.

        Covers settings, partitions, QOS and association limits; not usage, not node states.
        """
        parts = (
            self.settings,
            self.partitions,
            [
                (
                    *(q.name, q.priority, q.limits, q.usage_factor, q.limit_factor),
                    # A set has no order that lasts from one process to the next.
                    *(sorted(flag.value for flag in q.flags), q.preempts),
                )
                for q in self.qos
            ],
            [
                (a.account, a.user, a.partition, a.parent, a.shares, a.priority, a.limits)
                for a in self.associations
            ],
            [
                (n.name, n.cpus, n.memory_mb, n.tmp_disk_mb, n.gres, n.features, n.weight)
                for n in self.nodes
            ],
        )
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]
