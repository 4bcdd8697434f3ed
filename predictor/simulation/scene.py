"""From values of the domain to the engine's numbers: machine, reservations and requests."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from predictor.domain import CpuGranularity, Eviction, Node, Snapshot, Tres
from predictor.engine import codes
from predictor.engine.calendar_tables import Cleared
from predictor.engine.layout import Layout
from predictor.engine.tables import Kind, LayoutTables, Switch, Tenant
from predictor.engine.tables import Spread as Laid
from predictor.scheduling.machine import Machine, Shape, step
from predictor.scheduling.native import NativeChoice
from predictor.scheduling.orders import drawn, thrifty, unasked
from predictor.scheduling.placing import Holding, Need, Spread, Trimming
from predictor.scheduling.policy import Allocation
from predictor.scheduling.pools import totals
from predictor.scheduling.sharing import has_owners
from predictor.scheduling.switches import tree
from predictor.simulation.bounds import MOST_AMOUNT, bounded
from predictor.simulation.calendars import Known, lowered
from predictor.simulation.rest import Rest

ALLOCATIONS: Mapping[Allocation, int] = {
    Allocation.FIRST_FIT: codes.FIRST_FIT,
    Allocation.BEST_FIT: codes.BEST_FIT,
    Allocation.BALANCED: codes.BALANCED,
    Allocation.CONSECUTIVE: codes.CONSECUTIVE,
    Allocation.ROUND_ROBIN: codes.ROUND_ROBIN,
    Allocation.DUAL_END: codes.DUAL_END,
    Allocation.TREE: codes.TREE,
    Allocation.LAST: codes.LAST,
    Allocation.LIGHTEST: codes.LIGHTEST,
    Allocation.WEIGHTED: codes.IN_ORDER,
    Allocation.HYBRID: codes.HYBRID,
    Allocation.RANDOM: codes.IN_ORDER,
}
TRIMMINGS: Mapping[Trimming, int] = {
    Trimming.NEVER: codes.TRIMMED_NEVER,
    Trimming.SHARED: codes.TRIMMED_SHARED,
    Trimming.ALWAYS: codes.TRIMMED_ALWAYS,
}
ON_WHOLE_NODES: Mapping[Allocation | None, Allocation] = {
    Allocation.BEST_FIT: Allocation.FIRST_FIT,
    Allocation.BALANCED: Allocation.FIRST_FIT,
    Allocation.HYBRID: Allocation.WEIGHTED,
}
"""What comes to the same for who takes whole nodes, as they are all as empty."""
SHARERS = 1
"""Whoever they are, those who share CPUs are beside each other as if they were one user."""


class Scene:
    """Numbers whatever a simulation needs to name, and lays it out for the engine.

    Everything is to be numbered before `layout` is asked for.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        machine: Machine,
        calendars: Sequence[Known],
        allocation: Allocation | None = None,
        seed: int = 0,
        clearings: Sequence[Cleared] = (),
    ) -> None:
        """Without an allocation it is the batch system's own; `seed` is for a random one.

        `clearings` are for passes in strict order and ahead only.
        """
        self.machine = machine
        self._calendars = calendars
        self._allocation = allocation
        self._seed = seed
        self._clearings = clearings
        self._native = NativeChoice.of(snapshot, machine)
        self._rest = Rest.of(snapshot, machine)
        there = totals(snapshot)
        self._pools = {name: place for place, name in enumerate(there)}
        self._totals = [*there.values()]
        names = {c.reservation for known in calendars for c in known.closures}
        self._reservations = {name: number for number, name in enumerate(sorted(names), start=1)}
        self._kinds: dict[Kind, int] = {}
        self._known: dict[tuple[object, ...], int] = {}
        """The numbers of kinds, by all of a need that makes them."""
        self._orders: dict[tuple[int, ...], int] = {}
        """By the columns of amounts that are not asked for; by none if the order is drawn."""
        self._shapes: dict[tuple[int, str, bool], int] = {}
        """By number of the machine's shape, user, and whether no one else's jobs may be there."""
        self._owned = has_owners(snapshot)
        self._lends = _has_suspenders(snapshot)
        self._class_of, self._classes = _classes(machine)

    @property
    def node_class(self) -> Sequence[int]:
        """By node: the number of its class."""
        return self._class_of

    @property
    def class_nodes(self) -> Sequence[int]:
        """By class: the first of its nodes."""
        return self._classes

    def kind(self, need: Need) -> int:
        """Return the number of the kind of request."""
        # To compare all this is cheaper than to make a kind of it, and many needs are alike.
        alike = (
            (need.partition, need.shape, need.nodes, need.candidates, need.required, need.members),
            (need.reservation, need.licenses, need.contiguous, need.switches, need.groups),
            (need.unit, need.trimmed),
            (need.beside_own, need.user if self._owned else "", self._alike(need.spread)),
            need.lacking,
        )
        number = self._known.get(alike)
        if number is None:
            number = self._known[alike] = self._new_kind(need)
        return number

    def _new_kind(self, need: Need) -> int:
        alone = [replace(need, candidates=nodes, lacking=0, groups=()) for nodes, _ in need.groups]
        taken = self.machine.shape(need.taken)
        kind = Kind(
            shape=self.shape(need),
            candidates=need.candidates | need.lacking,
            required=need.required,
            whole=taken.whole,
            pinned=bool(need.required) and taken.whole,
            members=need.members,
            reservation=self._reservation(need.reservation),
            licenses=self._licenses(need.licenses),
            contiguous=need.contiguous,
            allocation=ALLOCATIONS[self._allocation_of(need)],
            order=self._order(need),
            trimmed=TRIMMINGS[Trimming.NEVER if self._allocation else need.trimmed],
            counted=(need.unit, 0 if taken.whole else taken.memory_per_cpu_mb),
            quota=-1 if taken.whole else self.machine.quota_of(need.taken),
            draw=() if self._allocation else self._native.draw(need, self._classes),
            draws_by_piece=need.spread is not None and bool(need.spread.piece_gres),
            switches_max=max(0, min(need.switches, MOST_AMOUNT)),
            groups=need.groups,
            group_kinds=tuple(map(self.kind, alone)),
            spread=None if need.spread is None else self._spread(need.spread),
        )
        return self._kinds.setdefault(kind, len(self._kinds))

    @staticmethod
    def _alike(spread: Spread | None) -> Spread | None:
        """Return all of it that makes a kind: requests of one kind may be for any total."""
        return None if spread is None else replace(spread, cpus=0)

    def _spread(self, spread: Spread) -> Laid:
        machine, granularity = self.machine, self.machine.shape(spread.share).granularity
        least = [machine.taken(spread.share, first) for first in self._classes]
        each = [machine.with_each(spread, first) for first in self._classes]
        task, pieces, unit = bounded((spread.task, spread.pieces, spread.unit))
        nodes = bounded((spread.nodes_least, spread.nodes_wanted, spread.nodes_most))
        return Laid(
            least=bounded(least),
            step=tuple(max(1, step(machine.nodes[i], granularity)) for i in self._classes),
            each=tuple(map(bounded, each)),
            cpus_each=bounded(machine.cpus_each(spread)),
            task=task,
            pieces=pieces,
            unit=unit,
            nodes_least=nodes[0],
            nodes_wanted=nodes[1],
            nodes_most=nodes[2],
            whole=spread.whole,
            widest_first=spread.widest_first,
            weakest_singly=spread.weakest_singly,
            loose=spread.loose,
            scatters=granularity is CpuGranularity.SOCKET,
        )

    def shape(self, asked: Need | Holding) -> int:
        """Return the number of the shape it takes; who it is for counts if nodes have owners.

        Where nodes may give different numbers of CPUs, that is the least.
        """
        alone = asked.beside_own is not None
        spread = asked.spread if isinstance(asked, Need) else None
        if spread is not None:
            key = (spread.share, asked.user, alone) if self._owned else (spread.share, "", False)
        else:
            key = (asked.taken, asked.user, alone) if self._owned else (asked.shape, "", False)
        return self._shapes.setdefault(key, len(self._shapes))

    def _allocation_of(self, need: Need) -> Allocation:
        if self._allocation in ON_WHOLE_NODES and self.machine.shape(need.taken).whole:
            return ON_WHOLE_NODES[self._allocation]
        return self._allocation or self._native.allocation(need)

    def _order(self, need: Need) -> int:
        """Return the number of the order in which nodes are taken for the need; 0 if in none."""
        if self._allocation is Allocation.RANDOM:
            return self._orders.setdefault((), len(self._orders))
        if self._allocation not in (Allocation.WEIGHTED, Allocation.HYBRID):
            return 0
        return self._orders.setdefault(unasked(self.machine, need.shape), len(self._orders))

    def _reservation(self, name: str) -> int:
        """Return its number; one that is nowhere in the calendar is numbered, and has no nodes."""
        if not name:
            return 0
        return self._reservations.setdefault(name, len(self._reservations) + 1)

    def is_whole(self, holding: Holding) -> bool:
        """Return whether it keeps everybody else off its nodes, its own user too."""
        return self.machine.shape(holding.shape).whole and holding.beside_own is None

    def holder(self, holding: Holding) -> int:
        """Return the number of the kind by which licenses are held; -1: none are."""
        licenses = self._licenses(holding.licenses)
        if not licenses:
            return -1
        kind = Kind(shape=self.shape(holding), candidates=0, licenses=licenses)
        return self._kinds.setdefault(kind, len(self._kinds))

    def _licenses(self, licenses: Tres) -> tuple[tuple[int, int], ...]:
        """Return numbered pools; one that nobody told of is numbered, and empty."""
        for name, _ in licenses:
            if name not in self._pools:
                self._pools[name] = len(self._pools)
                self._totals.append(0)
        amounts = bounded(amount for _, amount in licenses)
        return tuple(zip((self._pools[name] for name, _ in licenses), amounts, strict=True))

    def layout(self, held: Iterable[Holding]) -> Layout:
        """Return the engine's machine. `held` is what is held of it at the beginning."""
        machine, held = self.machine, tuple(held)
        shapes = [shape for shape, _, _ in self._shapes]
        tenants = self._tenants()
        return Layout(
            LayoutTables(
                nodes=len(machine.nodes),
                node_class=self._class_of,
                capacity=[bounded(machine.capacity[first]) for first in self._classes],
                gres_kinds=len(machine.kinds),
                cpus=bounded(node.cpus * max(machine.rows, 1) for node in machine.nodes),
                weight=bounded(machine.ranks),
                plans_by_weight=machine.by_rank,
                up_to_weight=machine.up_to_rank,
                make=_makes(machine.nodes),
                depth=machine.depths,
                asleep=self._asleep(held),
                boot_s=self._rest.boot_s,
                sleeps_after_s=self._rest.sleeps_after_s,
                dozes_s=self._rest.dozes_s,
                idle_since=self._rest.idle_since,
                sleepless=self._rest.sleepless,
                wakes_per_minute=self._rest.wakes_per_minute,
                gaps=machine.gaps,
                usable=machine.usable,
                amounts=[self._amounts(shape) for shape in shapes],
                fits_empty=[machine.fits_empty(shape) for shape in shapes],
                orders=[self._order_by(columns) for columns in self._orders],
                wanted=1 + max((kind.shape for kind in self._kinds), default=-1),
                tenants=tenants,
                owned=self._owned,
                kinds=tuple(self._kinds),
                licenses=bounded(self._totals),
                calendars=[
                    lowered(known, self.machine, ("", *self._reservations), self._pools)
                    for known in self._calendars
                ],
                exact=self._is_exact(held),
                clearings=self._clearings,
                switches=[
                    Switch(nodes=one.nodes, above=one.above, is_leaf=one.is_leaf)
                    for one in tree(machine)
                ],
                switches_count_cpus=self._native.tree_counts_cpus,
                switches_count_down=self._native.tree_counts_down,
            )
        )

    def _order_by(self, columns: tuple[int, ...]) -> Sequence[int]:
        if self._allocation is Allocation.RANDOM:
            return drawn(self.machine, self._seed)
        return thrifty(self.machine, columns)

    def _amounts(self, shape: int) -> list[tuple[int, ...]]:
        if self.machine.shape(shape).whole:
            return [bounded(self.machine.capacity[first]) for first in self._classes]
        return [bounded(self.machine.amounts(shape)[first]) for first in self._classes]

    def _tenants(self) -> list[Tenant]:
        """Return whose each shape is; nothing if that makes no difference."""
        shapes = [self.machine.shape(shape) for shape, _, _ in self._shapes]
        shy = any(one.yields for one in shapes) and any(_keeps_its_cpus(one) for one in shapes)
        # Where some jobs may share CPUs, but none does, others still do not come beside them. A
        # node that is taken whole is full.
        crowded = len({one.crowd for one in shapes if not one.whole}) > 1
        if not (self.machine.rows or self._owned or shy or crowded):
            return []
        numbers: dict[tuple[str, bool], int] = {}

        def number_of(name: str, *, crowd: bool) -> int:
            return SHARERS + numbers.setdefault((name, crowd), len(numbers) + 1)

        def tenant(shape: Shape, user: str, alone: bool) -> Tenant:
            crowd = number_of(shape.crowd, crowd=True) if shape.crowd and not alone else 0
            if shape.row >= 0:
                return Tenant(user=SHARERS, alone=True, crowd=crowd, shares=True)
            return Tenant(
                user=number_of(user, crowd=False), alone=alone, crowd=crowd, yields=shape.yields
            )

        return [
            tenant(shape, user, alone)
            for shape, (_, user, alone) in zip(shapes, self._shapes, strict=True)
        ]

    def _asleep(self, held: Iterable[Holding]) -> int:
        """Return the nodes that nobody has woken; whoever holds one has."""
        found = sum(1 << i for i, node in enumerate(self.machine.nodes) if node.asleep)
        for holding in held:
            found &= ~holding.nodes
        return found

    def _is_exact(self, held: Iterable[Holding]) -> bool:
        """Return whether only whole nodes are ever taken, none is ever held by two or owned."""
        taken = 0
        for holding in held:
            if holding.nodes & taken:
                return False
            taken |= holding.nodes
        if self._lends or any(alone for _, _, alone in self._shapes):
            return False
        return all(self.machine.shape(shape).whole for shape, _, _ in self._shapes)


