"""The multifactor priority: a weighted sum of factors, cut to a whole number."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

from predictor.domain import (
    NodeSharing,
    Partition,
    PendingJob,
    PriorityFactors,
    PriorityWeights,
    Sharing,
    Snapshot,
)
from predictor.domain.defaults import planned_s
from predictor.priority.amounts import offered, requested
from predictor.priority.census import Census, take_census

HIGHEST = 2**32 - 1
LOWEST = 1
"""0 means held."""


DIVIDED = frozenset({"association", "partition", "qos", "tres"})
"""The parts whose factors are parts of the highest there is, unless they are raw."""
APART = 4
"""So many points apart two ways to count are told apart by what is shown, which is rounded."""


class Parts(NamedTuple):
    """The summands that time does not change, in points. None: what it takes is hidden."""

    association: float | None
    job_size: float | None
    partition: float | None
    qos: float | None
    tres: float | None
    site: float | None
    nice: float


def total(age: float, fairshare: float, parts: tuple[float, ...]) -> int:
    """Return the priority: the sum in Slurm's order, cut to a whole number in [1, 2**32 - 1]."""
    association, job_size, partition, qos, tres, site, nice = parts
    points = age + association + fairshare + job_size + partition + qos + tres + (site - nice)
    return int(min(max(LOWEST, points), HIGHEST))


def age_factor(since: int | None, instant: int, max_age_s: int) -> float:
    """Return how much of the age weight is earned, in [0, 1]; 0 while `since` is unknown."""
    if since is None or instant <= since:
        return 0.0
    return min(1.0, (instant - since) / max_age_s) if max_age_s > 0 else 1.0


def settled(computed: Parts, shown: PriorityFactors) -> tuple[float, ...]:
    """Return the parts: as computed where that rounds to what is shown, else as shown.

    What differs depends on something that cannot be seen. Neither known: 0.
    """
    told = _told(shown)._replace(nice=computed.nice if shown.nice is None else shown.nice)
    return tuple(_agreed(ours, theirs) for ours, theirs in zip(computed, told, strict=True))


def _told(shown: PriorityFactors) -> Parts:
    return Parts(
        association=shown.association,
        job_size=shown.job_size,
        partition=shown.partition_points,
        qos=shown.qos,
        tres=sum(points for _, points in shown.tres) if shown.tres else None,
        site=shown.site,
        nice=shown.nice or 0,
    )


