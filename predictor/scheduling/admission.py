"""From a waiting job to the ways to place it, or the reason why it never can be placed."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import product
from operator import or_

from predictor.domain import (
    UNLIMITED,
    JobSpec,
    Limit,
    Partition,
    PartitionState,
    PendingJob,
    Qos,
    QosFlag,
    Request,
    Reservation,
    SchedulerSettings,
    Snapshot,
    Unpredictable,
    choices,
)
from predictor.domain.defaults import planned_s
from predictor.scheduling.asked import on_enough_nodes, sought
from predictor.scheduling.closures import admits, draws, floating, opening
from predictor.scheduling.demand import cpus_and_memory, shape_beside_own, shape_of
from predictor.scheduling.features import UnsupportedConstraint
from predictor.scheduling.machine import Machine, Meeting
from predictor.scheduling.placing import Need, Spread, has_all
from predictor.scheduling.resting import boot_times
from predictor.scheduling.sharing import NO_CROWD, Crowding
from predictor.scheduling.spreading import spread_of, trimming_of, unit_of

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

    def kept_from(self, job: PendingJob, partition: Partition) -> int:
        """Return the nodes that reservations, which move along, keep for jobs shorter than that."""
        request = job.spec.request
        least_s = request.limit_min_s or _least_s(job, partition, self)
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


def ways(job: PendingJob, partitions: Sequence[str], rules: Rules) -> tuple[Need, ...] | Refusal:
    """Return the ways to place the job, partition by partition in the given order.

    A Refusal if no partition could start it; it names the first partition's obstacle.
    """
    found = all_ways(job, partitions, rules)
    return found if isinstance(found, Refusal) else in_order(found)


def all_ways(
    job: PendingJob, partitions: Sequence[str], rules: Rules
) -> tuple[Need, ...] | Refusal:
    """Return what `ways` does, and behind that the ways that are out of order."""
    asked = choices(job.spec.reservation)
    there = [name for name in asked if name in rules.reservations]
    if asked and not there:
        return Refusal(
            cause=Unpredictable.RESERVATION_GONE, detail="the reservation it asked for is gone"
        )
    needs: list[Need] = []
    refusals: list[Refusal] = []
    drawn_by = rules.drawn_by(job.spec)
    for name, by_one in product(partitions, rules.each_qos(job)):
        found = _ways_in(by_one, name, rules)
        if isinstance(found, Refusal):
            refusals.append(found)
        else:
            found = _licensed(found, job.spec.request)
            needs.extend(
                replace(need, reservation=one, drawn_by=one) for one in drawn_by for need in found
            )
            needs.extend(replace(need, reservation=one) for one in there or ("",) for need in found)
    if needs:
        return tuple(sorted(needs, key=lambda need: need.out_of_order))
    if refusals:
        return refusals[0]
    return Refusal(cause=Unpredictable.UNSUPPORTED, detail="it names no partition")


def _licensed(needs: tuple[Need, ...], request: Request) -> tuple[Need, ...]:
    """Return the ways, and behind them the same with each of the other licenses that would do."""
    others = (replace(need, licenses=(one,)) for one in request.other_licenses for need in needs)
    return *needs, *others


def _ways_in(job: PendingJob, name: str, rules: Rules) -> tuple[Need, ...] | Refusal:
    partition = rules.partitions.get(name)
    if partition is None:
        return Refusal(cause=Unpredictable.PARTITION_CLOSED, detail=f"no partition {name!r}")
    refusal = _barred(job, partition, rules)
    if refusal is not None:
        return refusal
    machine, request = rules.machine, sought(job.spec.request, partition)
    rows = rules.crowding.rows_for(request, partition) or (-1,)
    shape = machine.intern(shape_of(request, partition, rules.settings, rows[0]))
    beside_own = shape_beside_own(request, partition, rules.settings)
    required = machine.bitmap(request.required_nodes)
    excluded = machine.bitmap(request.excluded_nodes)
    bounded = _bounded(job.spec, partition, rules)
    spread = spread_of(request, bounded, rules.settings, machine, rows[0])
    if spread is None and request.gres_total:
        request = on_enough_nodes(request, rules.members[name] & ~excluded, machine)
        shape = machine.intern(shape_of(request, partition, rules.settings, rows[0]))
    least = shape if spread is None else spread.share
    allowed = rules.members[name] & ~excluded
    possible = allowed & machine.fits_empty(least)
    try:
        sets = [
            one.among(possible & island)
            for one in machine.meeting(request.features)
            for island in machine.islands
        ]
        _refuse_mixtures(sets, request)
    except UnsupportedConstraint as error:
        return Refusal(
            cause=Unpredictable.UNSUPPORTED, detail=f"its feature constraint asks for {error}"
        )

    def suffices(one: Meeting) -> bool:
        """Return whether its nodes would do if nothing ran there."""
        enough = spread is None or _is_enough(spread, one.nodes, machine)
        return enough and _has_nodes(one, request, required)

    fitting = [one for one in sets if suffices(one)]
    if required.bit_count() != len(set(request.required_nodes)):
        return _never_in(partition, "it requires nodes that the cluster does not show")
    if not fitting:
        if spread is not None and any(_has_nodes(one, request, required) for one in sets):
            most = max(machine.most_cpus(one.nodes, spread) for one in sets)
            pieces = max(machine.most_pieces(one.nodes, spread) for one in sets)
            return _never_in(partition, _too_much(spread, most, pieces))
        return _never(request, partition, max(one.nodes.bit_count() for one in sets))
    usable = [one.among(machine.usable) for one in fitting]
    usable = [one for one in usable if suffices(one)]
    kept = rules.kept_from(job, partition)
    apart = [one for one in (one.among(~kept) for one in usable) if suffices(one)]
    if usable and not apart:
        return _never_in(partition, "too many of its nodes are kept for shorter jobs")
    usable = apart
    featured = reduce(or_, (one.nodes for one in machine.meeting(request.features)))
    lacking = allowed & ~possible & featured & _with_least(request, partition, rules)
    alike = partial(
        Need,
        partition=name,
        qos=job.spec.qos,
        nodes=max(request.nodes, required.bit_count(), _counted((usable or fitting)[0])),
        lacking=lacking,
        required=required,
        duration_s=planned_s(request, partition),
        least_s=_least_s(job, partition, rules),
        licenses=request.licenses,
        members=rules.members[name],
        unit=unit_of(request, partition, rules.settings),
        contiguous=request.contiguous,
        switches=request.switches or 0,
        user=job.spec.user,
        beside_own=None if beside_own is None else machine.intern(beside_own),
        out_of_order=not usable,
        overlong=_is_overlong(request.limit_s, partition, rules.flags(job.spec)),
    )

    def way(one: Meeting, row: int) -> Need:
        spread = spread_of(request, bounded, rules.settings, machine, row)
        if spread is not None and spread.whole:
            shape = spread.share
        else:
            shape = machine.intern(shape_of(request, partition, rules.settings, row))
        trimmed = trimming_of(request, partition, rules.settings, spread)
        return alike(
            candidates=one.nodes, groups=one.groups, shape=shape, spread=spread, trimmed=trimmed
        )

    return tuple(way(one, row) for row in rows for one in usable or fitting[:1])


def in_order(found: tuple[Need, ...]) -> tuple[Need, ...] | Refusal:
    """Return those of all ways that are not out of order; if there is none, why."""
    usable = tuple(need for need in found if not need.out_of_order)
    if usable:
        return usable
    partition = found[0].partition
    return Refusal(
        cause=Unpredictable.NODES_UNAVAILABLE,
        detail=f"too many of the nodes of partition {partition} that it needs are down or drained",
    )


def _bounded(spec: JobSpec, partition: Partition, rules: Rules) -> Partition:
    """Return the partition with no more nodes for one job than limits let this one have.

    If these are fewer than it asks for, it is for the limits to say so. Source: Slurm 22.05,
    get_node_cnts.
    """
    most, allowed = rules.widest(spec, partition.name), partition.max_nodes
    if most is None or most < spec.request.nodes:
        return partition
    narrower = isinstance(allowed, int) and 0 < allowed <= most
    return partition if narrower else replace(partition, max_nodes=most)


def _with_least(request: Request, partition: Partition, rules: Rules) -> int:
    """Return the nodes that have the CPUs and the memory of the least the job would have there.

    Source: Slurm 22.05, job_req_node_filter: nodes that lack generic resources, or CPUs for all
    its tasks, pass, and count until ends of jobs are reckoned with.
    """
    cpus = request.cpus_per_node or 1
    _, per_node_mb, per_cpu_mb = cpus_and_memory(request, partition, rules.settings)
    return rules.machine.having(cpus, max(per_node_mb, per_cpu_mb * cpus))


def _refuse_mixtures(sets: Sequence[Meeting], request: Request) -> None:
    """Raise UnsupportedConstraint for counts of nodes beside what is not modelled with them."""
    for one in sets:
        groups = [nodes for nodes, _ in one.groups]
        if groups and (request.required_nodes or request.contiguous):
            raise UnsupportedConstraint("node counts beside other wishes for nodes")
        if any(sum(1 for other in groups if one_ & other) > 2 for one_ in groups):
            raise UnsupportedConstraint("node counts of more than two features that nodes share")


def _least_s(job: PendingJob, partition: Partition, rules: Rules) -> int:
    """Return for how long it is planned at least, if that is shorter than it is; else 0.

    Who has a deadline is planned in full. Source: Slurm 22.05, as measured on a real one.
    """
    least = (job.spec.request.limit_min_s or 0) if job.start_by is None else 0
    free = QosFlag.UNRESERVED in rules.flags(job.spec)
    if free and rules.settings.preemption is not None:
        least = BRIEF_S
    return least if least < planned_s(job.spec.request, partition) else 0


def _barred(job: PendingJob, partition: Partition, rules: Rules) -> Refusal | None:
    """Return why the partition's rules keep the job out; None if they let it in.

    Source: slurm-users' `scontrol show partition`, and slurm.conf(5); sacctmgr(1) for the flags.
    """
    if partition.state in (PartitionState.DOWN, PartitionState.INACTIVE):
        return Refusal(
            cause=Unpredictable.PARTITION_CLOSED,
            detail=f"partition {partition.name} is {partition.state.value}",
        )
    spec = job.spec
    why = rules.crowding.unknown(spec.request, partition)
    if why:
        shares = f"jobs of partition {partition.name} share CPUs, which is not modelled where {why}"
        return Refusal(cause=Unpredictable.UNSUPPORTED, detail=shares)
    why = _out_of_bounds(spec.request, partition, rules.flags(spec))
    if why:
        return _never_in(partition, why)
    if not _is_in_its_groups(spec, partition):
        return _never_in(partition, "it takes jobs of other groups only")
    accounts = rules.lineage(spec.account) if spec.account else ()
    if _excluded(accounts, partition.allow_accounts, partition.deny_accounts):
        return _never_in(partition, "it does not take jobs of this account")
    if _excluded((spec.qos,) if spec.qos else (), partition.allow_qos, partition.deny_qos):
        return _never_in(partition, "it does not take jobs of this QOS")
    _, per_node_mb, per_cpu_mb = sized = cpus_and_memory(spec.request, partition, rules.settings)
    most_mb = partition.max_memory_per_node_mb or 0
    if 0 < most_mb < per_node_mb + per_cpu_mb * sized[0]:
        return _never_in(partition, f"it allows {most_mb} MB of memory per node")
    return None


def _out_of_bounds(request: Request, partition: Partition, flags: frozenset[QosFlag]) -> str:
    """Return which bound of the partition's the request is beyond; empty: none that binds it."""
    most = partition.max_nodes
    if _is_overlong(request.limit_min_s or request.limit_s, partition, flags):
        return "its time limit is above the partition's"
    wider = isinstance(most, int) and request.nodes > most
    if wider and QosFlag.ABOVE_MAX_NODES not in flags:
        return f"it allows {most} nodes, {request.nodes} asked"
    least = partition.min_nodes
    if QosFlag.BELOW_MIN_NODES not in flags and request.nodes_asked < least:
        return f"it demands at least {least} nodes"
    return ""


