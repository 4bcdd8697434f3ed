"""From tables of limits to the rules that decide whether a job of one sort may start."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from predictor.domain import Qos, QosFlag, Snapshot, Usage
from predictor.limits.blocked import Scope
from predictor.limits.claims import Claim
from predictor.limits.families import FAMILIES, Family, Reach, settings_of, watch
from predictor.limits.groups import MILLION, WALL, Group
from predictor.limits.rules import Rule
from predictor.limits.tables import Sort, Table, Tables


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
        asks_so = qos is not None and QosFlag.FACTOR_ASKED in qos.flags
        asked = held if asks_so else MILLION
        return cls(held=held, asked=asked)


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """The groups in which jobs of one sort count, and the limits that bind them."""

    groups: tuple[Group, ...]
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
    """Finds out what binds a sort of job, and which groups there are."""

    def __init__(self, snapshot: Snapshot) -> None:
        settings = snapshot.settings
        self._enforced = settings.limits_enforced
        self._safe = settings.limits_safe
        # With priority/basic nothing is ever counted as used, and nothing of it decays.
        self._half_life_s = max(0, settings.priority_half_life_s) if settings.multifactor else 0
        self._tables = Tables(snapshot)
        self._groups: dict[tuple[Scope, Reach], Group] = {}

    def bind(self, sort: Sort) -> Binding:
        """Return what binds jobs of this sort. What is not known binds nobody."""
        minutes = Minutes.of(self._tables.qos(sort.qos))
        if not self._enforced:
            return Binding(
                groups=(), early=(), late=(), weight=minutes.held, asked_weight=minutes.asked
            )
        of_qos, others = self._tables.of_qos(sort), self._tables.of_associations(sort)
        groups = [group for table in (*of_qos, *others) for group in self._groups_of(table)]
        found = list(self._rules(of_qos, others, minutes))
        return Binding(
            groups=tuple(groups),
            early=tuple(rule for family, rule in found if family.early),
            late=tuple(rule for family, rule in found if not family.early),
            weight=minutes.held,
            asked_weight=minutes.asked,
        )

    def _groups_of(self, table: Table) -> Iterator[Group]:
        """Yield the groups that the table's limits count in, whether or not they bind this sort."""
        half_life_s = self._half_life_s if table.decays else 0
        for reach, scope in table.scopes.items():
            needed = watch(table.limits, reach, half_life_s, self._safe)
            if needed is None or reach is Reach.JOB:
                continue
            if (scope, reach) not in self._groups:
                used = _used_seconds(table.usage)
                self._groups[scope, reach] = Group(watch=needed, used_seconds=used)
            yield self._groups[scope, reach]

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
            group = self._group(scope, family, minutes)
            for resource, cap in settings_of(table.limits, family):
                if isinstance(cap, int) and (family.field, resource) not in hidden:
                    bound = family.bound
                    if family.stretches and table.factor != 1.0:
                        cap = int(cap * table.factor)
                    rule = Rule(bound=bound, scope=scope, resource=resource, cap=cap, group=group)
                    yield family, rule

    def _group(self, scope: Scope, family: Family, minutes: Minutes) -> Group | None:
        """Return the group whose counters the family's limits look at; None: each job's own."""
        group = self._groups.get((scope, family.reach))
        # Jobs whose minutes cost nothing may start though others have used up the budget.
        if group and not minutes.held and family.forgives:
            return group.blank()
        return group


def _used_seconds(usage: Usage | None) -> dict[str, float]:
    if usage is None:
        return {}
    minutes = [(WALL, usage.wall_minutes), *usage.tres_minutes]
    return {name: amount * 60.0 for name, amount in minutes if 0 <= amount * 60.0 < math.inf}
