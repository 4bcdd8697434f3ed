"""From tables of limits to the questions that decide whether a job of one sort may start."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from predictor.domain import Qos, Snapshot, Usage
from predictor.limits.blocked import Bound, Scope
from predictor.limits.claims import Claim
from predictor.limits.families import FAMILIES, Family, Reach, settings_of, watch
from predictor.limits.rules import JobRule, JobsRule, Rule, RunMinutesRule, TresRule, UsedRule
from predictor.limits.tables import Sort, Table, Tables
from predictor.limits.tally import MILLION, WALL, Tally

FACTOR_ASKED = "UsageFactorSafe"
"""The flag of a QOS whose usage factor also counts for what a job asks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Minutes:
    """How the minutes of a sort of job count, in millionths."""

    held: int
    """Once it runs: its QOS's usage factor."""
    asked: int
    """While it asks to start."""

    @classmethod
    def of(cls, qos: Qos | None) -> "Minutes":
        """Return those of a QOS; a factor that makes no sense is 1, as the batch system has it."""
        factor = 1.0 if qos is None else qos.usage_factor
        held = round(factor * MILLION) if 0 <= factor <= MILLION else MILLION
        asked = held if qos is not None and FACTOR_ASKED in qos.flags else MILLION
        return cls(held=held, asked=asked)


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """The counters that jobs of one sort count in, and the limits that bind them."""

    tallies: tuple[Tally, ...]
    early: tuple[Rule, ...]
    """Asked before nodes are looked at."""
    late: tuple[Rule, ...]
    weight: int
    """By how much their minutes count, in millionths."""
    asked_weight: int
    """By how much those count that they ask for."""


def sort_of(claim: Claim) -> Sort:
    """Return what decides which limits bind the job."""
    return Sort(user=claim.user, account=claim.account, partition=claim.partition, qos=claim.qos)


class Binder:
    """Finds out what binds a sort of job, and keeps the counters: one for each group."""

    def __init__(self, snapshot: Snapshot) -> None:
        settings = snapshot.settings
        self._at = snapshot.taken_at
        self._enforced = settings.limits_enforced
        self._safe = settings.limits_safe
        self._half_life_s = max(0, settings.priority_half_life_s)
        self._tables = Tables(snapshot)
        self.tallies: dict[tuple[Scope, Reach], Tally] = {}

    def bind(self, sort: Sort) -> Binding:
        """Return what binds jobs of this sort. What is not known binds nobody."""
        minutes = Minutes.of(self._tables.qos(sort.qos))
        if not self._enforced:
            return Binding(
                tallies=(), early=(), late=(), weight=minutes.held, asked_weight=minutes.asked
            )
        of_qos, others = self._tables.of_qos(sort), self._tables.of_associations(sort)
        tallies = [tally for table in (*of_qos, *others) for tally in self._tallies(table)]
        found = list(self._rules(of_qos, others, minutes))
        return Binding(
            tallies=tuple(tallies),
            early=tuple(rule for family, rule in found if family.early),
            late=tuple(rule for family, rule in found if not family.early),
            weight=minutes.held,
            asked_weight=minutes.asked,
        )

    def _tallies(self, table: Table) -> Iterator[Tally]:
        """Yield the counters that the table's limits need, whether or not they bind this sort."""
        half_life_s = self._half_life_s if table.decays else 0
        for reach, scope in table.scopes.items():
            needed = watch(table.limits, reach, half_life_s, self._safe)
            if needed is None or reach is Reach.JOB:
                continue
            if (scope, reach) not in self.tallies:
                self.tallies[scope, reach] = Tally(needed, _used_seconds(table.usage), self._at)
            yield self.tallies[scope, reach]

    def _rules(
        self, of_qos: list[Table], others: list[Table], minutes: Minutes
    ) -> Iterator[tuple[Family, Rule]]:
        """Yield the limits that bind; what one QOS sets hides the same in those after it."""
        hidden: set[tuple[str, str]] = set()
        for table in of_qos:
            yield from self._rules_of(table, hidden, minutes)
            hidden |= {
                (f.field, name) for f in FAMILIES for name, _ in settings_of(table.limits, f)
            }
        if ("max_jobs_per_account", "") in hidden:
            hidden.add(("max_jobs", ""))
        for table in others:
            yield from self._rules_of(table, hidden, minutes)

    def _rules_of(
        self, table: Table, hidden: set[tuple[str, str]], minutes: Minutes
    ) -> Iterator[tuple[Family, Rule]]:
        for family in FAMILIES:
            scope = table.scopes.get(family.reach)
            if scope is None:
                continue
            for resource, cap in settings_of(table.limits, family):
                if isinstance(cap, int) and (family.field, resource) not in hidden:
                    kind = family.reach, family.bound
                    yield family, self._rule(table, scope, kind, resource, cap, minutes)

    def _rule(
        self,
        table: Table,
        scope: Scope,
        kind: tuple[Reach, Bound],
        resource: str,
        cap: int,
        minutes: Minutes,
    ) -> Rule:
        reach, bound = kind
        if reach is Reach.JOB:
            weight = minutes.asked
            return JobRule(bound=bound, scope=scope, resource=resource, cap=cap, weight=weight)
        tally = self.tallies[scope, reach]
        if not minutes.held and bound in (Bound.RUN_MINUTES, Bound.USED_MINUTES):
            # Jobs whose minutes cost nothing may start though others have used up the budget.
            tally = tally.blank(self._at)
        if bound is Bound.JOBS:
            return JobsRule(scope=scope, cap=cap, tally=tally)
        if bound is Bound.TRES:
            return TresRule(scope=scope, resource=resource, cap=cap, tally=tally)
        if bound is Bound.RUN_MINUTES:
            return RunMinutesRule(
                scope=scope, resource=resource, cap=cap, tally=tally, weight=minutes.asked
            )
        wall = bound is Bound.USED_WALL
        return UsedRule(
            scope=scope,
            resource=WALL if wall else resource,
            cap_s=cap if wall else cap * 60,
            tally=tally,
            weight=minutes.asked,
            safe=self._safe,
            decays=table.decays and self._half_life_s > 0,
        )


def _used_seconds(usage: Usage | None) -> dict[str, float]:
    if usage is None:
        return {}
    minutes = [(WALL, usage.wall_minutes), *usage.tres_minutes]
    return {name: amount * 60.0 for name, amount in minutes if 0 <= amount * 60.0 < math.inf}
