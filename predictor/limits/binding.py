"""From tables of limits to the questions that decide whether a job of one sort may start."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from predictor.domain import Qos, Snapshot, Usage
from predictor.limits.blocked import Bound, Scope
from predictor.limits.families import FAMILIES, Family, Reach, settings_of, watch
from predictor.limits.rules import JobRule, JobsRule, Rule, RunMinutesRule, TresRule, UsedRule
from predictor.limits.tables import Sort, Table, Tables
from predictor.limits.tally import MILLION, WALL, Tally

FACTOR_ASKED = "UsageFactorSafe"
"""The flag of a QOS whose usage factor also counts for what a job asks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """The counters that jobs of one sort count in, and the limits that bind them."""

    tallies: tuple[Tally, ...]
    early: tuple[Rule, ...]
    """Asked before nodes are looked at."""
    late: tuple[Rule, ...]
    weight: int
    """By how much their minutes count, in millionths."""


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
        qos = self._tables.qos(sort.qos)
        weight = _millionths(qos)
        if not self._enforced:
            return Binding(tallies=(), early=(), late=(), weight=weight)
        of_qos, others = self._tables.of_qos(sort), self._tables.of_associations(sort)
        tallies = [tally for table in (*of_qos, *others) for tally in self._tallies(table)]
        asked = weight if qos is not None and FACTOR_ASKED in qos.flags else MILLION
        found = list(self._rules(of_qos, others, asked))
        return Binding(
            tallies=tuple(tallies),
            early=tuple(rule for family, rule in found if family.early),
            late=tuple(rule for family, rule in found if not family.early),
            weight=weight,
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
        self, of_qos: list[Table], others: list[Table], asked: int
    ) -> Iterator[tuple[Family, Rule]]:
        """Yield the limits that bind; what one QOS sets hides the same in those after it."""
        hidden: set[tuple[str, str]] = set()
        for table in of_qos:
            yield from self._rules_of(table, hidden, asked)
            hidden |= {
                (f.field, name) for f in FAMILIES for name, _ in settings_of(table.limits, f)
            }
        if ("max_jobs_per_account", "") in hidden:
            hidden.add(("max_jobs", ""))
        for table in others:
            yield from self._rules_of(table, hidden, asked)

    def _rules_of(
        self, table: Table, hidden: set[tuple[str, str]], asked: int
    ) -> Iterator[tuple[Family, Rule]]:
        for family in FAMILIES:
            scope = table.scopes.get(family.reach)
            for resource, cap in settings_of(table.limits, family) if scope else ():
                if scope and isinstance(cap, int) and (family.field, resource) not in hidden:
                    yield family, self._rule(table, family, scope, resource, cap, asked)

    def _rule(
        self, table: Table, family: Family, scope: Scope, resource: str, cap: int, asked: int
    ) -> Rule:
        bound = family.bound
        if family.reach is Reach.JOB:
            return JobRule(bound=bound, scope=scope, resource=resource, cap=cap, weight=asked)
        tally = self.tallies[scope, family.reach]
        if bound is Bound.JOBS:
            return JobsRule(scope=scope, cap=cap, tally=tally)
        if bound is Bound.TRES:
            return TresRule(scope=scope, resource=resource, cap=cap, tally=tally)
        if bound is Bound.RUN_MINUTES:
            return RunMinutesRule(
                scope=scope, resource=resource, cap=cap, tally=tally, weight=asked
            )
        return UsedRule(
            scope=scope,
            resource=resource or WALL,
            cap_s=cap if bound is Bound.USED_WALL else cap * 60,
            tally=tally,
            weight=asked,
            safe=self._safe,
            decays=table.decays and self._half_life_s > 0,
        )


def _millionths(qos: Qos | None) -> int:
    """Return the usage factor; 1 where it makes no sense, as the batch system has it."""
    factor = 1.0 if qos is None else qos.usage_factor
    return round(factor * MILLION) if 0 <= factor <= MILLION else MILLION


def _used_seconds(usage: Usage | None) -> dict[str, float]:
    if usage is None:
        return {}
    minutes = [(WALL, usage.wall_minutes), *usage.tres_minutes]
    return {name: amount * 60.0 for name, amount in minutes if 0 <= amount * 60.0 < math.inf}