def _agreed(computed: float | None, shown: float | None) -> float:
    if shown is None:
        return computed or 0.0
    return computed if computed is not None and abs(computed - shown) < 1 else shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Multifactor:
    """What the parts of all jobs' priorities are computed from.

    Source: Slurm, Multifactor Priority Plugin. Weights must be in points.
    """

    snapshot: Snapshot
    census: Census
    offered: Mapping[str, Mapping[str, int]]
    """What each partition's nodes have."""
    smallest: Mapping[str, int]
    """The CPUs of each partition's smallest node."""
    unforeseen: frozenset[str]
    """The partitions where nobody knows how many CPUs whole nodes have before these are chosen."""
    first_memory_mb: Mapping[str, int]
    """The memory of each partition's first node."""
    top_association: int
    top_partition: int
    top_qos: int
    raw: frozenset[str]
    """The parts whose factors are no parts of the highest there is."""

    @classmethod
    def of(cls, snapshot: Snapshot) -> Self:
        """Return the state to compute from. Linear in the snapshot.

        Who is told that all factors are raw cannot be sure: Slurm up to 24.11 says so if any is
        (priority_flags_string). Then what is shown of the jobs tells which are.
        """
        made = cls._as_told(snapshot)
        return replace(made, raw=made.raw - made._normal()) if made.raw == DIVIDED else made

    @classmethod
    def _as_told(cls, snapshot: Snapshot) -> Self:
        by_name = {node.name: node for node in snapshot.nodes}
        # Where busy nodes come first, one more than are wanted may be chosen.
        spares = snapshot.settings.passes is not None and snapshot.settings.passes.busy_first
        nodes = {
            partition.name: [by_name[name] for name in partition.node_names if name in by_name]
            for partition in snapshot.partitions
        }
        return cls(
            snapshot=snapshot,
            census=take_census(snapshot),
            offered={name: offered(there) for name, there in nodes.items()},
            smallest={
                name: min((node.cpus for node in there), default=0) for name, there in nodes.items()
            },
            unforeseen=frozenset(
                name
                for name, there in nodes.items()
                if spares or len({node.cpus for node in there}) > 1
            ),
            first_memory_mb={
                name: there[0].memory_mb if there else 0 for name, there in nodes.items()
            },
            top_association=max((one.priority for one in snapshot.associations), default=0),
            top_partition=max((one.job_factor for one in snapshot.partitions), default=0),
            top_qos=max((one.priority for one in snapshot.qos), default=0),
            raw=_raw(snapshot.settings.weights),
        )

    def _normal(self) -> frozenset[str]:
        """Return the parts that look as if divided by the highest there is, for most jobs."""
        normal = replace(self, raw=frozenset())
        votes = dict.fromkeys(DIVIDED, 0)
        for job in self.snapshot.pending:
            cpus = job.spec.request.cpus
            for shown in job.priorities:
                told = _told(shown)._asdict()
                raw_parts = self.parts(job, shown.partition, cpus)._asdict()
                for part, divided in normal.parts(job, shown.partition, cpus)._asdict().items():
                    if part in votes:
                        votes[part] += _speaks_for(told[part], divided, raw_parts[part])
        return frozenset(part for part, found in votes.items() if found > 0)

    def parts(self, job: PendingJob, partition: str, cpus: int) -> Parts:
        """Return the parts of the job's priority there, given how many CPUs it is taken to need."""
        weights = self.snapshot.settings.weights
        spec, rules = job.spec, self.census.partition(partition)
        association = self.census.association(spec, partition)
        qos = self.census.qos_priorities.get(spec.qos) if spec.qos else 0
        priority = association.priority if association else None
        return Parts(
            association=_weighted(
                weights.association, priority, self.top_association, "association" in self.raw
            ),
            job_size=self._job_size(job, rules, cpus),
            partition=_weighted(
                weights.partition,
                rules.job_factor if rules.name else None,
                self.top_partition,
                "partition" in self.raw,
            ),
            qos=_weighted(weights.qos, qos, self.top_qos, "qos" in self.raw),
            tres=self._tres(job, rules) if rules.name else None,
            site=None,
            nice=spec.nice,
        )

    def planned_cpus(self, job: PendingJob, partition: str) -> int:
        """Return the CPUs of the job once the scheduler has tried it: whole nodes if it must.

        Until then, those it asks for count.
        """
        request, rules = job.spec.request, self.census.partition(partition)
        if not _has_whole(job, rules):
            return request.cpus
        return max(request.cpus, request.nodes * self.smallest.get(partition, 0))

    def size_per_cpu(self, job: PendingJob, partition: str) -> float:
        """Return what a CPU more of the nodes found for the job is worth; 0: those are known.

        They are not where it takes whole nodes, and these do not all have as many, or may be more.
        """
        rules, settings = self.census.partition(partition), self.snapshot.settings
        if partition not in self.unforeseen or settings.size_per_minute:
            return 0.0
        if not _has_whole(job, rules):
            return 0.0
        none, everything = (self._job_size(job, rules, cpus) for cpus in (0, self.census.cpus))
        if none is None or everything is None:
            return 0.0
        return (everything - none) / self.census.cpus

    def age_points(self, since: int | None, instant: int) -> float:
        """Return what the age is worth."""
        settings = self.snapshot.settings
        return settings.weights.age * age_factor(since, instant, settings.priority_max_age_s)

    def _job_size(self, job: PendingJob, partition: Partition, cpus: int) -> float | None:
        nodes, all_cpus = self.census.nodes, self.census.cpus
        if not nodes or not all_cpus:
            return None
        settings, request = self.snapshot.settings, job.spec.request
        small = settings.priority_favor_small
        if settings.size_per_minute:
            width = max(request.nodes_asked * all_cpus / nodes, cpus)
            minutes = max(1, planned_s(request, partition) // 60)
            size = width / minutes / all_cpus
            factor = 1 - size if small else size
        elif small:
            factor = ((nodes - request.nodes_asked) / nodes + (all_cpus - cpus) / all_cpus) / 2
        else:
            factor = (request.nodes_asked / nodes + cpus / all_cpus) / 2
        return settings.weights.job_size * min(max(factor, 0.0), 1.0)

    def _tres(self, job: PendingJob, partition: Partition) -> float:
        settings = self.snapshot.settings
        if not settings.weights.tres:
            return 0.0
        memory_mb = self.first_memory_mb[partition.name]
        wanted = requested(job.spec.request, partition, settings, memory_mb)
        there = self.offered[partition.name]
        return sum(
            _weighted(weight, wanted.get(name, 0), there.get(name, 0), "tres" in self.raw) or 0.0
            for name, weight in settings.weights.tres
        )


def _raw(weights: PriorityWeights) -> frozenset[str]:
    told = {
        "association": weights.raw_association,
        "partition": weights.raw_partition,
        "qos": weights.raw_qos,
        "tres": weights.raw_tres,
    }
    return frozenset(part for part, raw in told.items() if raw)


def _speaks_for(told: float | None, one: float | None, other: float | None) -> int:
    """Return 1 if what is told is nearer to one of two amounts, -1 if to the other; 0: neither."""
    if told is None or one is None or other is None or abs(one - other) < APART:
        return 0
    nearer = abs(told - other) - abs(told - one)
    return (nearer > 0) - (nearer < 0)


def _has_whole(job: PendingJob, partition: Partition) -> bool:
    exclusive = job.spec.request.sharing is Sharing.EXCLUSIVE
    return exclusive or partition.sharing is NodeSharing.EXCLUSIVE


def _weighted(weight: float, value: int | None, top: int, raw: bool) -> float | None:
    """Return the weight times value, or times its part of the highest there is."""
    if value is None:
        return None if weight else 0.0
    if raw:
        return weight * value
    return weight * value / top if top else 0.0
