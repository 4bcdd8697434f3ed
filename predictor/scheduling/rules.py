"""What admission goes by: the cluster's rules, and why a job may be refused."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

from predictor.domain import (
    JobSpec,
    Partition,
    PendingJob,
    Qos,
    QosFlag,
    Reservation,
    SchedulerSettings,
    Snapshot,
    Unpredictable,
    choices,
)
from predictor.domain.defaults import planned_s
from predictor.scheduling.closures import admits, draws, floating, opening
from predictor.scheduling.machine import Machine
from predictor.scheduling.resting import boot_times
from predictor.scheduling.sharing import NO_CROWD, Crowding

BRIEF_S = 60
"""So short such jobs are planned where they can be made to leave."""


Widest = Callable[[JobSpec, str], int | None]
"""On how many nodes of a partition limits let a job be at most; None: on any number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a job cannot be placed, in the forecast's vocabulary."""

    cause: Unpredictable
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What admission needs to know of the cluster."""

    machine: Machine
    partitions: Mapping[str, Partition]
    members: Mapping[str, int]
    """By partition: its nodes as a bitmap."""
    settings: SchedulerSettings
    reservations: Mapping[str, int]
    """By reservation: from when on jobs that ask for it are looked at."""
    qos: Mapping[str, Qos]
    above: Mapping[str, str]
    """By account: the one above."""
    boots_s: Mapping[str, int]
    """By node of which more is said than of all: how long it takes to wake."""
    crowding: Crowding = NO_CROWD
    """Where jobs share CPUs."""
    widest: Widest
    floating: tuple[tuple[int, int], ...] = ()
    """How long jobs may be beside reservations that move along, and on which nodes."""
    magnets: tuple[Reservation, ...] = ()
    """The reservations that draw in who may use them, once they have begun."""

    @classmethod
    def of(cls, snapshot: Snapshot, machine: Machine, widest: Widest) -> "Rules":
        """Return the rules that hold on the snapshot's cluster."""
        return cls(
            machine=machine,
            partitions={p.name: p for p in snapshot.partitions},
            members={p.name: machine.bitmap(p.node_names) for p in snapshot.partitions},
            settings=snapshot.settings,
            reservations={r.name: opening(r) for r in snapshot.reservations},
            qos={qos.name: qos for qos in snapshot.qos},
            above={a.account: a.parent for a in snapshot.associations if not a.user},
            boots_s=boot_times(snapshot),
            crowding=Crowding.of(snapshot),
            widest=widest,
            floating=floating(snapshot.reservations, machine, snapshot.taken_at),
            magnets=tuple(r for r in snapshot.reservations if draws(r, snapshot.taken_at)),
        )

    def with_reservations(self, more: Iterable[Reservation]) -> "Rules":
        """Return the rules where these reservations are known besides."""
        openings = {one.name: opening(one) for one in more}
        return replace(self, reservations={**self.reservations, **openings})

    def flags(self, spec: JobSpec) -> frozenset[QosFlag]:
        """Return what the job's QOS lets it do."""
        known = self.qos.get(spec.qos)
        return known.flags if known else frozenset()

    def each_qos(self, job: PendingJob) -> Sequence[PendingJob]:
        """Return the job as of each of its QOS, the one of highest priority first.

        Source: Slurm 24.11, as measured on a real one.
        """
        names = choices(job.spec.qos)
        if len(names) < 2:
            return (job,)
        ranked = sorted(names, key=lambda name: -self.qos[name].priority if name in self.qos else 0)
        return [replace(job, spec=replace(job.spec, qos=name)) for name in ranked]

    def least_s(self, job: PendingJob, partition: Partition) -> int:
        """Return for how long it is planned at least, if that is shorter than it is; else 0.

        Who has a deadline is planned in full. Source: Slurm 22.05, as measured on a real one.
        """
        least = (job.spec.request.limit_min_s or 0) if job.start_by is None else 0
        free = QosFlag.UNRESERVED in self.flags(job.spec)
        if free and self.settings.preemption is not None:
            least = BRIEF_S
        return least if least < planned_s(job.spec.request, partition) else 0

    def kept_from(self, job: PendingJob, partition: Partition) -> int:
        """Return the nodes that reservations, which move along, keep for jobs shorter than that."""
        request = job.spec.request
        least_s = request.limit_min_s or self.least_s(job, partition)
        length_s = least_s or planned_s(request, partition)
        return reduce(or_, (nodes for most_s, nodes in self.floating if length_s > most_s), 0)

    def opens_at(self, spec: JobSpec) -> int:
        """Return from when on the job is looked at for the sake of a reservation; 0: at once."""
        asked = choices(spec.reservation)
        there = [self.reservations[name] for name in asked if name in self.reservations]
        return min(there, default=0)

    def drawn_by(self, spec: JobSpec) -> tuple[str, ...]:
        """Return the reservations in which the job may run though it asks for none.

        They are tried before all else. Source: Slurm 22.05, `MAGNETIC`; no components are drawn in.
        """
        if spec.reservation or spec.het is not None or not self.magnets:
            return ()
        accounts, account = [spec.account], spec.account
        while (account := self.above.get(account, "")) and account not in accounts:
            accounts.append(account)
        return tuple(one.name for one in self.magnets if admits(one, spec, accounts))

    def lineage(self, account: str) -> tuple[str, ...]:
        """Return the account and those above it, as far as partitions look upwards."""
        found = {account: None}
        while self.settings.admits_below and (above := self.above.get(account, "")) not in found:
            if not above:
                break
            found[above] = None
            account = above
        return tuple(found)


def never_in(partition: Partition, why: str) -> Refusal:
    """Return that the job can never start in the partition, as it is set up."""
    return Refusal(
        cause=Unpredictable.NEVER_FITS, detail=f"never in partition {partition.name}: {why}"
    )
