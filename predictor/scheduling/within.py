"""The ways to place a job in one partition, or why there is none."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from operator import or_

from predictor.domain import JobSpec, Partition, PendingJob, Request, Unpredictable
from predictor.domain.defaults import planned_s
from predictor.scheduling.asked import on_enough_nodes, sought
from predictor.scheduling.barring import barred, is_overlong
from predictor.scheduling.demand import cpus_and_memory, shape_beside_own, shape_of
from predictor.scheduling.features import UnsupportedConstraint
from predictor.scheduling.machine import Machine, Meeting
from predictor.scheduling.placing import Need, Spread, has_all
from predictor.scheduling.rules import Refusal, Rules, never_in
from predictor.scheduling.spreading import spread_of, trimming_of, unit_of


def ways_in(job: PendingJob, name: str, rules: Rules) -> tuple[Need, ...] | Refusal:
    """Return the ways to place the job in the partition of that name; a Refusal if it never can.

    If too many of its nodes are down there is a single one, which is out of order.
    """
    partition = rules.partitions.get(name)
    if partition is None:
        return Refusal(cause=Unpredictable.PARTITION_CLOSED, detail=f"no partition {name!r}")
    refusal = barred(job, partition, rules)
    if refusal is not None:
        return refusal
    wish = _Wish.of(job, partition, rules)
    try:
        sets = wish.meetings()
    except UnsupportedConstraint as error:
        return Refusal(
            cause=Unpredictable.UNSUPPORTED, detail=f"its feature constraint asks for {error}"
        )
    fitting = wish.sufficient(sets)
    if wish.required.bit_count() != len(set(wish.request.required_nodes)):
        return never_in(partition, "it requires nodes that the cluster does not show")
    if not fitting:
        return wish.refused_of(sets)
    usable = wish.sufficient([one.among(rules.machine.usable) for one in fitting])
    kept = rules.kept_from(job, partition)
    apart = wish.sufficient([one.among(~kept) for one in usable])
    if usable and not apart:
        return never_in(partition, "too many of its nodes are kept for shorter jobs")
    return wish.needs(apart or fitting[:1], out_of_order=not apart)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wish:
    """What a job asks of a partition. Sets of nodes are bitmaps."""

    job: PendingJob
    partition: Partition
    rules: Rules
    request: Request
    bounded: Partition
    """The partition with no more nodes for one job than limits let this one have."""
    rows: Sequence[int]
    """In which rows of CPUs it may be; -1: it has its CPUs to itself."""
    spread: Spread | None
    """How it may lie on its nodes, its CPUs in the first of these rows."""
    required: int
    allowed: int
    """The partition's nodes that it does not exclude, and whose disk is as large as it wants."""
    possible: int
    """Those of them that have what it wants of each."""

    @classmethod
    def of(cls, job: PendingJob, partition: Partition, rules: Rules) -> "_Wish":
        """Return what the job asks of the partition under the rules."""
        machine, settings = rules.machine, rules.settings
        request, bounded = sought(job.spec.request, partition), _bounded(job.spec, partition, rules)
        rows = rules.crowding.rows_for(request, partition) or (-1,)
        spread = spread_of(request, bounded, settings, machine, rows[0])
        allowed = rules.members[partition.name] & ~machine.bitmap(request.excluded_nodes)
        allowed &= machine.with_disk(request.tmp_disk_mb)
        if spread is None and request.gres_total:
            request = on_enough_nodes(request, allowed, machine)
        if spread is None:
            least = machine.intern(shape_of(request, partition, settings, rows[0]))
        else:
            least = spread.share
        return cls(
            job=job,
            partition=partition,
            rules=rules,
            request=request,
            bounded=bounded,
            rows=rows,
            spread=spread,
            required=machine.bitmap(request.required_nodes),
            allowed=allowed,
            possible=allowed & machine.fits_empty(least),
        )

    def meetings(self) -> list[Meeting]:
        """Return the sets of possible nodes that meet its constraint, under one root each.

        Raises UnsupportedConstraint.
        """
        machine = self.rules.machine
        sets = [
            one.among(self.possible & island)
            for one in machine.meeting(self.request.features)
            for island in machine.islands
        ]
        _refuse_mixtures(sets, self.request)
        return sets

    def sufficient(self, sets: Sequence[Meeting]) -> list[Meeting]:
        """Return those whose nodes would do if nothing ran there."""
        return [one for one in sets if self._gives_enough(one) and self._has_nodes(one)]

    def _gives_enough(self, one: Meeting) -> bool:
        return self.spread is None or _is_enough(self.spread, one.nodes, self.rules.machine)

    def _has_nodes(self, one: Meeting) -> bool:
        least = max(self.request.nodes, _counted(one))
        enough = one.nodes.bit_count() >= least and has_all(one.nodes, one.groups)
        return enough and one.nodes & self.required == self.required

    def refused_of(self, sets: Sequence[Meeting]) -> Refusal:
        """Return why none of these sets of nodes is sufficient."""
        machine, spread, request = self.rules.machine, self.spread, self.request
        if spread is not None and any(self._has_nodes(one) for one in sets):
            most = max(machine.most_cpus(one.nodes, spread) for one in sets)
            pieces = max(machine.most_pieces(one.nodes, spread) for one in sets)
            return never_in(self.partition, _too_much(spread, most, pieces))
        most = max(one.nodes.bit_count() for one in sets)
        wanted = "node" if request.nodes == 1 else "nodes"
        why = f"{request.nodes} {wanted} needed, {most} could ever hold it"
        return never_in(self.partition, why)

    def needs(self, sets: Sequence[Meeting], *, out_of_order: bool) -> tuple[Need, ...]:
        """Return the ways to place it on these sets of nodes, row by row."""
        machine, settings = self.rules.machine, self.rules.settings
        job, partition, request = self.job, self.partition, self.request
        beside_own = shape_beside_own(job.spec.request, partition, settings)
        alike = partial(
            Need,
            partition=partition.name,
            qos=job.spec.qos,
            nodes=max(request.nodes, self.required.bit_count(), _counted(sets[0])),
            lacking=self._lacking(),
            required=self.required,
            duration_s=planned_s(request, partition),
            least_s=self.rules.least_s(job, partition),
            licenses=request.licenses,
            members=self.rules.members[partition.name],
            unit=unit_of(request, partition, settings),
            contiguous=request.contiguous,
            switches=request.switches or 0,
            user=job.spec.user,
            beside_own=None if beside_own is None else machine.intern(beside_own),
            out_of_order=out_of_order,
            overlong=is_overlong(request.limit_s, partition, self.rules.flags(job.spec)),
        )
        found: list[Need] = []
        for row in self.rows:
            spread = spread_of(request, self.bounded, settings, machine, row)
            if spread is not None and spread.whole:
                shape = spread.share
            else:
                shape = machine.intern(shape_of(request, partition, settings, row))
            of_row = partial(
                alike,
                shape=shape,
                spread=spread,
                trimmed=trimming_of(request, partition, settings, spread),
            )
            found.extend(of_row(candidates=one.nodes, groups=one.groups) for one in sets)
        return tuple(found)

    def _lacking(self) -> int:
        """Return the nodes that pass for its own until ends of jobs are reckoned with.

        They have the CPUs and the memory of the least the job would have there, but lack generic
        resources, or CPUs for all its tasks. Source: Slurm 22.05, job_req_node_filter.
        """
        machine, request = self.rules.machine, self.request
        featured = reduce(or_, (one.nodes for one in machine.meeting(request.features)))
        cpus = request.cpus_per_node or 1
        partition, settings = self.partition, self.rules.settings
        _, per_node_mb, per_cpu_mb = cpus_and_memory(request, partition, settings)
        having = machine.having(cpus, max(per_node_mb, per_cpu_mb * cpus))
        return self.allowed & ~self.possible & featured & having


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


def _refuse_mixtures(sets: Sequence[Meeting], request: Request) -> None:
    """Raise UnsupportedConstraint for counts of nodes beside what is not modelled with them."""
    for one in sets:
        groups = [nodes for nodes, _ in one.groups]
        if groups and (request.required_nodes or request.contiguous):
            raise UnsupportedConstraint("node counts beside other wishes for nodes")
        if any(sum(1 for other in groups if one_ & other) > 2 for one_ in groups):
            raise UnsupportedConstraint("node counts of more than two features that nodes share")


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
