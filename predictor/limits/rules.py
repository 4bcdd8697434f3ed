"""Each kind of limit, as a question to a group's counters and to the job that wants to start."""

from dataclasses import dataclass
from typing import Protocol

from predictor.limits.blocked import Blocked, Bound, Release, Scope
from predictor.limits.claims import Claim
from predictor.limits.tally import MILLION, WALL, Tally


class Rule(Protocol):
    """One limit that binds a kind of job."""

    def blocks(self, claim: Claim, nodes: int, at: int) -> Blocked | None:
        """Return why the job may not start `at`; None if this limit lets it.

        `nodes` are those chosen for it, as a bitmap; 0: not yet, so all of them count as new.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class JobsRule:
    """At most `cap` jobs of the group run at a time."""

    scope: Scope
    cap: int
    tally: Tally

    def blocks(self, claim: Claim, nodes: int, at: int) -> Blocked | None:
        """See `Rule`."""
        if self.tally.jobs < self.cap:
            return None
        return Blocked(
            bound=Bound.JOBS,
            scope=self.scope,
            cap=self.cap,
            used=self.tally.jobs,
            asked=1,
            release=Release.JOBS_END if self.cap else Release.NEVER,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TresRule:
    """At most `cap` of a resource is in use at a time; nodes that jobs share count once."""

    scope: Scope
    resource: str
    cap: int
    tally: Tally

    def blocks(self, claim: Claim, nodes: int, at: int) -> Blocked | None:
        """See `Rule`."""
        whole = asked = claim.amounts.get(self.resource, 0)
        if nodes and self.resource == "node":
            asked = (nodes & ~self.tally.nodes.used).bit_count()
        used = self.tally.in_use(self.resource)
        if not asked or used + asked <= self.cap:
            return None
        return Blocked(
            bound=Bound.TRES,
            scope=self.scope,
            resource=self.resource,
            cap=self.cap,
            used=used,
            asked=asked,
            release=Release.NEVER if whole > self.cap else Release.JOBS_END,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMinutesRule:
    """What running jobs have left of their limits, times a resource, is at most `cap` minutes."""

    scope: Scope
    resource: str
    cap: int
    tally: Tally
    weight: int
    """In millionths, by how much the asking job's minutes count."""

    def blocks(self, claim: Claim, nodes: int, at: int) -> Blocked | None:
        """See `Rule`."""
        asked = claim.amounts.get(self.resource, 0) * claim.limit_s * self.weight / MILLION
        used = self.tally.run_seconds(self.resource, at)
        if not asked or used + asked <= self.cap * 60:
            return None
        return Blocked(
            bound=Bound.RUN_MINUTES,
            scope=self.scope,
            resource=self.resource,
            cap=self.cap,
            used=int(used // 60),
            asked=int(asked // 60),
            release=Release.NEVER if asked > self.cap * 60 else Release.TIME_RUNS,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedRule:
    """Less than `cap_s` seconds (of run time, or times a resource) have been used up.

    If limits are `safe`, what running jobs and the asking one may still use counts as well; of
    run time, only what the asking one may. Source: slurm.conf(5), `AccountingStorageEnforce`.
    """

    scope: Scope
    resource: str
    """WALL for run time."""
    cap_s: int
    tally: Tally
    weight: int
    safe: bool
    decays: bool

    def blocks(self, claim: Claim, nodes: int, at: int) -> Blocked | None:
        """See `Rule`."""
        wall = self.resource == WALL
        amount = 1 if wall else claim.amounts.get(self.resource, 0)
        asked = amount * claim.limit_s * self.weight / MILLION
        used = self.tally.used_seconds(self.resource, at)
        planned = 0.0 if wall or not self.safe else self.tally.run_seconds(self.resource, at)
        full = used >= self.cap_s or (self.safe and used + planned + asked > self.cap_s)
        if not amount or not full:
            return None
        unit_s = 1 if wall else 60
        return Blocked(
            bound=Bound.USED_WALL if wall else Bound.USED_MINUTES,
            scope=self.scope,
            resource="" if wall else self.resource,
            cap=self.cap_s // unit_s,
            used=int((used + planned) // unit_s),
            asked=int(asked // unit_s),
            release=self._release(used, asked),
        )

    def _release(self, used: float, asked: float) -> Release:
        if not self.cap_s or (self.safe and asked > self.cap_s):
            return Release.NEVER
        if used < self.cap_s and used + asked <= self.cap_s:
            return Release.JOBS_END
        return Release.DECAY if self.decays else Release.NEVER


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRule:
    """A bound on each single job, whoever else runs; see `Blocked` for the units."""

    bound: Bound
    scope: Scope
    resource: str
    cap: int
    weight: int

    def blocks(self, claim: Claim, nodes: int, at: int) -> Blocked | None:
        """See `Rule`."""
        asked = self._asked(claim)
        if asked == self.cap or (asked < self.cap) != (self.bound is Bound.JOB_LEAST):
            return None
        return Blocked(
            bound=self.bound,
            scope=self.scope,
            resource=self.resource,
            cap=self.cap,
            asked=int(asked),
            release=Release.NEVER,
        )

    def _asked(self, claim: Claim) -> float:
        """Return what the job takes, in the cap's unit. Per node, Slurm takes the mean."""
        seconds = claim.limit_s * self.weight / MILLION
        if self.bound is Bound.JOB_WALL:
            return seconds
        amount = claim.amounts.get(self.resource, 0)
        if self.bound is Bound.JOB_MINUTES:
            return amount * seconds / 60
        return amount // max(1, claim.nodes) if self.bound is Bound.NODE_TRES else amount
