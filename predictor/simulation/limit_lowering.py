"""From a snapshot's limits to the engine's tables, and from a rule's number back to words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import gcd

from predictor.domain import JobSpec, Snapshot, amounts_by_name
from predictor.domain.billing import tariff
from predictor.engine import bound
from predictor.engine.limit_tables import Binding, Claim, Group, LimitTables, Price, Running
from predictor.engine.limits import Limits
from predictor.limits import Blocked
from predictor.limits import groups as limits
from predictor.limits.binding import Binder, sort_of
from predictor.limits.binding import Binding as Found
from predictor.limits.claims import bitmap, counted_jobs
from predictor.limits.groups import BILLING, MILLION, NODE
from predictor.limits.rules import Rule
from predictor.limits.tables import Sort
from predictor.priority.phase import counting_period_s, last_counted
from predictor.scheduling.machine import Machine
from predictor.scheduling.placing import Need
from predictor.simulation.bounds import MOST_AMOUNT
from predictor.simulation.cast import LONGEST_S
from predictor.simulation.dependencies import single_ids
from predictor.simulation.limit_resources import NodeClasses, numbered, vector
from predictor.simulation.limit_rules import told_as, translated


@dataclass(frozen=True, slots=True, kw_only=True)
class LoweredLimits:
    """The tables, and what each rule is about, by its number."""

    tables: LimitTables
    rules: Sequence[Rule]

    def blocked(self, limits: Limits, rule: int, claim: int, at: int) -> Blocked:
        """Return in the vocabulary of limits what `limits` has just answered about the claim."""
        return told_as(self.rules[rule], limits.in_use(rule, at), limits.asked(rule, claim))

    def least_blocked(self, limits: Limits, claim: int, at: int) -> Blocked | None:
        """Return what keeps the claim from starting `at` with the least that it takes.

        All its nodes count as new but those it names. None: nothing does.
        """
        rule = limits.early(claim, at)
        if rule < 0:
            rule = limits.late_unplaced(claim, at)
        return None if rule < 0 else self.blocked(limits, rule, claim, at)


def lowered(
    snapshot: Snapshot,
    machine: Machine,
    asked: Sequence[tuple[JobSpec, Need]],
    holders: Mapping[str, int],
) -> LoweredLimits:
    """Return the limits of a snapshot for the claims `asked`, in this order.

    `holders` numbers, by single id, whatever runs or will be started.
    """
    return _Lowering(snapshot, machine, asked, holders).lowered()


class _Lowering:
    def __init__(
        self,
        snapshot: Snapshot,
        machine: Machine,
        asked: Sequence[tuple[JobSpec, Need]],
        holders: Mapping[str, int],
    ) -> None:
        self._snapshot = snapshot
        self._machine = machine
        self._asked = asked
        self._holders = holders
        self._running = list(counted_jobs(snapshot))
        rule, partitions = snapshot.settings.billing_rule, snapshot.partitions
        self._tariffs = {"": tariff((), rule)}
        self._tariffs |= {p.name: tariff(p.billing_weights, rule) for p in partitions}
        self._sorts: dict[Sort, int] = {}
        self._claim_binding = [self._number(self._sort(spec, need)) for spec, need in asked]
        self._running_binding = [self._number(sort_of(claim)) for _, claim, _ in self._running]
        binder = Binder(snapshot)
        self._found = [binder.bind(sort) for sort in self._sorts]
        self._group = {group: number for number, group in enumerate(_groups(self._found))}
        self._resource = numbered(self._names())
        self._resources = len(set(self._resource.values()))
        shapes = {need.beside_cpus for _, need in asked}
        self._classes = NodeClasses(machine, shapes, self._resource)

    def _sort(self, spec: JobSpec, need: Need) -> Sort:
        partition = need.partition if need.partition in self._tariffs else ""
        return Sort.of(spec, partition, need.qos)

    def _number(self, sort: Sort) -> int:
        return self._sorts.setdefault(sort, len(self._sorts))

    def _names(self) -> set[str]:
        """Return all resources that decide about anything."""
        names = {name for group in self._group for name in group.watch.names}
        rules = (rule for found in self._found for rule in (*found.early, *found.late))
        names |= {rule.resource for rule in rules if rule.group is None}
        if BILLING in names:
            names |= {name for parts in self._tariffs.values() for name, _, _ in parts}
        return names

    def lowered(self) -> LoweredLimits:
        weights = [w for found in self._found for w in (found.weight, found.asked_weight)]
        step = gcd(MILLION, *weights)
        rules = [rule for found in self._found for rule in (*found.early, *found.late)]
        tables = LimitTables(
            nodes=len(self._machine.nodes),
            opened_at=self._snapshot.taken_at,
            counted_at=max(last_counted(self._snapshot), self._snapshot.taken_at - LONGEST_S),
            counts_every_s=min(counting_period_s(self._snapshot), LONGEST_S),
            spends=self._snapshot.settings.multifactor,
            resources=self._resources,
            price=self._resource.get(BILLING, -1),
            safe=self._snapshot.settings.limits_safe,
            unit=MILLION // step,
            holders=1 + max(self._holders.values(), default=-1),
            classes=self._classes.members,
            forms=self._classes.forms,
            tariffs=[self._prices(parts) for parts in self._tariffs.values()],
            groups=[self._counted(group) for group in self._group],
            bindings=[self._bound(found, step) for found in self._found],
            claims=self._claims(),
            running=self._runs(),
        )
        return LoweredLimits(tables=tables, rules=rules)

    def _bound(self, found: Found, step: int) -> Binding:
        early, late = (
            [translated(rule, self._resource, self._group, early=is_early) for rule in rules]
            for rules, is_early in ((found.early, True), (found.late, False))
        )
        return Binding(
            groups=[self._group[group] for group in found.groups],
            early=early,
            late=late,
            held_weight=found.weight // step,
            asked_weight=found.asked_weight // step,
        )

    def _counted(self, group: limits.Group) -> Group:
        watch, number, used = group.watch, self._resource, group.used_seconds
        return Group(
            held=(bound.ONE, *(number[name] for name in sorted(watch.tres - {NODE}))),
            spread=NODE in watch.tres,
            ahead=[number[name] for name in sorted(watch.run_seconds)],
            spent=[(number[name], used.get(name, 0.0)) for name in sorted(watch.used_up)],
            half_life_s=watch.half_life_s,
        )

    def _prices(self, parts: Iterable[tuple[str, float, bool]]) -> list[Price]:
        if BILLING not in self._resource:
            return []
        return [
            Price(resource=self._resource[name], weight=weight, added=added)
            for name, weight, added in parts
        ]

    def _claims(self) -> list[Claim]:
        tariffs = {name: number for number, name in enumerate(self._tariffs)}
        return [
            Claim(
                binding=binding,
                form=self._classes.form_of[need.beside_cpus],
                nodes=min(need.nodes_claimed, MOST_AMOUNT) if need.candidates else 0,
                node_class=self._classes.of_first(need.candidates),
                limit_s=min(need.duration_s, LONGEST_S),
                extra=[*self._licenses(need), *self._pieces(need)],
                cpus=min(need.spread.cpus, MOST_AMOUNT) if need.spread else 0,
                by_cpu=self._by_cpu(need),
                named=need.required,
                tariff=tariffs.get(need.partition, 0),
            )
            for (_, need), binding in zip(self._asked, self._claim_binding, strict=True)
        ]

    def _licenses(self, need: Need) -> list[tuple[int, int]]:
        told = ((f"license/{name}", amount) for name, amount in need.licenses)
        return [
            (self._resource[name], max(0, amount))
            for name, amount in told
            if name in self._resource
        ]

    def _pieces(self, need: Need) -> list[tuple[int, int]]:
        """Return what goes with pieces of it that lie on its nodes in different numbers."""
        if need.spread is None or need.spread.whole:
            return []
        gres = ((name, amount * need.spread.pieces) for name, amount in need.spread.piece_gres)
        return self._numbered(amounts_by_name(nodes=0, cpus=0, memory_mb=0, gres=gres))

    def _by_cpu(self, need: Need) -> list[tuple[int, int]]:
        """Return what it takes with each CPU, where its nodes give different numbers of them."""
        if need.spread is None or need.spread.whole:
            return []
        memory_mb = need.spread.memory_per_cpu_mb
        return self._numbered(amounts_by_name(nodes=0, cpus=1, memory_mb=memory_mb, gres=()))

    def _numbered(self, amounts: Mapping[str, int]) -> list[tuple[int, int]]:
        return [
            (self._resource[name], min(amount, LONGEST_S))
            for name, amount in amounts.items()
            if amount and name in self._resource
        ]

    def _runs(self) -> list[Running]:
        now, counted = (
            self._snapshot.taken_at,
            zip(self._running, self._running_binding, strict=True),
        )
        return [
            Running(
                holder=self._holders[single_ids(job.spec)[0]],
                binding=binding,
                amounts=vector(claim.amounts, self._resource),
                nodes=bitmap(job, self._machine.number),
                started_at=min(max(started_at, now - LONGEST_S), now + LONGEST_S),
                limit_s=min(claim.limit_s, LONGEST_S),
            )
            for (job, claim, started_at), binding in counted
        ]


def _groups(found: Iterable[Found]) -> Iterable[limits.Group]:
    """Return all groups, each once: those too in which nobody is counted."""
    known: dict[limits.Group, None] = {}
    for binding in found:
        asked = (rule.group for rule in (*binding.early, *binding.late))
        known |= dict.fromkeys(group for group in (*binding.groups, *asked) if group is not None)
    return known
