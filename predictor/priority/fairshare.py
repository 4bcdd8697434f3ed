"""Shares and usage of everybody on a cluster, and the fairshare that comes of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from predictor.domain import FairshareFormula, SchedulerSettings, Snapshot
from predictor.priority.classic import classic
from predictor.priority.fairtree import fair_tree
from predictor.priority.sharetree import ShareTree, Who, share_tree, who_is

HALVING = 0.693
"""What stands for the logarithm of 2 in Slurm."""

TOLD_WITHIN = 1e-5
"""Factors are told in so few digits that a computed one this near is the better."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """The share tree, and how much everybody used: decaying, in billing units times seconds.

    Usage is known in whole numbers only, a millionth of what a user of a few cores collects in a
    day. That moves no rank, except among those whose usage has decayed below 1: they are taken
    for equals without usage, while the batch system still tells them apart.
    """

    tree: ShareTree
    usage: tuple[float, ...]
    """By place in the tree."""
    settings: SchedulerSettings
    told: Mapping[Who, float] = field(default_factory=dict)
    """The factors in force, which are those of the last recomputation; empty: not told.

    Of jobs that ended since then the usage shows, but does not count yet.
    """

    @classmethod
    def of(cls, snapshot: Snapshot) -> Self | None:
        """Return the state as told; None if the tree or anybody's usage is hidden."""
        tree = share_tree(snapshot.associations)
        told = {who_is(one): one.fairshare for one in snapshot.associations}
        standings = [told[member.who] for member in tree.members] if tree else []
        if tree is None or None in standings:
            return None
        usage = tuple(float(max(0, one.usage_raw)) for one in standings if one)
        factors = {
            member.who: one.factor
            for member, one in zip(tree.members, standings, strict=True)
            if member.who[1] and one and one.factor is not None
        }
        return cls(tree=tree, usage=usage, settings=snapshot.settings, told=factors)

    def factors(self) -> Mapping[Who, float]:
        """Return every user's fairshare factor in force, in [0, 1], by the cluster's algorithm."""
        return {
            who: told
            if abs((told := self.told.get(who, factor)) - factor) > TOLD_WITHIN
            else factor
            for who, factor in self._computed().items()
        }

    def _computed(self) -> Mapping[Who, float]:
        formula = self.settings.fairshare_formula
        if formula is FairshareFormula.FAIR_TREE:
            return fair_tree(self.tree, self.usage)
        dampening = max(1, self.settings.fairshare_dampening)
        oblivious = formula is FairshareFormula.DEPTH_OBLIVIOUS
        return classic(self.tree, self.usage, dampening, oblivious)

    @property
    def kept(self) -> float:
        """What is left of usage after a second."""
        half_life_s = self.settings.priority_half_life_s
        return 1 - HALVING / half_life_s if half_life_s > 0 else 1.0
