"""Time moves forward: ends, arrivals and passes, event by event, until everybody has started."""

from predictor.engine import bits, codes, store
from predictor.engine.accruals import Accruals
from predictor.engine.ahead import AheadPass
from predictor.engine.calls import Calls
from predictor.engine.departures import Departures
from predictor.engine.groups import Groups
from predictor.engine.held import Held
from predictor.engine.layout import Layout
from predictor.engine.limits import Limits
from predictor.engine.lineup import Lineup
from predictor.engine.overdue import Overdue
from predictor.engine.past import Past
from predictor.engine.placer import Placer
from predictor.engine.planned_ends import PlannedEnds
from predictor.engine.queue import Queue
from predictor.engine.ranking import Ranking
from predictor.engine.roster import Roster
from predictor.engine.rule_tables import Rules
from predictor.engine.sharers import Sharers
from predictor.engine.strict import StrictPass
from predictor.engine.tables import Fates, QueueTables
from predictor.engine.timeline import Timeline
from predictor.engine.timetable import Timetable
from predictor.engine.victim_tables import VictimTables
from predictor.engine.victims import Victims


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
        preemption: VictimTables | None = None,
        fates: Fates | None = None,
        accruals: Accruals | None = None,
    ) -> None:
        self.layout = layout
        self.queue = Queue(tables, fates)
        self.timeline = Timeline(layout, now)
        self.limits = limits
        self.ranking = ranking
        self.accruals = accruals
        self.runs = 0 if ranking is None else ranking.first_runs
        self.now = self.begun_at = now
        self.words = layout.words
        self.held = Held(self.timeline, tables, now)
        self.groups = Groups(layout, self.queue, self.held, rules)
        self.placer = Placer(self.queue, self.timeline, self.groups, limits)
        self.past = Past(self.placer, preemption is not None or len(self.queue.later_at) > 0)
        self.overdue = Overdue(self.placer, self.held, tables, rules.overruns_foreseen)
        self.roster, self.victims = None, None
        if preemption is not None:
            self.roster = Roster(self.placer, self.held, self.overdue)
            self.victims = Victims(self.placer, self.roster, preemption, ranking, rules)
        self.planned_ends = PlannedEnds(self.placer, self.held, self.overdue, self.roster, tables)
        self.departures = Departures(self.placer, self.held, self.victims, tables, rules)
        self.lineup = None if ranking is None else Lineup(self.queue, ranking, self.victims)
        self.part_run = store.filled([-1] * (0 if ranking is None else self.queue.parts))
        """By part: the number under which the ranking charges its last run; -1: it has none."""
        self.sharers = None if ranking is None else Sharers(self.placer, ranking)
        self.strict = StrictPass(self.placer, rules, self.victims)
        self.ahead = AheadPass(self.placer, self.held, rules, self.victims)
        self.main_depth = rules.main_depth
        self.calls = Calls(rules, now)
        self.placer.clearing.wait_s = rules.clearing_wait_s
        self.timetable = Timetable(rules)
        self.ahead_at = rules.first_at
        self.stirred = True
        self.decays_at = -1
        """When it is next looked whether enough has decayed of what is used up; -1: not at all."""
        self._begin()

    def _begin(self) -> None:
        self.queue.begin(self.now)
        if self.sharers is not None:
            self.sharers.begin()
        for runner in range(self.queue.people - self.queue.jobs):
            self.overdue.begin(runner)
            self.planned_ends.begin(runner)
            if self.victims is not None:
                self.victims.enter_runner(runner)
        if self.victims is not None:
            self.victims.begin(self.now)
        self.departures.begin(self.now)
        for record in range(self.queue.records):
            self._see_size(self.queue.record_slot[record])
        self._line_up()
        self._admit()

    def run(self, until: int, looks_max: int) -> bool:
        """Move on until all who are awaited have started, nothing changes any more, or `until`.

        Returns whether it stopped early because passes had looked at `looks_max` jobs.
        """
        while self.queue.awaited > 0 and self.now < until:
            if self.ahead.looks > looks_max:
                return True
            self.happen()
            if self.ranking is not None and self.now >= self.ranking.due_at():
                self._recompute()
            self._pass()
            self._await_decay()
            following = self._next()
            if following < 0:
                return False
            self.move_to(following)
        return False

    def move_to(self, at: int) -> None:
        """Let it be that instant, before anything happens then."""
        self.now = at
        self.timeline.forget_before(at)

    def _pass(self) -> None:
        """Make the passes that are due, if anything has changed since the last ones."""
        while self.ahead_at < self.now:
            self.ahead_at = self.timetable.after(self.ahead_at)
        held_until = self.placer.clearing.held_until(self.now)
        if held_until > self.now:
            # Who calls for a pass in strict order now calls in vain: it is not made later instead.
            self.calls.forget(self.now)
            self.ahead_at = self.timetable.put_off(self.ahead_at, held_until)
            return
        if self.planned_ends.count > 0:
            self.planned_ends.see(self.now)
        if self.main_depth >= 0 and self.calls.is_due(self.now, self.stirred):
            depth = 0 if self.calls.is_regular() else self.main_depth
            self.calls.note(self.now)
            logged = self.queue.logged
            self._line_up_anew()
            self.strict.run(self.now, depth)
            self.note(logged)
        if self.stirred and self.now >= self.ahead_at:
            self.ahead_at = self.timetable.after(self.now)
            self.stirred = False
            self.calls.owe()
            logged = self.queue.logged
            self._line_up_anew()
            self.ahead.run(self.now, self.ranking is not None and self.ranking.sizes_vary)
            self.note(logged)

    def _await_decay(self) -> None:
        """Let passes follow once enough of what is used up may have decayed for somebody."""
        if self.limits is not None and self.limits.fades_at >= 0:
            self.decays_at = self._sooner(self.decays_at, self.limits.fades_at)
            self.limits.fades_at = -1

    def note(self, logged: int) -> None:
        """Let everybody end in time who has started since the log was so long."""
        if self.queue.logged == logged:
            return
        for i in range(logged, self.queue.logged):
            job = self.queue.log[i]
            record = self.queue.started_record[job]
            boots_s = self.placer.boots_s[self.queue.part_start[record]]
            ends_at = self.now + boots_s + self.placer.run_s(job, record)
            self.queue.events.push(ends_at, codes.END, job)
            for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
                part_ends_at = ends_at
                if self.queue.run_s[job] < 0:
                    part_ends_at = self.now + boots_s + self.placer.length_s[part]
                if part_ends_at < ends_at:
                    self.queue.events.push(part_ends_at, codes.PART_END, job)
                self.overdue.note(part, job, part_ends_at)
                if self.ranking is not None:
                    self._charge(record, part, ends_at)
            if self.sharers is not None:
                self.sharers.leave(job)
            if self.victims is not None:
                self.victims.enter(job, self.now, ends_at)
        self.queue.sweep()
        # Who has started may leave room to others only where slots are forgotten.
        self.stirred = self.main_depth >= 0

    def foresee(self) -> None:
        """Let whoever plans from now on know how long everybody runs, and who will come."""
        self.overdue.foreseen = True
        for person in range(self.queue.people):
            self.planned_ends.show_overdue(person, self.now)
        for job in range(self.queue.jobs):
            if self.queue.state[job] == codes.RUNS:
                self.planned_ends.foresee(job)
                continue
            self.queue.plan_truly(job)
            if self.queue.state[job] == codes.ABSENT:
                self.queue.come(job)
                self._rank(job)
        self._line_up()
        for person in range(self.queue.jobs, self.queue.people):
            if self.queue.state[person] == codes.RUNS:
                self.planned_ends.foresee_runner(person - self.queue.jobs)

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
            if self.accruals is None:
                self.ranking.accrue(slot, self._ready_at(record))
            if self.placer.tried[record]:
                cpus = self.placer.cpus_found(record) if self.ranking.sizes_vary else 0
                self.ranking.tried(slot, cpus)
            self._see_size(slot)
        self._admit()
        self.ranking.recompute(self.now)
        if self._line_up():
            self.stirred = True

    def _see_size(self, slot: int) -> None:
        """Let the next pass that looks ahead try everybody if the slot's size hangs on that."""
        if self.ranking is not None and slot >= 0 and not self.ranking.is_sized(slot):
            self.ahead.tries_all = True

    def _admit(self) -> None:
        """Let those grow old beside whom there is room, where not everybody does."""
        if self.accruals is None:
            return
        self.accruals.begin()
        for i in range(self.queue.length):
            record = self.queue.order[i]
            if self.queue.record_slot[record] >= 0:
                ready = self.queue.is_ready(record, self.now)
                ready_at = self._ready_at(record) if ready else -1
                self.accruals.see(self.queue.record_slot[record], self.now, ready_at)
        self.accruals.admit(self.now)

    def _ready_at(self, record: int) -> int:
        ripe_at = self.queue.ripe_at[self.queue.record_job[record]]
        return ripe_at if ripe_at > self.begun_at else self.begun_at

    def _enter(self, job: int) -> None:
        """Let an arrival have its place in the queue."""
        self.queue.state[job] = codes.WAITS
        self._rank(job)
        self._line_up()

    def _rank(self, job: int) -> None:
        if self.ranking is None:
            return
        for i in range(self.queue.job_start[job], self.queue.job_start[job + 1]):
            slot = self.queue.record_slot[self.queue.job_record[i]]
            self._see_size(slot)
            if slot >= 0:
                self.ranking.enter(slot, self.now)

    def _charge(self, record: int, part: int, ends_at: int) -> None:
        """Let whoever starts be charged for what it holds."""
        slot = self.queue.record_slot[record]
        if self.ranking is None or slot < 0:
            return
        first = self.queue.rate_start[self.placer.way[part]]
        if self.queue.rate_start[self.placer.way[part] + 1] == first:
            return
        rate, uneven, offset = 0.0, self.placer.is_uneven(part), part * self.words
        for w in range(self.words):
            word = self.placer.nodes[offset + w]
            while word:
                node = w * self.layout.bits + bits.lowest(word)
                word &= word - 1
                portion = self.placer.cpus_of(part, node) if uneven else 1
                rate += portion * self.queue.rate[first + self.layout.node_class[node]]
        if self.runs == self.ranking.most_runs:
            return
        self.ranking.begin(self.runs, slot, rate, self.now, ends_at)
        self.part_run[part] = self.runs
        self.runs += 1

    def _charge_no_more(self, person: int) -> None:
        """Let somebody be charged until now, who may have been ended before its time."""
        if self.ranking is None:
            return
        if person >= self.queue.jobs:
            run = self.queue.run[person - self.queue.jobs]
            if run >= 0:
                self.ranking.finish(run, self.now)
        elif self.roster is not None:
            record = self.queue.started_record[person]
            for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
                if self.part_run[part] >= 0:
                    self.ranking.finish(self.part_run[part], self.now)

    # -- events --------------------------------------------------------------------------

    def happen(self) -> None:
        """Let everything happen whose time has come."""
        self.calls.see(self.now)
        self._see_time()
        while self.queue.events.size > 0 and self.queue.events.at[0] <= self.now:
            what, who = self.queue.events.what[0], self.queue.events.who[0]
            self.queue.events.pop()
            self._befall(what, who)

    def _see_time(self) -> None:
        """Take note of what begins or is over by now without being anybody's event."""
        if self.timeline.learn(self.now) or self.timeline.is_begin(self.now):
            self._stir_in_turn()
        elif self.timeline.is_edge(self.now):
            # That a reservation is over calls for no pass in strict order.
            self.stirred = True
        if self.placer.clearing.see(self.now):
            self._stir()
        if 0 <= self.decays_at <= self.now:
            self.decays_at = -1
            self.stirred = True

    def _befall(self, what: int, who: int) -> None:
        """Let an event of that kind befall somebody."""
        if what == codes.END:
            self._end(who)
        elif what == codes.LEAVE:
            if self.queue.leave(who, self.now):
                self.stirred = True
        elif what == codes.ARRIVE:
            if self.queue.state[who] == codes.ABSENT:
                self._enter(who)
                self._stir_in_turn()
        elif what == codes.HOLD:
            self.queue.holds[who] += 1
        elif what == codes.RELEASE:
            self.queue.holds[who] -= 1
            self._stir_in_turn()
        elif what == codes.PART_END:
            self._stir()
        else:
            # Whose end is put off gives no room, yet those may fit who end before.
            self.stirred = True
            if what == codes.OVERDUE:
                self.planned_ends.show_overdue(who, self.now)
            elif what == codes.AMENDED:
                self.planned_ends.amend(who, self.now)

    def _stir(self) -> None:
        """Let a pass in strict order follow at once."""
        self.stirred = True
        self.calls.call()

    def _stir_in_turn(self) -> None:
        """Let a pass in strict order follow when it is the turn of those who wait for one."""
        self.stirred = True
        self.calls.queue()

    def _end(self, person: int) -> None:
        if self.roster is None:
            self._give_back(person)
        elif self.queue.state[person] != codes.RUNS or not self.roster.is_end(person, self.now):
            # It was ended before, or that is put off until its grace time is over.
            return
        else:
            self.roster.leave(person, self.now)
            if self.victims is not None:
                self.victims.leave(person, self.now)
        self.departures.note(person, self.now)
        self._charge_no_more(person)
        if self.limits is not None:
            self.limits.end(person, self.now)
        if not self._is_sent_back(person):
            self.queue.end(person, self.now)
        self.stirred = True
        if not self.departures.is_uncleared(person):
            # Else it calls for a pass in strict order only once it is over on all of them.
            self.calls.end(self.departures.waits(person))

    def _give_back(self, person: int) -> None:
        """Give back what somebody holds who ends."""
        if person >= self.queue.jobs:
            runner = person - self.queue.jobs
            for i in range(self.held.start[runner], self.held.start[runner + 1]):
                self.held.hold(i, False)
                self.groups.drop(self.queue.parts + i)
            return
        record = self.queue.started_record[person]
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            self.placer.hold(part, self.placer.start_at[part], False)
            self.placer.overrun(part, self.now, False)
            self.groups.drop(part)

    def _is_sent_back(self, person: int) -> bool:
        """Let somebody who ends wait anew, if it is to, and return whether it does."""
        job, ready_at = person, 0
        if self.victims is not None and self.victims.is_cut(person):
            job = self.victims.returns_as(person)
            ready_at = self.victims.ready_at(self.now)
        elif person < self.queue.jobs and self.queue.is_sent_back(person):
            ready_at = max(self.queue.ready_again_at(person), self.now + 1)
        else:
            return False
        if job < 0:
            return False
        if job == person:
            self.past.keep(job)
        else:
            self.queue.hand_over(person)
        self.queue.send_back(job, ready_at)
        self._come_back(job)
        return True

    def _line_up(self) -> bool:
        """Bring the queue into order, and return whether it was not."""
        return self.lineup is not None and self.lineup.sort(self.now)

    def _line_up_anew(self) -> None:
        """Bring the queue into order for a pass, if that depends on who is in it."""
        if self.victims is not None:
            self._line_up()

    def _come_back(self, job: int) -> None:
        """Let somebody who was sent back have its place in the queue."""
        if self.sharers is not None:
            self.sharers.come_back(job, self.now)
            self._line_up()

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
            following = self._sooner(following, self.calls.next_at(self.stirred))
        following = self._sooner(following, self.decays_at)
        following = self._sooner(following, self.placer.clearing.next_end(self.now))
        return self._sooner(following, self.layout.edge_after(self.timeline.calendar, self.now))

    def _sooner(self, one: int, other: int) -> int:
        if other < 0:
            return one
        if other <= self.now:
            other = self.now + 1
        return other if one < 0 or other < one else one
