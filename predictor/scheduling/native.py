"""Which nodes a batch system with two passes takes, as it is set up.

Source: Slurm 22.05, select/cons_tres, and the settings that alter its choice, slurm.conf(5).
"""

from collections.abc import Iterable
from dataclasses import dataclass

from predictor.domain import Snapshot
from predictor.scheduling.machine import Machine
from predictor.scheduling.placing import Need
from predictor.scheduling.policy import Allocation

MOST_DRAWN = 255
"""More of a resource than that draws nobody any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NativeChoice:
    """How nodes are chosen for each request."""

    machine: Machine
    emptiest_in: frozenset[str]
    """The partitions that take the least loaded nodes first."""
    single_cpus_last: bool
    single_nodes_first: bool
    """Whether who may have but one node gets the first that will do, before all else."""
    tree_on_demand: bool
    tree_counts_cpus: bool
    tree_counts_down: bool
    drawn_by: str
    """The kind of resource that draws those who ask for it to where they get most; or none."""

    @classmethod
    def of(cls, snapshot: Snapshot, machine: Machine) -> "NativeChoice":
        """Return the choice on the snapshot's cluster."""
        return cls(
            machine=machine,
            emptiest_in=frozenset(one.name for one in snapshot.partitions if one.spread),
            single_cpus_last=snapshot.settings.single_cpus_last,
            single_nodes_first=snapshot.settings.single_nodes_first,
            tree_on_demand=snapshot.settings.tree_on_demand,
            tree_counts_cpus=snapshot.settings.tree_counts_cpus,
            tree_counts_down=snapshot.settings.tree_counts_down,
            drawn_by=snapshot.settings.drawn_by,
        )

    def allocation(self, need: Need) -> Allocation:
        """Return which of the nodes that fit are taken for the need."""
        most = need.nodes if need.spread is None else need.spread.nodes_most
        if self.single_nodes_first and most == 1:
            return Allocation.LIGHTEST
        if need.spread is not None and need.spread.scattered:
            return Allocation.FIRST_FIT
        if need.partition in self.emptiest_in:
            return Allocation.BALANCED
        shape = self.machine.shape(need.shape)
        if self.single_cpus_last and need.nodes == 1 and shape.cpus == 1:
            return Allocation.LAST
        if self.machine.has_tree and (need.switches or not self.tree_on_demand):
            return Allocation.TREE
        return Allocation.CONSECUTIVE

    def draw(self, need: Need, nodes: Iterable[int]) -> tuple[int, ...]:
        """Return, by node, how strongly the need is drawn there; nothing if it is nowhere.

        Who takes a node as a whole gets all it has of what is asked for; where tasks may lie
        anywhere, it is told for each.
        """
        shape = self.machine.shape(need.taken)
        gres = (need.spread and need.spread.piece_gres) or shape.gres
        asked = tuple(one for one in gres if one[0].partition(":")[0] == self.drawn_by)
        if not asked:
            return ()
        drawn = (
            sum(self.machine.most_of(name, node) if shape.whole else n for name, n in asked)
            for node in nodes
        )
        return tuple(min(amount, MOST_DRAWN) for amount in drawn)