def _is_overlong(limit_s: Limit, partition: Partition, flags: Collection[QosFlag]) -> bool:
    """Return whether a limit is above the partition's, and no flag of its QOS lets that pass."""
    longest_s = partition.max_time_s
    if QosFlag.ABOVE_MAX_TIME in flags or not isinstance(longest_s, int):
        return False
    return limit_s is UNLIMITED or (isinstance(limit_s, int) and limit_s > longest_s)


def _excluded(names: Sequence[str], allowed: tuple[str, ...], denied: tuple[str, ...]) -> bool:
    """Return whether somebody who goes by these names is kept out; who goes by none is not."""
    if not names:
        return False
    return not set(names).isdisjoint(denied) if not allowed else set(names).isdisjoint(allowed)


def _is_in_its_groups(spec: JobSpec, partition: Partition) -> bool:
    """Return whether the partition takes jobs of the user's groups, or it is not known."""
    groups = partition.allow_groups
    known = partition.groups_told and spec.group and spec.user
    return not (groups and known) or spec.group in groups or spec.user in partition.group_members


def _has_nodes(one: Meeting, request: Request, required: int) -> bool:
    least = max(request.nodes, _counted(one))
    enough = one.nodes.bit_count() >= least and has_all(one.nodes, one.groups)
    return enough and one.nodes & required == required


