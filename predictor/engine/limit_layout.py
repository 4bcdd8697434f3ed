"""The limits as flat arrays: what stays as it is while jobs start and end."""

from collections.abc import Iterable, MutableSequence

from predictor.engine import bound, store
from predictor.engine.limit_tables import Claim, LimitTables, Rule

MOST_OF_NODE = 1 << 44
"""No more of a resource is counted of a node, or for a job: then 64 bits hold any sum."""
MOST_CPUS = 1 << 30
MOST_BY_CPU = 1 << 30
"""No more of a resource is counted with each CPU."""
MOST_CAP = 1 << 53
"""A higher cap counts as this one: up to here floating-point numbers hold every integer."""


class LimitLayout:
    """Groups, rules, bindings and claims, ready for the inner loops. Read-only, shared by draws.

    Rules are numbered binding by binding, the early ones first: `rules` holds them in this order.
    """

    def __init__(self, tables: LimitTables) -> None:
        self.tables = tables
        self.words = store.row_words(tables.nodes)
        self.opened_at = tables.opened_at
        self.counted_s = tables.counted_at - tables.opened_at
        self.counts_every_s = tables.counts_every_s
        self.spends = int(tables.spends)
        self.resources = tables.resources
        self.price = tables.price
        self.safe = int(tables.safe)
        self.unit = float(tables.unit)
        self.classes = len(tables.classes)
        self.members = store.rows(tables.classes, tables.nodes)
        self.forms = store.filled(
            max(0, min(amount, MOST_OF_NODE))
            for form in tables.forms
            for of_class in form
            for amount in of_class
        )
        self._lay_groups(tables)
        self._lay_bindings(tables)
        self._lay_rules(tables)
        self._lay_claims(tables)

    def _lay_groups(self, tables: LimitTables) -> None:
        groups = tables.groups
        self.held_start = store.starts(group.held for group in groups)
        self.held_resource = store.filled(r for group in groups for r in group.held)
        self.ahead_start = store.starts(group.ahead for group in groups)
        self.ahead_resource = store.filled(r for group in groups for r in group.ahead)
        self.spent_start = store.starts(group.spent for group in groups)
        self.spent_resource = store.filled(r for group in groups for r, _ in group.spent)
        self.half_life = _reals(group.half_life_s for group in groups for one in group.spent)
        spread = [number for number, group in enumerate(groups) if group.spread]
        self.spreads = len(spread)
        self.spread = store.filled([-1] * len(groups))
        for rank, number in enumerate(spread):
            self.spread[number] = rank

    def _lay_bindings(self, tables: LimitTables) -> None:
        bindings = tables.bindings
        self.group_start = store.starts(binding.groups for binding in bindings)
        self.group = store.filled(group for binding in bindings for group in binding.groups)
        self.held_weight = _reals(binding.held_weight for binding in bindings)
        self.asked_weight = _reals(binding.asked_weight for binding in bindings)
        self.rule_start = store.starts(part for b in bindings for part in (b.early, b.late))

    def _lay_rules(self, tables: LimitTables) -> None:
        self.rules = [r for b in tables.bindings for part in (b.early, b.late) for r in part]
        if any(rule.resource != bound.ONE for b in tables.bindings for rule in b.early):
            raise ValueError("before nodes are looked at nobody knows what else a job takes")
        self.rule_kind = store.filled(rule.kind for rule in self.rules)
        self.rule_resource = store.filled(rule.resource for rule in self.rules)
        self.rule_cap = _reals(min(rule.cap, MOST_CAP) for rule in self.rules)
        self.rule_delays = store.filled(r.group if r.delays else -1 for r in self.rules)
        """By rule: the group that is planned later once it blocks somebody; -1: nobody is."""
        self.rule_forgotten = store.filled(int(rule.forgotten) for rule in self.rules)
        self.rule_meter = store.filled(self._meter(tables, rule) for rule in self.rules)
        self.rule_plan = store.filled(self._plan(tables, rule) for rule in self.rules)

    def _meter(self, tables: LimitTables, rule: Rule) -> int:
        """Return the number of the counter that the rule looks at; -1: none."""
        if rule.group < 0:
            return -1
        group = tables.groups[rule.group]
        if rule.kind == bound.HELD:
            return self.held_start[rule.group] + list(group.held).index(rule.resource)
        if rule.kind == bound.AHEAD:
            return self.ahead_start[rule.group] + list(group.ahead).index(rule.resource)
        if rule.kind == bound.SPENT:
            place = [resource for resource, _ in group.spent].index(rule.resource)
            return self.spent_start[rule.group] + place
        return self.spread[rule.group]

    def _plan(self, tables: LimitTables, rule: Rule) -> int:
        """Return the counter of what running jobs may still spend; -1 where that is not asked."""
        if rule.kind != bound.SPENT or not tables.safe:
            return -1
        ahead = list(tables.groups[rule.group].ahead)
        if rule.resource not in ahead:
            return -1
        return self.ahead_start[rule.group] + ahead.index(rule.resource)

    def _lay_claims(self, tables: LimitTables) -> None:
        claims = tables.claims
        self.binding = store.filled(claim.binding for claim in claims)
        self.form = store.filled(claim.form for claim in claims)
        self.least_nodes = store.filled(claim.nodes for claim in claims)
        self.too_wide = store.filled(int(self._is_too_wide(tables, claim)) for claim in claims)
        """By claim: whether it wants more nodes than any of its limits on nodes allows at all."""
        self.least_class = store.filled(claim.node_class for claim in claims)
        counted = claims if self.spreads else ()
        self.named = store.rows((claim.named for claim in counted), tables.nodes)
        """By claim: the nodes that it names, where it is counted on how many nodes a group runs."""
        self.limit = store.filled(claim.limit_s for claim in claims)
        self.extra_start = store.starts(claim.extra for claim in claims)
        extra = [each for claim in claims for each in claim.extra]
        self.extra_resource = store.filled(resource for resource, _ in extra)
        self.extra_amount = store.filled(min(amount, MOST_OF_NODE) for _, amount in extra)
        self.least_cpus = store.filled(min(claim.cpus, MOST_CPUS) for claim in claims)
        self.by_cpu_start = store.starts(claim.by_cpu for claim in claims)
        by_cpu = [each for claim in claims for each in claim.by_cpu]
        self.by_cpu_resource = store.filled(resource for resource, _ in by_cpu)
        self.by_cpu_amount = store.filled(min(amount, MOST_BY_CPU) for _, amount in by_cpu)
        self.tariff = store.filled(claim.tariff for claim in claims)
        self.price_start = store.starts(tables.tariffs)
        prices = [price for tariff in tables.tariffs for price in tariff]
        self.price_resource = store.filled(price.resource for price in prices)
        self.price_weight = _reals(price.weight for price in prices)
        self.price_added = store.filled(int(price.added) for price in prices)

    def _is_too_wide(self, tables: LimitTables, claim: Claim) -> bool:
        return any(
            rule.resource == bound.NODES
            and rule.kind in (bound.SPREAD, bound.MOST)
            and claim.nodes > rule.cap
            for rule in tables.bindings[claim.binding].late
        )


def _reals(values: Iterable[float]) -> MutableSequence[float]:
    known = list(values)
    array = store.reals(len(known))
    for place, value in enumerate(known):
        array[place] = value
    return array
