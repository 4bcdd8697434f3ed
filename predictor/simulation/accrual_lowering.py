"""Which waiting jobs keep others from growing old, as the engine wants it.

Source: Slurm 24.11. Of the limits that its QOS sets only the lowest binds a job; if that sets none,
those of the first association that does, upwards.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from predictor.domain import JobSpec, Limit, Limits, PendingJob, SchedulerSettings, Snapshot
from predictor.engine.ranking_tables import AccrualTables, Accruer
from predictor.limits.tables import Sort, Tables
from predictor.priority.census import tasks_of
from predictor.priority.order import id_key
from predictor.priority.summands import Slot, slots

Group = tuple[str, ...]
"""Jobs that are counted together, by what they have in common."""
MOST_CAP = 1 << 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Accruals:
    """Who may grow old beside whom."""

    tables: Tables
    groups: dict[Group, int] = field(default_factory=dict)
    """The numbers of those that bind somebody."""
    binding: dict[Sort, tuple[Group, int] | None] = field(default_factory=dict)

    @classmethod
    def of(cls, snapshot: Snapshot, jobs: Sequence[PendingJob]) -> "Accruals | None":
        """Return what binds these jobs; None if nothing does."""
        if not _counts(snapshot.settings) or not _sets_any(snapshot):
            return None
        found = cls(tables=Tables(snapshot))
        for job in jobs:
            bound = found.bound(job.spec)
            if bound is not None:
                found.groups.setdefault(bound[0], len(found.groups))
        return found if found.groups else None

    def bound(self, spec: JobSpec) -> tuple[Group, int] | None:
        """Return the group that must have room for such a job to grow old, and its limit."""
        sort = _sort(spec)
        if sort not in self.binding:
            self.binding[sort] = next(self._caps(sort), None)
        return self.binding[sort]

    def tables_of(self, jobs: Sequence[PendingJob], numbers: Mapping[Slot, int]) -> AccrualTables:
        """Return what the engine wants. `numbers` are those of the slots."""
        order = sorted(jobs, key=lambda job: (job.spec.submitted_at, id_key(job.spec)))
        accruers = [self._accruer(job, numbers) for job in order]
        return AccrualTables(groups=len(self.groups), accruers=accruers)

    def _accruer(self, job: PendingJob, numbers: Mapping[Slot, int]) -> Accruer:
        bound = self.bound(job.spec)
        known = [self.groups[one] for one in self._counted(_sort(job.spec)) if one in self.groups]
        return Accruer(
            slots=[numbers[slot] for slot in slots(job) if slot in numbers],
            groups=known,
            bound=-1 if bound is None else self.groups[bound[0]],
            cap=0 if bound is None else bound[1],
            weight=1 if bound is not None else tasks_of(job),
        )

    def _counted(self, sort: Sort) -> Iterator[Group]:
        """Yield the groups in which such a job is counted."""
        if self.tables.qos(sort.qos) is not None:
            yield from _of_qos(sort)
        for one in self.tables.chain(sort)[1]:
            yield "association", one.account, one.user, one.partition

    def _caps(self, sort: Sort) -> Iterator[tuple[Group, int]]:
        """Yield what binds such a job, that first which counts."""
        qos = self.tables.qos(sort.qos)
        if qos is not None:
            yield from _lowest(zip(_of_qos(sort), _caps_of(qos.limits), strict=True))
        own, chain = self.tables.chain(sort)
        for one in chain:
            group = "association", one.account, one.user, one.partition
            caps = [one.limits.group_accruing]
            if one is own:
                caps.append(one.limits.max_accruing)
            yield from _lowest((group, cap) for cap in caps)


def _counts(settings: SchedulerSettings) -> bool:
    return settings.limits_enforced and not settings.ages_from_submission


def _sets_any(snapshot: Snapshot) -> bool:
    limits = [qos.limits for qos in snapshot.qos] + [one.limits for one in snapshot.associations]
    return any(isinstance(cap, int) for one in limits for cap in _caps_of(one))


def _caps_of(limits: Limits) -> tuple[Limit, Limit, Limit]:
    return limits.group_accruing, limits.max_accruing_per_account, limits.max_accruing


def _of_qos(sort: Sort) -> tuple[Group, Group, Group]:
    """Return a QOS's groups, in the order of `_caps_of`."""
    return (
        ("qos", sort.qos),
        ("account of qos", sort.qos, sort.account),
        ("user of qos", sort.qos, sort.user),
    )


def _lowest(caps: Iterator[tuple[Group, Limit]]) -> Iterator[tuple[Group, int]]:
    """Yield the lowest that is set, if any is; of equal ones the first."""
    told = [(group, min(cap, MOST_CAP)) for group, cap in caps if isinstance(cap, int) and cap >= 0]
    if told:
        yield min(told, key=lambda one: one[1])


def _sort(spec: JobSpec) -> Sort:
    partition = spec.first_partition
    return Sort.of(spec, partition)
