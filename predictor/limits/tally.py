"""What the jobs of one group hold together, as far as a limit asks for it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from predictor.limits.claims import Claim
from predictor.limits.nodeuse import NodeUse

MILLION = 1_000_000
"""Usage factors are counted in millionths: integers, so that what is added can be taken away."""
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


class UsedUp:
    """Seconds of a resource used so far; grows while it is in use, and decays."""

    __slots__ = ("_at", "_half_life_s", "_rate", "_seconds")

    def __init__(self, seconds: float, at: int, half_life_s: int) -> None:
        self._seconds = seconds
        self._at = at
        self._rate = 0
        self._half_life_s = half_life_s

    def seconds(self, at: int) -> float:
        """Return how much is used up at that instant, which is not before the last change."""
        passed = max(0, at - self._at)
        rate = self._rate / MILLION
        if not self._half_life_s:
            return self._seconds + rate * passed
        left = math.exp2(-passed / self._half_life_s)
        return self._seconds * left + rate * (1 - left) * self._half_life_s / math.log(2)

    def change(self, rate: int, at: int) -> None:
        """Let it grow faster by `rate` (millionths of a resource) from `at` on; or slower."""
        self._seconds = self.seconds(at)
        self._at = max(self._at, at)
        self._rate += rate


class Tally:
    """One group's live counters. What is not watched is not counted.

    `remove` is the exact inverse of `add`; only what was used up meanwhile stays used up.
    """

    __slots__ = ("_ends", "_rates", "_used_up", "held", "jobs", "nodes", "watch")

    def __init__(self, watch: Watch, used_seconds: Mapping[str, float], at: int) -> None:
        self.watch = watch
        """What it counts, besides jobs."""
        self.jobs = 0
        self.nodes = NodeUse()
        """Only if nodes are watched."""
        self.held: dict[str, int] = dict.fromkeys(watch.tres - {"node"}, 0)
        """What is in use, by TRES; nodes apart."""
        self._rates: dict[str, int] = dict.fromkeys(watch.run_seconds, 0)
        self._ends: dict[str, int] = dict.fromkeys(watch.run_seconds, 0)
        self._used_up = {
            name: UsedUp(used_seconds.get(name, 0.0), at, watch.half_life_s)
            for name in watch.used_up
        }

    def blank(self, at: int) -> "Tally":
        """Return counters of the same kind in which nobody has ever been counted."""
        return Tally(self.watch, {}, at)

    def add(self, claim: Claim, nodes: int, started_at: int, weight: int) -> None:
        """Count a job on `nodes` from `started_at` on; `weight`: its usage factor, millionths."""
        self._count(claim, 1, started_at, weight)
        if "node" in self.watch.tres:
            self.nodes.add(nodes)
        for name, meter in self._used_up.items():
            meter.change(_amount(claim, name) * weight, started_at)

    def remove(self, claim: Claim, nodes: int, started_at: int, weight: int, at: int) -> None:
        """Count the job no more, which ended `at`; the other arguments are those of `add`."""
        self._count(claim, -1, started_at, weight)
        if "node" in self.watch.tres:
            self.nodes.remove(nodes)
        for name, meter in self._used_up.items():
            meter.change(-_amount(claim, name) * weight, at)

    def _count(self, claim: Claim, sign: int, started_at: int, weight: int) -> None:
        amounts = claim.amounts
        self.jobs += sign
        for name in self.held:
            self.held[name] += sign * amounts.get(name, 0)
        for name in self._rates:
            rate = sign * amounts.get(name, 0) * weight
            self._rates[name] += rate
            self._ends[name] += rate * (started_at + claim.limit_s)

    def in_use(self, name: str) -> int:
        """Return how much of the TRES is in use; of nodes, how many different ones."""
        return self.nodes.used.bit_count() if name == "node" else self.held[name]

    def run_seconds(self, name: str, at: int) -> float:
        """Return the TRES times what its running jobs have left of their limits."""
        return max(0, self._ends[name] - self._rates[name] * at) / MILLION

    def used_seconds(self, name: str, at: int) -> float:
        """Return how much of the TRES (or WALL) times seconds is used up."""
        return self._used_up[name].seconds(at)

    def state(self, at: int) -> tuple[object, ...]:
        """Return all counters as one value, for comparison."""
        used = tuple(sorted((name, meter.seconds(at)) for name, meter in self._used_up.items()))
        return self.jobs, self.held, self._rates, self._ends, self.nodes, used


def _amount(claim: Claim, name: str) -> int:
    return 1 if name == WALL else claim.amounts.get(name, 0)
