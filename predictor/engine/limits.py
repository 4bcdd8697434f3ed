"""Limits at work: which rule keeps a job from starting, as jobs start and end around it.

A claim is a waiting job in one of its ways. A holder is what starts and ends as one: it counts for
all that was started under its number. Instants must not run backwards.
"""

import math

from predictor.engine import bits, bound, codes, store
from predictor.engine.limit_layout import MOST_OF_NODE, LimitLayout
from predictor.engine.node_use import NodeUse
from predictor.engine.remaining import Remaining

SOON_S = 60
"""What is used up is not looked at again sooner than that."""


class Limits:
    """What running jobs have taken of each limit. Not thread-safe; the layout can be shared.

    `place` says what the questions and starts that follow are about.
    """

    def __init__(self, layout: LimitLayout) -> None:
        self.layout = layout
        self.words = layout.words
        self.resources = layout.resources
        self.most = MOST_OF_NODE
        self.amount = store.numbers(layout.resources)
        """What was placed last takes of each resource."""
        self.amount[bound.ONE] = 1
        self.claim = 0
        self.placed = 0
        """Whether what the questions are about has nodes."""
        self.nodes = store.words(layout.words)
        """The nodes that it has; without any, those that it names."""
        self.soon_s = SOON_S
        self.fades_at = -1
        """When enough of what is counted may be gone for one whom that blocked; -1: none."""
        self.reset()

    def reset(self) -> None:
        """Go back to the beginning: what ran at the opening runs, and nothing else."""
        self.clear()
        tables = self.layout.tables
        rows = store.rows((running.nodes for running in tables.running), tables.nodes)
        for place, running in enumerate(tables.running):
            for resource, amount in enumerate(running.amounts):
                self.amount[resource] = max(0, min(amount, MOST_OF_NODE))
            for w in range(self.words):
                self.nodes[w] = rows[place * self.words + w]
            started_s = running.started_at - tables.opened_at
            self._enter(running.holder, running.binding, started_s, running.limit_s)
        self.amount[bound.ONE] = 1

    def clear(self) -> None:
        """Let nothing run. What is spent is what it was at the opening."""
        layout, tables = self.layout, self.layout.tables
        self.held = store.numbers(len(layout.held_resource))
        self.remaining = Remaining(
            len(layout.ahead_resource), layout.counted_s, layout.counts_every_s
        )
        self.spent_rate = store.reals(len(layout.spent_resource))
        self.spent_at = store.numbers(len(layout.spent_resource))
        self.spent = store.reals(len(layout.spent_resource))
        for place, (_, seconds) in enumerate(one for group in tables.groups for one in group.spent):
            self.spent[place] = seconds
        self.use = NodeUse(layout.spreads, layout.words)
        self.first = store.filled([-1] * tables.holders)
        self._make_entries(len(tables.running) + 16)

    def _make_entries(self, room: int) -> None:
        self.room = room
        self.spare = 0
        self.next = store.filled([*range(1, room), -1])
        self.entry_binding = store.numbers(room)
        self.entry_start = store.numbers(room)
        self.entry_end = store.numbers(room)
        self.entry_amount = store.numbers(room * self.resources)
        self.entry_nodes = store.words(room * self.words if self.layout.spreads else 0)

    # -- questions -----------------------------------------------------------------------

    def early(self, claim: int, at: int) -> int:
        """Return the first rule that keeps the claim from starting `at`, wherever; -1: none.

        Only rules that need no look at nodes. Costs as much as they are many.
        """
        part = 2 * self.layout.binding[claim]
        first, end = self.layout.rule_start[part], self.layout.rule_start[part + 1]
        return self._first_of(first, end, claim, at - self.layout.opened_at)

    def late(self, at: int) -> int:
        """Return the first of all other rules that keeps what was placed from starting `at`."""
        part = 2 * self.layout.binding[self.claim] + 1
        first, end = self.layout.rule_start[part], self.layout.rule_start[part + 1]
        return self._first_of(first, end, self.claim, at - self.layout.opened_at)

    def late_unplaced(self, claim: int, at: int) -> int:
        """Return what `late` does of the least that the claim takes, as `late_anew` counts it."""
        self.place_least(claim)
        return self.late(at)

    def late_anew(self, claim: int, nodes: store.Words, offset: int, cpus: int, at: int) -> int:
        """Return what `late` does of the claim on so many nodes, all new but those it names.

        Source: Slurm 22.05, _get_unique_job_node_cnt of who has no nodes yet.
        """
        self.place(claim, nodes, offset, cpus)
        self._leave_named(claim)
        return self.late(at)

    def add_used(self, claim: int, nodes: store.Words) -> None:
        """Add the nodes that the groups of the claim use whose nodes are counted."""
        part = 2 * self.layout.binding[claim] + 1
        for rule in range(self.layout.rule_start[part], self.layout.rule_start[part + 1]):
            if self.layout.rule_kind[rule] == bound.SPREAD:
                self.use.add_used(self.layout.rule_meter[rule], nodes)

    def _first_of(self, first: int, end: int, claim: int, at_s: int) -> int:
        for rule in range(first, end):
            if self._blocks(rule, claim, at_s):
                return rule
        return -1

    def _blocks(self, rule: int, claim: int, at_s: int) -> bool:
        kind = self.layout.rule_kind[rule]
        cap = self.layout.rule_cap[rule]
        asked = self._asked(rule, claim)
        if kind == bound.LEAST:
            return asked < cap
        if kind == bound.SPENT:
            return self._overspent(rule, asked, at_s)
        if asked <= 0 or self._in_use(rule, at_s) + asked <= cap:
            return False
        if kind == bound.AHEAD and asked <= cap and self.remaining.every_s > 0:
            self._look_again(self.remaining.due_s)
        return True

    def _overspent(self, rule: int, asked: float, at_s: int) -> bool:
        # Who needs none of the resource passes, but not who needs some that costs nothing.
        if self.amount[self.layout.rule_resource[rule]] == 0:
            return False
        cap, meter = self.layout.rule_cap[rule], self.layout.rule_meter[rule]
        spent = self._spent_s(meter, at_s)
        more = self._planned_s(rule, at_s) + asked if self.layout.safe else 0.0
        if spent < cap and (not self.layout.safe or _whole_minutes(spent) + more <= cap):
            return False
        self._wait_for_decay(meter, spent, cap - more, at_s)
        return True

    def _wait_for_decay(self, meter: int, spent: float, bearable: float, at_s: int) -> None:
        """Note when so much may be bearable of what is spent, should nothing be added."""
        if self.layout.half_life[meter] == 0 or bearable <= 0:
            return
        passed = self._decay_s(meter, spent, bearable) + 1
        self._look_again(at_s + max(passed, self.soon_s))

    def _look_again(self, at_s: int) -> None:
        """Note that somebody may start then whom a rule blocks now."""
        fades_at = self.layout.opened_at + at_s
        if self.fades_at < 0 or fades_at < self.fades_at:
            self.fades_at = fades_at

    def _decay_s(self, meter: int, spent: float, left: float) -> int:
        """Return in how many seconds only so much is left of what is spent."""
        return int(self.layout.half_life[meter] * math.log2(spent / left))

    def in_use(self, rule: int, at: int) -> float:
        """Return how much of the rule's cap is taken without the job, in the cap's unit."""
        return self._in_use(rule, at - self.layout.opened_at)

    def asked(self, rule: int, claim: int) -> float:
        """Return how much the claim, as placed last, asks for of the rule's cap."""
        return self._asked(rule, claim)

    def _in_use(self, rule: int, at_s: int) -> float:
        kind = self.layout.rule_kind[rule]
        meter = self.layout.rule_meter[rule]
        if kind == bound.HELD:
            return self.held[meter]
        if kind == bound.SPREAD:
            return self.use.different[meter]
        if kind == bound.AHEAD:
            return self._ahead_s(meter, at_s)
        if kind == bound.SPENT:
            return self._spent_s(meter, at_s) + self._planned_s(rule, at_s)
        return 0.0

    def _asked(self, rule: int, claim: int) -> float:
        kind = self.layout.rule_kind[rule]
        amount = self.amount[self.layout.rule_resource[rule]]
        if kind == bound.SPREAD:
            meter = self.layout.rule_meter[rule]
            if self.placed:
                return self.use.new(meter, self.nodes)
            return amount - self.use.known(meter, self.nodes)
        if kind == bound.MEAN:
            return amount // max(1, self.amount[bound.NODES])
        if kind == bound.AHEAD or kind == bound.SPENT or kind == bound.LONG:
            seconds = float(amount) * self.layout.limit[claim]
            weight = self.layout.asked_weight[self.layout.binding[claim]]
            return seconds * weight / self.layout.unit
        return amount

    def _planned_s(self, rule: int, at_s: int) -> float:
        plan = self.layout.rule_plan[rule]
        return self._ahead_s(plan, at_s) if plan >= 0 else 0.0

    def _ahead_s(self, meter: int, at_s: int) -> float:
        self.remaining.move_to(at_s)
        left = self.remaining.left[meter]
        return _whole_minutes(left / self.layout.unit) if left > 0 else 0.0

    def _spent_s(self, meter: int, at_s: int) -> float:
        """Return what is spent at an instant, not before the meter's last change."""
        passed = max(0, at_s - self.spent_at[meter])
        rate = self.spent_rate[meter] / self.layout.unit
        half_life = self.layout.half_life[meter]
        if half_life == 0:
            return self.spent[meter] + rate * passed
        left = math.exp2(-passed / half_life)
        return self.spent[meter] * left + rate * (1 - left) * half_life / math.log(2)

    # -- placing -------------------------------------------------------------------------

    def place(self, claim: int, nodes: store.Words, offset: int, cpus: int) -> None:
        """Turn to the claim on the set of nodes whose row begins at `offset`.

        Where these give different numbers of CPUs, `cpus` are all those, or 0: the least.
        """
        left = 0
        for w in range(self.words):
            self.nodes[w] = nodes[offset + w]
            left += bits.popcount(nodes[offset + w])
        self._begin(claim, left)
        kind = 0
        while left > 0 and kind < self.layout.classes:
            count = 0
            for w in range(self.words):
                member = self.layout.members[kind * self.words + w]
                count += bits.popcount(member & self.nodes[w])
            if count > 0:
                self._add(claim, kind, count)
            left -= count
            kind += 1
        self._finish(claim, cpus)
        self.placed = 1

    def place_least(self, claim: int) -> None:
        """Turn to the claim with as much as it takes at least, on nodes not known yet."""
        count = self.layout.least_nodes[claim]
        self._begin(claim, count)
        if count > 0:
            self._add(claim, self.layout.least_class[claim], count)
        self._finish(claim, 0)
        self._leave_named(claim)

    def _leave_named(self, claim: int) -> None:
        """Let it have no nodes, and only be known which it names."""
        self.placed = 0
        if self.layout.spreads == 0:
            return
        for w in range(self.words):
            self.nodes[w] = self.layout.named[claim * self.words + w]

    def _begin(self, claim: int, nodes: int) -> None:
        self.claim = claim
        for resource in range(bound.NODES + 1, self.resources):
            self.amount[resource] = 0
        self.amount[bound.NODES] = nodes

    def _add(self, claim: int, kind: int, count: int) -> None:
        row = (self.layout.form[claim] * self.layout.classes + kind) * self.resources
        for resource in range(bound.NODES + 1, self.resources):
            self.amount[resource] += count * self.layout.forms[row + resource]

    def _finish(self, claim: int, cpus: int) -> None:
        cpus = max(cpus, self.layout.least_cpus[claim])
        for i in range(self.layout.by_cpu_start[claim], self.layout.by_cpu_start[claim + 1]):
            more = cpus * self.layout.by_cpu_amount[i]
            self.amount[self.layout.by_cpu_resource[i]] += more
        for i in range(self.layout.extra_start[claim], self.layout.extra_start[claim + 1]):
            self.amount[self.layout.extra_resource[i]] += self.layout.extra_amount[i]
        if self.layout.price >= 0:
            self.amount[self.layout.price] = self._price(self.layout.tariff[claim])
        for resource in range(bound.NODES + 1, self.resources):
            self.amount[resource] = min(self.amount[resource], self.most)

    def _price(self, tariff: int) -> int:
        added = 0.0
        dearest = 0.0
        for i in range(self.layout.price_start[tariff], self.layout.price_start[tariff + 1]):
            cost = self.layout.price_weight[i] * self.amount[self.layout.price_resource[i]]
            if self.layout.price_added[i]:
                added += cost
            elif cost > dearest:
                dearest = cost
        return int(min(added + dearest, float(self.most)))

    # -- starts and ends -----------------------------------------------------------------

    def start(self, holder: int, at: int) -> None:
        """Count what was placed last under `holder`, whether or not a rule blocks it."""
        binding = self.layout.binding[self.claim]
        self._enter(holder, binding, at - self.layout.opened_at, self.layout.limit[self.claim])

    def end(self, holder: int, at: int) -> None:
        """Count the holder no more. At the instant of its start, this undoes the start."""
        entry = self.first[holder]
        self.first[holder] = -1
        while entry >= 0:
            self._count(entry, -1, at - self.layout.opened_at)
            following = self.next[entry]
            self.next[entry] = self.spare
            self.spare = entry
            entry = following

    def _enter(self, holder: int, binding: int, started_s: int, limit_s: int) -> None:
        if self.spare < 0:
            self._more_entries()
        entry = self.spare
        self.spare = self.next[entry]
        self.next[entry] = self.first[holder]
        self.first[holder] = entry
        self.entry_binding[entry] = binding
        self.entry_start[entry] = started_s
        self.entry_end[entry] = started_s + limit_s
        for resource in range(self.resources):
            self.entry_amount[entry * self.resources + resource] = self.amount[resource]
        if self.layout.spreads > 0:
            for w in range(self.words):
                self.entry_nodes[entry * self.words + w] = self.nodes[w]
        self._count(entry, 1, started_s)

    def _count(self, entry: int, sign: int, at_s: int) -> None:
        """Count the entry once more (`sign` 1), or less (-1), in each of its groups."""
        self.remaining.move_to(at_s)
        binding = self.entry_binding[entry]
        amounts = entry * self.resources
        start_s, end_s = self.entry_start[entry], self.entry_end[entry]
        weight = sign * self.layout.held_weight[binding]
        for i in range(self.layout.group_start[binding], self.layout.group_start[binding + 1]):
            group = self.layout.group[i]
            for m in range(self.layout.held_start[group], self.layout.held_start[group + 1]):
                amount = self.entry_amount[amounts + self.layout.held_resource[m]]
                self.held[m] += sign * amount
            for m in range(self.layout.ahead_start[group], self.layout.ahead_start[group + 1]):
                rate = weight * self.entry_amount[amounts + self.layout.ahead_resource[m]]
                self.remaining.add(m, rate, start_s, end_s)
            for m in range(self.layout.spent_start[group], self.layout.spent_start[group + 1]):
                rate = weight * self.entry_amount[amounts + self.layout.spent_resource[m]]
                self._spend(m, rate if self.layout.spends else 0.0, at_s)
            if self.layout.spread[group] >= 0:
                row = entry * self.words
                self.use.change(self.layout.spread[group], self.entry_nodes, row, sign)

    def _spend(self, meter: int, rate: float, at_s: int) -> None:
        """Let more (or less) be spent from an instant on."""
        self.spent[meter] = self._spent_s(meter, at_s)
        self.spent_at[meter] = max(self.spent_at[meter], at_s)
        self.spent_rate[meter] += rate

    def _more_entries(self) -> None:
        room = 2 * self.room
        self.next = store.grown(self.next, room)
        self.entry_binding = store.grown(self.entry_binding, room)
        self.entry_start = store.grown(self.entry_start, room)
        self.entry_end = store.grown(self.entry_end, room)
        self.entry_amount = store.grown(self.entry_amount, room * self.resources)
        if self.layout.spreads:
            self.entry_nodes = store.grown(self.entry_nodes, room * self.words)
        for entry in range(self.room, room):
            self.next[entry] = entry + 1 if entry + 1 < room else -1
        self.spare = self.room
        self.room = room


def _whole_minutes(seconds: float) -> float:
    """Return how many of the seconds make whole minutes. Source: Slurm 22.05, acct_policy.c."""
    return math.floor(seconds / codes.MINUTE_S) * float(codes.MINUTE_S)
