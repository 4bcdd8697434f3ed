"""Jobs that limits count together, and what of them is to be counted."""

from collections.abc import Mapping
from dataclasses import dataclass

MILLION = 1_000_000
"""Usage factors are counted in millionths: integers, so that what is added can be taken away."""
NODE = "node"
"""The resource that is nodes: those that several jobs of a group are on count once."""
BILLING = "billing"
"""The resource that is a price: what a job uses for fair share are its seconds."""
WALL = "wall time"
"""The run time itself among what is used up; no resource has a space in its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """What a group's limits need to be counted, besides jobs. Names of TRES, and WALL."""

    tres: frozenset[str] = frozenset()
    run_seconds: frozenset[str] = frozenset()
    used_up: frozenset[str] = frozenset()
    half_life_s: int = 0
    """How fast what is used up decays; 0: not at all."""

    @property
    def names(self) -> frozenset[str]:
        """All that is counted besides jobs."""
        return self.tres | self.run_seconds | self.used_up


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Group:
    """Jobs that are counted together. No two are equal."""

    watch: Watch
    used_seconds: Mapping[str, float]
    """How much of what is watched was used up at the snapshot; who is missing, nothing."""

    def blank(self) -> "Group":
        """Return a group of the same kind in which nobody is counted."""
        return Group(watch=self.watch, used_seconds={})