def _keeps_its_cpus(shape: Shape) -> bool:
    """Return whether nobody who yields goes where this is; a node that is taken whole is full."""
    return not (shape.whole or shape.yields or shape.row >= 0)


def _has_suspenders(snapshot: Snapshot) -> bool:
    """Return whether jobs may stand still for others, who then hold the same nodes."""
    preemption = snapshot.settings.preemption
    if preemption is None:
        return False
    return Eviction.SUSPENDED in (
        preemption.eviction,
        *(partition.eviction for partition in snapshot.partitions),
        *(qos.eviction for qos in snapshot.qos),
    )


def _makes(nodes: Sequence[Node]) -> Sequence[int]:
    """Return a number for each node, the same for those that may be configured in one line.

    Source: Slurm 22.05, the configuration records that node sets are built from.
    """
    numbers: dict[object, int] = {}
    found = []
    for node in nodes:
        hardware = node.cpus, node.cpus_per_core, node.sockets, node.memory_mb, node.gres
        make = hardware, node.tmp_disk_mb, frozenset(node.features), node.rank
        found.append(numbers.setdefault(make, len(numbers)))
    return found


def _classes(machine: Machine) -> tuple[Sequence[int], Sequence[int]]:
    """Return the class of each node, and the first node of each class: these are all alike."""
    numbers: dict[object, int] = {}
    first: list[int] = []
    of_node = []
    for place, node in enumerate(machine.nodes):
        key = machine.capacity[place], node.cpus_per_core, node.sockets
        if key not in numbers:
            numbers[key] = len(numbers)
            first.append(place)
        of_node.append(numbers[key])
    return of_node, first