def _counted(one: Meeting) -> int:
    """Return how many nodes its groups are together."""
    return sum(least for _, least in one.groups)


def _is_enough(spread: Spread, nodes: int, machine: Machine) -> bool:
    """Return whether these nodes would give enough together if nothing ran there."""
    if machine.most_cpus(nodes, spread) < spread.cpus:
        return False
    return not spread.loose or machine.most_pieces(nodes, spread) >= spread.pieces


def _too_much(spread: Spread, most: int, ever: int) -> str:
    """Return what it needs in all, and what CPUs and pieces could ever be had, as a clause."""
    needed = [
        f"{spread.cpus} CPUs",
        *(f"{n * spread.pieces} {name}" for name, n in spread.piece_gres),
    ]
    had = [f"{most}", *(f"{n * ever}" for _, n in spread.piece_gres)]
    return f"{' with '.join(needed)} needed, {' with '.join(had)} could ever be had"


def _never(request: Request, partition: Partition, most: int) -> Refusal:
    wanted = "node" if request.nodes == 1 else "nodes"
    return _never_in(partition, f"{request.nodes} {wanted} needed, {most} could ever hold it")


def _never_in(partition: Partition, why: str) -> Refusal:
    return Refusal(
        cause=Unpredictable.NEVER_FITS, detail=f"never in partition {partition.name}: {why}"
    )
