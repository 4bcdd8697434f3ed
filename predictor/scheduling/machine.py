"""A cluster's nodes as numbered columns: sets of nodes are bitmaps, amounts are vectors."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from predictor.domain import CpuGranularity, Node, Tres, amount_of
from predictor.scheduling.features import FeatureTest, alternatives
from predictor.scheduling.placing import Spread

ALL_MEMORY = -1
"""Asks for a node's whole memory, however much that is."""
ALL_CPUS = -1
"""Asks for all CPUs of a node, however many there are."""

Vector = tuple[int, ...]
"""Amounts of one node: CPUs, memory in MB, each kind of generic resource, each quota, each row.

Where several jobs may have one CPU, CPUs are counted in all rows together, and then row by row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What a job takes of each of its nodes. Jobs of equal shape fit on the same nodes."""

    whole: bool
    """The node must be empty and is then full, whatever the amounts."""
    cpus: int
    memory_mb: int
    memory_per_cpu_mb: int = 0
    """It takes so much more for each CPU that it uses of the node's."""
    gres: Tres = ()
    granularity: CpuGranularity = CpuGranularity.CPU
    quota: str = ""
    """The partition whose jobs together may have only so many CPUs of a node; empty: none."""
    row: int = -1
    """Whose CPUs others may have in other rows; -1: nobody else may."""
    crowd: str = ""
    """The partition, if several jobs may have one CPU of it: only its own come beside this one."""
    yields: bool = False
    """It goes on no node where another has CPUs that nobody may share; those come beside it."""
    per_core: int = 0
    """It uses at most so many CPUs of a core; 0: all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """The nodes, as bitmaps, that meet one alternative of a feature constraint."""

    nodes: int
    groups: tuple[tuple[int, int], ...] = ()
    """So many nodes must be of each of these sets; none counts twice."""

    def among(self, allowed: int) -> "Meeting":
        """Return what is left if only these nodes are allowed."""
        groups = tuple((nodes & allowed, least) for nodes, least in self.groups)
        return Meeting(nodes=self.nodes & allowed, groups=groups)


class Machine:
    """The nodes, numbered as they are taken: by rank, where that counts, and then as listed.

    Bit i of a bitmap stands for node i. Shapes are interned: the engine knows them by number.
    """

    def __init__(
        self,
        nodes: Sequence[Node],
        quotas: Mapping[str, int] | None = None,
        depths: Mapping[str, int] | None = None,
        *,
        by_rank: bool = True,
    ) -> None:
        """Without `quotas` the jobs of a partition may have all CPUs of a node; else so many.

        `depths`: how many jobs may have one CPU, by the names of nodes where more than one may.
        `by_rank`: whether nodes of equal rank are chosen among at a time.
        """
        self.by_rank = by_rank
        self.ranks = [node.rank if by_rank else 0 for node in nodes]
        order = sorted(range(len(nodes)), key=self.ranks.__getitem__)
        self.nodes = tuple(nodes[place] for place in order)
        self.ranks.sort()
        """By node: its rank, as far as that counts."""
        self.gaps = sum(
            1 << i
            for i, place in enumerate(order)
            if i and (place != order[i - 1] + 1 or self.ranks[i] != self.ranks[i - 1])
        )
        """The nodes that are no neighbours, in the site's own order, of the ones before."""
        self.up_to_rank = () if by_rank else _up_to_rank(nodes)
        """If not `by_rank`, by rank: the nodes of that and of lower ones, for a start just now."""
        self.everything = (1 << len(self.nodes)) - 1
        self.kinds = _gres_kinds(self.nodes)
        largest = max((node.cpus for node in nodes), default=0)
        bounds = sorted((quotas or {}).items())
        self.quotas = {name: most for name, most in bounds if most < largest}
        self.depths = tuple((depths or {}).get(node.name, 1) for node in self.nodes)
        """How many jobs may have one CPU, by node."""
        self.rows = most if (most := max(self.depths, default=1)) > 1 else 0
        """How many rows of CPUs are counted; 0: none, as every CPU goes to one job."""
        self.capacity = tuple(
            (
                node.cpus * depth,
                node.memory_mb,
                *self._gres_amounts(node.gres),
                *self.quotas.values(),
                *[node.cpus] * self.rows,
            )
            for node, depth in zip(self.nodes, self.depths, strict=True)
        )
        self.widest = max((node.cpus for node in self.nodes), default=0)
        """The most CPUs of a node."""
        self.is_even = len({node.cpus for node in self.nodes}) < 2
        """Whether all nodes have the same number of CPUs."""
        self.has_tree = any(node.switches for node in self.nodes)
        """Whether there is a tree of switches."""
        self._widest: dict[tuple[str, ...], int] = {}
        self.islands = _islands(self.nodes)
        """The nodes under each of the topmost switches: no job runs in two of these sets."""
        self._number = {node.name: i for i, node in enumerate(self.nodes)}
        self.usable = sum(1 << i for i, node in enumerate(self.nodes) if node.usable)
        self._shapes: list[Shape] = []
        self._shape_numbers: dict[Shape, int] = {}
        self._amounts: list[list[Vector]] = []
        self._fits_empty: list[int] = []
        self._meeting: dict[str, tuple[Meeting, ...]] = {}
        self._with_disk = {0: self.everything}
        self._most_cpus: dict[tuple[int, bool, Spread], int] = {}
        self._having: dict[tuple[int, int], int] = {}

    def number(self, name: str) -> int | None:
        """Return the node's number; None if there is no such node."""
        return self._number.get(name)

    def widest_of_mixed(self, names: tuple[str, ...]) -> int:
        """Return the most CPUs of one of the named nodes; 0: they all have the same number."""
        found = self._widest.get(names)
        if found is None:
            cpus = {self.nodes[i].cpus for i in numbers(self.bitmap(names))}
            found = self._widest[names] = max(cpus) if len(cpus) > 1 else 0
        return found

    def bitmap(self, names: Iterable[str]) -> int:
        """Return the set of the named nodes; names that do not exist are left out."""
        numbers = (self._number.get(name) for name in names)
        return sum({1 << i for i in numbers if i is not None})

    def with_disk(self, least_mb: int) -> int:
        """Return the set of the nodes that have so much local disk."""
        found = self._with_disk.get(least_mb)
        if found is None:
            nodes = enumerate(self.nodes)
            found = sum(1 << i for i, node in nodes if node.tmp_disk_mb >= least_mb)
            self._with_disk[least_mb] = found
        return found

    def meeting(self, constraint: str) -> tuple[Meeting, ...]:
        """Return, for each alternative of a feature constraint, the nodes that meet it.

        Raises UnsupportedConstraint.
        """
        known = self._meeting.get(constraint)
        if known is None:
            known = self._meeting[constraint] = tuple(
                Meeting(
                    nodes=self._passing(one.test),
                    groups=tuple(
                        (self._passing(test) & self._passing(one.test), least)
                        for test, least in one.groups
                    ),
                )
                for one in alternatives(constraint)
            )
        return known

    def _passing(self, test: FeatureTest) -> int:
        nodes = enumerate(self.nodes)
        return sum(1 << i for i, node in nodes if test(frozenset(node.features)))

    def names(self, bitmap: int) -> tuple[str, ...]:
        """Return the names of a set's nodes, in the machine's order."""
        return tuple(self.nodes[i].name for i in numbers(bitmap))

    def intern(self, shape: Shape) -> int:
        """Return the shape's number; equal shapes have equal numbers."""
        if shape.quota not in self.quotas:
            shape = replace(shape, quota="")
        number = self._shape_numbers.get(shape)
        if number is None:
            number = self._shape_numbers[shape] = len(self._shapes)
            self._shapes.append(shape)
            amounts = [self._amount(shape, place) for place in range(len(self.nodes))]
            self._amounts.append(amounts)
            self._fits_empty.append(self._holding(shape, amounts))
        return number

    def shape(self, number: int) -> Shape:
        """Return the shape that has this number."""
        return self._shapes[number]

    def amounts(self, shape: int) -> list[Vector]:
        """Return, for each node, what a job of this shape takes of it."""
        return self._amounts[shape]

    def asked(self, shape: int) -> Vector:
        """Return what a job of this shape asks for of any node; memory may be `ALL_MEMORY`."""
        form = self._shapes[shape]
        memory_mb = form.memory_mb + form.memory_per_cpu_mb * form.cpus
        return (form.cpus, memory_mb, *self._gres_amounts(form.gres))

    def having(self, cpus: int, memory_mb: int) -> int:
        """Return the set of nodes that have so much, whoever uses it."""
        key = cpus, memory_mb
        found = self._having.get(key)
        if found is None:
            nodes = enumerate(self.nodes)
            found = self._having[key] = sum(
                1 << i for i, node in nodes if node.cpus >= cpus and node.memory_mb >= memory_mb
            )
        return found

    def fits_empty(self, shape: int) -> int:
        """Return the set of nodes that could hold the shape if nothing else ran there."""
        return self._fits_empty[shape]

    def most_cpus(self, nodes: int, spread: Spread) -> int:
        """Return how many CPUs these nodes would give together if nothing ran there."""
        key = nodes, spread.loose, replace(spread, cpus=0)
        found = self._most_cpus.get(key)
        if found is None:
            found = self._most_cpus[key] = self._most(nodes, spread, self._most_of_node)
        return found

    def most_pieces(self, nodes: int, spread: Spread) -> int:
        """Return for how many pieces these nodes would have generic resources, in the same way."""
        return self._most(nodes, spread, self._pieces_of)

    def _most(self, nodes: int, spread: Spread, of: Callable[[int, Spread], int]) -> int:
        able = numbers(nodes & self._fits_empty[spread.share])
        nodes_most = spread.nodes_most or len(self.nodes)
        return sum(sorted((of(i, spread) for i in able), reverse=True)[:nodes_most])

    def _most_of_node(self, i: int, spread: Spread) -> int:
        """Return how many CPUs a node with nothing on it gives, with all that goes with them."""
        form, besides = self._shapes[spread.share], self._amounts[spread.besides][i]
        cpus, memory_mb = self.nodes[i].cpus, self.nodes[i].memory_mb
        cpus = min(cpus, self.quotas.get(form.quota, cpus))
        if spread.memory_per_cpu_mb > 0:
            cpus = min(cpus, (memory_mb - besides[1]) // spread.memory_per_cpu_mb)
        if spread.piece_gres and not spread.loose:
            cpus = min(cpus, self._pieces_of(i, spread) * spread.task)
        cpus -= cpus % max(1, step(self.nodes[i], form.granularity))
        return cpus - cpus % spread.unit

    def _pieces_of(self, i: int, spread: Spread) -> int:
        """Return for how many pieces a node with nothing on it has generic resources."""
        besides, has = self._amounts[spread.besides][i], self.capacity[i]
        wanted = enumerate(self._gres_amounts(spread.piece_gres), 2)
        return min(((has[k] - besides[k]) // each for k, each in wanted if each > 0), default=0)

    def with_each(self, spread: Spread, node: int) -> Vector:
        """Return what goes with every CPU that a node gives; generic resources, with a piece."""
        form = self._shapes[spread.share]
        gres = self._gres_amounts(spread.piece_gres)
        quotas = (int(name == form.quota) for name in self.quotas)
        in_all, *rows = self._in_rows(form, 1, node)
        return (in_all, spread.memory_per_cpu_mb, *gres, *quotas, *rows)

    def cpus_each(self, spread: Spread) -> Vector:
        """Return with how many CPUs of a node each of these amounts goes; 0: it does not."""
        behind = len(self.quotas) + self.rows
        gres = 0 if spread.loose else spread.task
        return (1, 1, *[gres] * len(self.kinds), *[1] * behind)

    def quota_of(self, shape: int) -> int:
        """Return the place of the amount that bounds its partition's CPUs of a node; -1: none."""
        quota = self._shapes[shape].quota
        return 2 + len(self.kinds) + list(self.quotas).index(quota) if quota else -1

    def most_of(self, gres: str, node: int) -> int:
        """Return how much the node has of a generic resource, named with or without a type."""
        return _gres_amount(self.nodes[node].gres, gres)

    def cpus(self, shape: int, node: int) -> int:
        """Return how many of the node's CPUs a job of this shape counts as, whoever else has them.

        Where CPUs are counted one by one, those count that it asks for, not all of its cores.
        """
        form = self._shapes[shape]
        if form.granularity is CpuGranularity.CPU and not form.whole:
            return _taken(form, self.nodes[node])[1]
        return self.taken(shape, node)

    def taken(self, shape: int, node: int) -> int:
        """Return how many of the node's CPUs a job of this shape leaves to nobody."""
        form = self._shapes[shape]
        return self.nodes[node].cpus if form.whole else _taken(form, self.nodes[node])[0]

    def _in_rows(self, shape: Shape, cpus: int, node: int) -> Vector:
        """Return how much of the node's rows so many CPUs are, together and row by row."""
        if shape.row < 0:
            return (cpus * self.depths[node], *[cpus] * self.rows)
        return (cpus, *(cpus if row == shape.row else 0 for row in range(self.rows)))

    def _holding(self, shape: Shape, amounts: Sequence[Vector]) -> int:
        """Return the set of nodes that hold the amounts; none if no node has such a resource."""
        if any(name not in self.kinds for name, _ in shape.gres):
            return 0
        pairs = zip(self.capacity, amounts, strict=True)
        return sum(1 << i for i, (have, need) in enumerate(pairs) if covers(have, need))

    def _amount(self, shape: Shape, place: int) -> Vector:
        node = self.nodes[place]
        cpus, used = _taken(shape, node)
        if shape.whole:
            # Memory goes with all CPUs that it may use of all cores, be they used or not. Source:
            # Slurm 22.05, can_job_run_on_node.
            of_core = min(shape.per_core or node.cpus_per_core, node.cpus_per_core)
            used = max(used, node.cpus // node.cpus_per_core * of_core)
        memory = shape.memory_mb + shape.memory_per_cpu_mb * used
        if shape.memory_mb == ALL_MEMORY:
            memory = node.memory_mb
        # Who takes whole nodes counts with all their CPUs.
        drawn = node.cpus if shape.whole else cpus
        quotas = (drawn if name == shape.quota else 0 for name in self.quotas)
        in_all, *rows = self._in_rows(shape, cpus, place)
        return (in_all, memory, *self._gres_amounts(shape.gres), *quotas, *rows)

    def _gres_amounts(self, gres: Tres) -> Vector:
        return tuple(_gres_amount(gres, kind) for kind in self.kinds)


def numbers(bitmap: int) -> Iterator[int]:
    """Yield the numbers of a set's nodes, ascending."""
    while bitmap:
        lowest = bitmap & -bitmap
        yield lowest.bit_length() - 1
        bitmap ^= lowest


def covers(have: Vector, need: Vector) -> bool:
    """Return whether every amount of `have` is at least that of `need`."""
    for h, n in zip(have, need, strict=True):  # noqa: SIM110 - thrice as fast as all()
        if h < n:
            return False
    return True


def _islands(nodes: Sequence[Node]) -> tuple[int, ...]:
    found: dict[str, int] = {}
    for i, node in enumerate(nodes):
        root = node.switches[-1] if node.switches else ""
        found[root] = found.get(root, 0) | 1 << i
    return tuple(found.values()) or (0,)


def _up_to_rank(nodes: Sequence[Node]) -> tuple[int, ...]:
    """Return by rank, of the two and more that there are, the nodes that have no higher one."""
    ranks = sorted({node.rank for node in nodes})
    if len(ranks) < 2:
        return ()
    return tuple(sum(1 << i for i, node in enumerate(nodes) if node.rank <= rank) for rank in ranks)


def _gres_kinds(nodes: Sequence[Node]) -> tuple[str, ...]:
    """Return every typed kind (`gpu:a100`) and every plain name (`gpu`) that some node has."""
    typed = {name for node in nodes for name, _ in node.gres}
    return tuple(sorted(typed | {name.partition(":")[0] for name in typed}))


def _gres_amount(gres: Tres, kind: str) -> int:
    """Return the amount of one kind; a plain name counts all its types together."""
    if ":" in kind:
        return amount_of(gres, kind)
    return sum(amount for name, amount in gres if name.partition(":")[0] == kind)


def step(node: Node, granularity: CpuGranularity) -> int:
    """Return how many CPUs of this node are handed out together: a core, a socket or all.

    Nobody shares a core with others, not even where CPUs are counted one by one.
    """
    return {
        CpuGranularity.CPU: node.cpus_per_core,
        CpuGranularity.CORE: node.cpus_per_core,
        CpuGranularity.SOCKET: max(1, node.cpus // max(1, node.sockets)),
        CpuGranularity.NODE: node.cpus,
    }[granularity]


def _taken(shape: Shape, node: Node) -> tuple[int, int]:
    """Return the CPUs that others do not get on this node, and how many of them are used.

    They are handed out in whole cores, sockets or nodes.
    """
    if shape.cpus == ALL_CPUS:
        return node.cpus, node.cpus
    piece = max(1, step(node, shape.granularity))
    if 0 < shape.per_core < node.cpus_per_core:
        cores = -(-shape.cpus // shape.per_core)
        return -(-cores * node.cpus_per_core // piece) * piece, shape.cpus
    cpus = -(-shape.cpus // piece) * piece
    return cpus, shape.cpus if shape.granularity is CpuGranularity.CPU else cpus
