"""Time moves forward: ends, arrivals and passes, event by event, until everybody has started."""

from predictor.engine import bits, codes, store
from predictor.engine.ahead import AheadPass
from predictor.engine.groups import Groups
from predictor.engine.layout import Layout
from predictor.engine.limits import Limits
from predictor.engine.placer import Placer
from predictor.engine.queue import Queue
from predictor.engine.ranking import Ranking
from predictor.engine.strict import StrictPass
from predictor.engine.tables import QueueTables, Rules
from predictor.engine.timeline import Timeline


class Forward:
    """One simulation of a scheduler, from `now` on.

    The planned end of a job decides who may start before whom; the real one, when time has come.
    """

    def __init__(
        self,
        layout: Layout,
        tables: QueueTables,
        rules: Rules,
        limits: Limits | None,
        ranking: Ranking | None,
        now: int,
    ) -> None:
        self.layout = layout
        self.queue = Queue(tables)
        self.timeline = Timeline(layout, now)
        self.limits = limits
        self.ranking = ranking
        self.runs = 0 if ranking is None else ranking.first_runs
        self.now = now
        self.begun_at = now
        self.words = layout.words
        self._lay_holdings(tables)
        parts = self.queue.parts
        self.groups = Groups(layout, parts + self.holdings, rules.group_s, rules.group_grows)
        self.placer = Placer(self.queue, self.timeline, self.groups, limits)
        self.strict = StrictPass(self.placer, rules)
        self.ahead = AheadPass(self.placer, rules)
        self.main_depth = rules.main_depth
        self.main_period_s = max(1, rules.main_period_s)
        self.arrival_delay_s = rules.arrival_delay_s
        self.period_s = max(1, rules.period_s)
        self.ahead_at = rules.first_at
        self.main_at = now + self.main_period_s
        self.pass_at = now
        self.called_at = now
        self.stirred = True
        self._begin()

    def _lay_holdings(self, tables: QueueTables) -> None:
        jobs = self.queue.jobs
        by_person: list[list[int]] = [[] for _ in tables.running]
        for number, holding in enumerate(tables.holdings):
            by_person[holding.person - jobs].append(number)
        order = [number for numbers in by_person for number in numbers]
        held = [tables.holdings[number] for number in order]
        self.holdings = len(held)
        self.holding_start = store.starts(by_person)
        self.held_kind = store.filled([holding.kind for holding in held])
        self.held_shape = store.filled([holding.shape for holding in held])
        self.held_until = store.filled([holding.planned_end_at for holding in held])
        self.held_nodes = self.layout.rows([holding.nodes for holding in held])

    def _begin(self) -> None:
        self.queue.begin(self.now)
        for person in range(self.queue.jobs, self.queue.people):
            runner = person - self.queue.jobs
            ends_at = self.queue.ends_at[runner]
            for i in range(self.holding_start[runner], self.holding_start[runner + 1]):
                planned_end_at = self.held_until[i]
                if ends_at > planned_end_at:
                    self.held_until[i] = ends_at
                self._hold(i, True)
                offset = i * self.words
                self.groups.add(self.queue.parts + i, self.held_nodes, offset, planned_end_at)
        if self.ranking is not None:
            self._sort()

    def run(self, until: int, looks_max: int) -> bool:
        """Move on until everybody has started, nothing changes any more, or `until`.

        Returns whether it stopped early because passes had looked at `looks_max` jobs.
        """
        while self.queue.waiting > 0 and self.now < until:
            if self.ahead.looks > looks_max:
                return True
            self._happen()
            if self.ranking is not None and self.now >= self.ranking.due_at():
                self._recompute()
            self._pass()
            following = self._next()
            if following < 0:
                return False
            self.now = following
            self.timeline.forget_before(following)
        return False

    def _pass(self) -> None:
        """Make the passes that are due, if anything has changed since the last ones."""
        while self.main_at < self.now:
            self.main_at += self.main_period_s
        while self.ahead_at < self.now:
            self.ahead_at += self.period_s
        if self.stirred and self.main_depth >= 0 and self.now >= min(self.pass_at, self.main_at):
            depth = self.main_depth if self.now < self.main_at else 0
            if self.now >= self.main_at or self.now >= self.called_at:
                # Submissions are served by passes at least so far apart, whatever ends meanwhile.
                self.called_at = self.now + self.arrival_delay_s
            self.pass_at = self.main_at + self.main_period_s
            self._note(self._in_order(depth))
        if self.stirred and self.now >= self.ahead_at:
            self.ahead_at = self.now + self.period_s
            self.stirred = False
            self._note(self._ahead())

    def _in_order(self, depth: int) -> int:
        logged = self.queue.logged
        self.strict.run(self.now, depth)
        return logged

    def _ahead(self) -> int:
        logged = self.queue.logged
        self.ahead.run(self.now, False)
        return logged

    def _note(self, logged: int) -> None:
        """Let everybody end in time who has started since the log was so long."""
        if self.queue.logged == logged:
            return
        for i in range(logged, self.queue.logged):
            job = self.queue.log[i]
            record = self.queue.started_record[job]
            boots_s = self.placer.boots_s[self.queue.part_start[record]]
            ends_at = self.now + boots_s + self._run_s(job, record)
            self.queue.events.push(ends_at, codes.END, job)
            for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
                self._overrun(part, ends_at, True)
                if self.ranking is not None:
                    self._charge(record, part, ends_at)
        self.queue.sweep()
        # Who has started may leave room to others only where slots are forgotten.
        self.stirred = self.main_depth >= 0

    def _run_s(self, job: int, record: int) -> int:
        if self.queue.run_s[job] >= 0:
            return self.queue.run_s[job]
        longest = 0
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            if self.placer.length_s[part] > longest:
                longest = self.placer.length_s[part]
        return longest

    # -- priorities ----------------------------------------------------------------------

    def _recompute(self) -> None:
        """Bring the queue into the order of the priorities as of now."""
        if self.ranking is None:
            return
        for i in range(self.queue.length):
            record = self.queue.order[i]
            slot = self.queue.record_slot[record]
            if slot < 0 or not self.queue.is_ready(record, self.now):
                continue
            ripe_at = self.queue.ripe_at[self.queue.record_job[record]]
            self.ranking.accrue(slot, ripe_at if ripe_at > self.begun_at else self.begun_at)
            if self.placer.tried[record]:
                self.ranking.tried(slot)
        self.ranking.recompute(self.now)
        if self._sort():
            self.stirred = True

    def _sort(self) -> bool:
        """Sort by band, priority and tie, and return whether anybody changed places."""
        moved = False
        for i in range(1, self.queue.length):
            record = self.queue.order[i]
            j = i
            while j > 0 and self._precedes(record, self.queue.order[j - 1]):
                self.queue.order[j] = self.queue.order[j - 1]
                j -= 1
                moved = True
            self.queue.order[j] = record
        return moved

    def _precedes(self, one: int, other: int) -> bool:
        if self.queue.band[one] != self.queue.band[other]:
            return self.queue.band[one] < self.queue.band[other]
        value, other_value = self._priority(one), self._priority(other)
        if value != other_value:
            return value > other_value
        return self.queue.tie[one] < self.queue.tie[other]

    def _priority(self, record: int) -> int:
        slot = self.queue.record_slot[record]
        return -1 if self.ranking is None or slot < 0 else self.ranking.value(slot)

    def _enter(self, job: int) -> None:
        """Let an arrival have its place in the queue."""
        self.queue.state[job] = codes.WAITS
        if self.ranking is None:
            return
        for i in range(self.queue.job_start[job], self.queue.job_start[job + 1]):
            slot = self.queue.record_slot[self.queue.job_record[i]]
            if slot >= 0:
                self.ranking.enter(slot, self.now)
        self._sort()

    def _charge(self, record: int, part: int, ends_at: int) -> None:
        """Let whoever starts be charged for what it holds."""
        slot = self.queue.record_slot[record]
        if self.ranking is None or slot < 0:
            return
        first = self.queue.rate_start[self.placer.way[part]]
        if self.queue.rate_start[self.placer.way[part] + 1] == first:
            return
        rate = 0.0
        for w in range(self.words):
            word = self.placer.nodes[part * self.words + w]
            while word:
                node = w * self.layout.bits + bits.lowest(word)
                word &= word - 1
                rate += self.queue.rate[first + self.layout.node_class[node]]
        self.ranking.begin(self.runs, slot, rate, self.now, ends_at)
        self.runs += 1

    # -- events --------------------------------------------------------------------------

    def _overrun(self, part: int, ends_at: int, take: bool) -> None:
        """Take or give back what a part holds beyond its planned end."""
        way = self.placer.way[part]
        planned_end_at = self.placer.start_at[part] + self.placer.length_s[part]
        if ends_at <= planned_end_at:
            return
        kind, offset = self.queue.kind[way], part * self.words
        shape = self.layout.shape[kind]
        if take:
            self.timeline.take(self.placer.nodes, offset, kind, shape, planned_end_at, ends_at)
        else:
            self.timeline.give_back(self.placer.nodes, offset, kind, shape, planned_end_at, ends_at)

    def _happen(self) -> None:
        """Let everything happen whose time has come."""
        if self.timeline.learn(self.now) or self.timeline.is_edge(self.now):
            self._stir(self.now)
        while self.queue.events.size > 0 and self.queue.events.at[0] <= self.now:
            what, who = self.queue.events.what[0], self.queue.events.who[0]
            self.queue.events.pop()
            if what == codes.END:
                self._end(who)
            elif what == codes.LEAVE:
                if self.queue.leave(who, self.now):
                    self.stirred = True
            elif what == codes.ARRIVE:
                if self.queue.state[who] == codes.ABSENT:
                    self._enter(who)
                    self._stir(self.called_at)
            elif what == codes.HOLD:
                self.queue.holds[who] += 1
            elif what == codes.RELEASE:
                self.queue.holds[who] -= 1
                self._stir(self.now)
            else:
                self.stirred = True

    def _stir(self, at: int) -> None:
        """Let a pass in strict order follow, not before `at`."""
        self.stirred = True
        if at < self.pass_at:
            self.pass_at = at

    def _end(self, person: int) -> None:
        if person >= self.queue.jobs:
            runner = person - self.queue.jobs
            for i in range(self.holding_start[runner], self.holding_start[runner + 1]):
                self._hold(i, False)
                self.groups.drop(self.queue.parts + i)
            if self.ranking is not None and self.queue.run[runner] >= 0:
                self.ranking.finish(self.queue.run[runner], self.now)
        else:
            record = self.queue.started_record[person]
            for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
                self.placer.hold(part, self.placer.start_at[part], False)
                self._overrun(part, self.now, False)
                self.groups.drop(part)
        if self.limits is not None:
            self.limits.end(person, self.now)
        self.queue.end(person, self.now)
        self._stir(self.now)

    def _hold(self, holding: int, take: bool) -> None:
        """Take what somebody held at the beginning, or give it back."""
        offset = holding * self.words
        kind, shape = self.held_kind[holding], self.held_shape[holding]
        until = self.held_until[holding]
        if until <= self.begun_at:
            return
        if take:
            self.timeline.take(self.held_nodes, offset, kind, shape, self.begun_at, until)
        else:
            self.timeline.give_back(self.held_nodes, offset, kind, shape, self.begun_at, until)

    def _next(self) -> int:
        """Return the next instant at which a pass could start somebody; -1: there is none."""
        following = -1
        if self.queue.events.size > 0:
            following = self.queue.events.at[0]
        if self.ranking is not None:
            following = self._sooner(following, self.ranking.due_at())
        if self.stirred:
            following = self._sooner(following, self.ahead_at)
            if self.main_depth >= 0:
                following = self._sooner(following, self.pass_at)
                following = self._sooner(following, self.main_at)
        edge_at = self.layout.edge_after(self.timeline.calendar, self.now)
        return following if edge_at < 0 else self._sooner(following, edge_at)

    def _sooner(self, one: int, other: int) -> int:
        if other <= self.now:
            other = self.now + 1
        return other if one < 0 or other < one else one
