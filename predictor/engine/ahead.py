"""The pass that looks ahead: whoever delays nobody before it may start; others get a slot.

Source: Slurm 22.05 to 26.05, backfill scheduler, as measured on real ones.
"""

from predictor.engine import codes, sets, store
from predictor.engine.bookings import Bookings
from predictor.engine.caps import Caps
from predictor.engine.chances import Chances
from predictor.engine.delays import Delays
from predictor.engine.fitting import Fitting
from predictor.engine.groups import Groups
from predictor.engine.held import Held
from predictor.engine.layout import Layout
from predictor.engine.openings import Openings
from predictor.engine.owners import Owners
from predictor.engine.placer import Placer
from predictor.engine.queue import Queue
from predictor.engine.search import Search
from predictor.engine.sight import Sight
from predictor.engine.slots import Slots
from predictor.engine.tables import Rules
from predictor.engine.ties import Ties
from predictor.engine.timeline import Timeline
from predictor.engine.together import Together
from predictor.engine.trials import Trials
from predictor.engine.victims import Victims


class AheadPass:
    """Plans the queue from now on, and forgets everything but what it started."""

    def __init__(self, placer: Placer, held: Held, rules: Rules, victims: Victims | None) -> None:
        self.placer = placer
        self.victims = victims
        self.closed = store.words(placer.words)
        """The nodes that slots keep from who would end others."""
        self.queue: Queue = placer.queue
        self.layout: Layout = placer.layout
        self.timeline: Timeline = placer.timeline
        self.search: Search = placer.search
        self.groups: Groups = placer.groups
        self.ties = Ties(placer, held)
        self.fitting = Fitting(placer, self.ties)
        self.words = placer.words
        self._obey(rules)
        self.bookings = Bookings(placer)
        self.sight = Sight(self.timeline, self.bookings, Owners(self.timeline, rules))
        self.openings = Openings(self.timeline, self.bookings, self.search.base, self.sight)
        self.chances = Chances(placer, self.openings, self.exact_slots)
        self.announced = store.filled([-1] * self.queue.records)
        """By record: the earliest start that it was ever told."""
        self.wished = store.words(self.words)
        """The nodes on which somebody would be if all were gone who may be ended."""
        self.gathered = store.words(self.words)
        """The nodes found for a request of several groups, group by group."""
        self.found_at = 0
        self.slots = Slots(placer, held, self.bookings, self.chances, rules)
        self.trials = Trials(placer, self.slots, self.openings, self.sight, rules)
        self.caps = Caps(placer, rules)
        self.together = Together(placer)
        self.delays = Delays(self.queue, placer.limits)
        self.since = 0
        """From when on starts are sought, if that is later than now,"""
        self.latest = -1
        """and up to when, if that is bounded."""
        self.component = -1
        """The record that is looked at, if it stands for a component of its job."""
        self.looks = 0
        """At how many jobs it has looked so far."""
        self.is_full = False
        """Whether they may be no more."""
        self.tries_all = False
        """Whether the next pass plans everybody: priorities depend on who was found a place."""
        self.waits_for_ends = False
        """Whether the start found last is one that running jobs must end for,"""
        self.ended_at = 0
        """and when the last of these has ended."""

    def _obey(self, rules: Rules) -> None:
        self.window_s = rules.window_s
        self.step_s = rules.step_s
        self.entries_max = rules.entries_max
        self.starts_max = rules.starts_max
        self.exact_slots = rules.exact_slots
        self.busy_first = rules.busy_first
        self.running_reserved = rules.running_reserved and not self.exact_slots
        self.limits_stop = rules.limits_stop and self.placer.limits is not None

    def run(self, now: int, whole: bool) -> None:
        """Start whoever delays nobody before it; every other job gets a slot.

        A slot of whole nodes keeps them from all jobs behind, also those that a running job
        shares. Slots are gone when the pass is over. `whole`: also plan those behind the last
        that could start, and note in `announced` when everybody would.
        """
        whole, self.tries_all = whole or self.tries_all, False
        self.caps.clear()
        self.trials.begin()
        self.delays.begin()
        self.together.begin()
        self.placer.brief = True
        self.search.forget()
        window_end = (now + self.window_s) // self.step_s * self.step_s
        self.bookings.begin(now, window_end, self.step_s)
        if self.running_reserved:
            self.slots.keep_running(now, self.victims is None)
        self.chances.begin(now)
        if self.busy_first:
            self.placer.note_busy()
        self.is_full = False
        started = self.queue.logged
        vain_array, vain_partition, array_before = -1, -1, -1
        end = self.queue.length if whole else self.caps.reach(now)
        for i in range(self.queue.length):
            # Who lacks room may still end others.
            if not whole and self.victims is None:
                end = self.chances.end(end, now)
            if i >= end:
                break
            record = self.queue.order[i]
            array = self.queue.array[self.queue.record_job[record]]
            partition = self.queue.record_partition[record]
            # Where one task gets nothing, or the last slot, the array's other ones wait.
            if array == vain_array and partition == vain_partition:
                continue
            if not self.queue.is_ready(record, now) or self._is_hopeless(record, now):
                continue
            if not self.caps.allow(record):
                continue
            # The other tasks of an array follow whatever is over.
            if self.trials.are_over() and (array != array_before or vain_array >= 0):
                break
            if self.starts_max and self.queue.logged - started >= self.starts_max:
                break
            vain_array, vain_partition, array_before = array, partition, array
            if not self.limits_stop and self.placer.refused(record, now):
                continue
            part = self.queue.part_start[record]
            self.caps.count(record)
            if self.trials.lack_licenses(part, now):
                continue
            if self.queue.sought[record] == codes.SOUGHT_NEVER or self.placer.is_too_wide(record):
                continue
            self.looks += 1
            self.trials.turn_to(record, now, end - i)
            if self._look_at(record, now):
                vain_array = -1
            self.trials.see(record, now)
            if self.is_full:
                break
        self.slots.drop()
        self.placer.brief = False
        if not self.starts_max or self.queue.logged - started < self.starts_max:
            self.together.start(now)

    def _look_at(self, record: int, now: int) -> bool:
        """Start the record, or give it a slot. Returns whether more of its array are looked at."""
        self.since = self.delays.until_of(record) if self.limits_stop else 0
        self.latest = now if self.slots.is_only_for_now(record, now) else -1
        self.component = record if self.queue.whole[record] >= 0 else -1
        self.fitting.see(record, now)
        # When a component would start if it did not try again counts for the others of its job.
        self.openings.thorough = self.component >= 0
        if self.component >= 0:
            self.since = max(self.since, self.together.since(record))
        start = self._soonest(record, now)
        if self.victims is not None and self.component < 0 and (start < 0 or start > now):
            start = self._soonest_alone(record, now, start)
        if start < 0:
            return False
        self.placer.tried[record] = 1
        uncleared = start <= now and self.placer.is_on_uncleared(record)
        waits_on = uncleared or (start <= now and self.placer.insists(record, now))
        if self.victims is not None and start <= now:
            waits_on = waits_on or self.victims.is_over_apart(record)
        if self.component >= 0 and not waits_on:
            self.together.note(record, start)
        elif start <= now and not waits_on:
            self._turn_to(record, now)
            rule = self.placer.rule_against(record, now)
            if rule < 0 and not self.placer.is_shut_out(record, now):
                self.slots.stretch(record, now)
                self.placer.start(record, now)
                if self.victims is not None:
                    self.victims.press(record, now)
                else:
                    self.slots.keep(record, now)
                self.bookings.look_again()
                self.chances.note_start()
                if self.busy_first:
                    self.placer.note_busy()
                return True
            if rule >= 0:
                self.queue.kept_back[self.queue.record_job[record]] = 1
            start = self._put_off(record, rule, now) if self.limits_stop and rule >= 0 else -1
            if start < 0:
                return False
        # No limit knows yet on which nodes somebody is who starts later, but for those it names.
        refused = not self.limits_stop and self.placer.refused_anew(record, now)
        if uncleared:
            start = now + codes.CLEARS_S
        if start > now and self.latest >= 0:
            return False
        if self.announced[record] < 0 or start < self.announced[record]:
            self.announced[record] = start
        if start > now + self.window_s or refused or self.queue.unreserved[record]:
            return False
        if self.entries_max and self.bookings.entries >= self.entries_max:
            self.is_full = True
            return False
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            self.placer.start_at[part] = start
        self.slots.give(record)
        return not self.caps.ends_array(record)

    def _is_hopeless(self, record: int, now: int) -> bool:
        """Return whether it stands for a component, and nothing was found for another one."""
        if self.queue.whole[record] < 0:
            return False
        return self.together.since(record) > now + self.window_s

    def _put_off(self, record: int, rule: int, now: int) -> int:
        """Return when who may not start now by a rule is planned instead, and keep its nodes.

        When the rule will let it start nobody knows: the next opening is a guess. -1: it is not.
        """
        part = self.queue.part_start[record]
        if self.exact_slots:
            return -1
        way = self.placer.way[part]
        start = self.openings.later(self.queue.kind[way])
        if start < 0:
            start = now + codes.LIMITED_S
        self.delays.note(rule, start)
        since = start // self.step_s * self.step_s
        until = self.slots.full_steps(start + self.queue.least_s[way])
        if self.bookings.is_booked(part, since, until):
            self.since = start
            return self._soonest(record, now)
        return start

    def _turn_to(self, record: int, now: int) -> None:
        """Choose the nodes of who could start now once more, as those are weighed for itself.

        Only nodes that no slot and no reservation touches while it would run are weighed anew.
        Source: Slurm 22.05, _start_job of the backfill scheduler, _sync_node_weight.
        """
        part, leant = self.queue.part_start[record], self.placer.leaning.leans
        if self.exact_slots:
            self.placer.turn_to(part)
            return
        if self.placer.leaning.matters:
            kind = self.queue.kind[self.placer.way[part]]
            self.openings.leave_untaken_from(0, kind, now + self.placer.length_s[part])
            self.placer.turn_to_some(part, self.search.base)
        if self.victims is not None:
            return
        if leant or self.placer.leaning.leans:
            self._seek(part, self.placer.way[part], now, -1)

    def _soonest(self, record: int, now: int) -> int:
        """Return the start the pass finds for the record, and keep its nodes; -1: none."""
        first = self.queue.part_start[record]
        if self.exact_slots:
            return self.placer.place(record, max(now, self.since), now, 0)
        best, best_way, soonest, frees = -1, -1, -1, False
        for way in range(self.queue.way_start[first], self.queue.way_start[first + 1]):
            if 0 <= best <= now:
                break
            start = self._seek(first, way, now, best if best >= 0 else self.latest)
            if start < 0 and best > now:
                # All are tried at each opening, whichever the last one was tried for.
                since, self.since = self.since, best
                start = self._seek(first, way, now, best)
                self.since = since
            # Of equal starts that is taken for which fewer jobs must end, whatever the slots.
            if start >= 0 and (best < 0 or start < best or self.ended_at < soonest):
                best, best_way, soonest = start, way, self.ended_at
                frees = self.waits_for_ends
        self.waits_for_ends = frees
        # A later way may have been kept for a try that came to nothing.
        if best >= 0 and self.placer.way[first] != best_way:
            self._seek(first, best_way, now, -1)
        return best

    def _soonest_alone(self, record: int, now: int, start: int) -> int:
        """Return the start found as if all were gone who may be ended, and keep its nodes.

        Who could start now lets them be ended, and starts once they are gone; if it is enough that
        others stand still, it starts at once. `start` is the answer if there is nobody.
        """
        if self.victims is None or self.victims.find(record, now, True) == 0:
            return start
        if self.victims.quiet_count > 0:
            self.victims.hush(now, True)
            self._look_anew()
            over = self._soonest(record, now)
            self.victims.hush(now, False)
            self._look_anew()
            if self.victims.count == 0 or 0 <= over <= now:
                return over
        part, ends = self.queue.part_start[record], self.waits_for_ends
        self.victims.clear(now)
        self._look_anew()
        alone = self._soonest(record, now)
        self.victims.restore(now)
        if 0 <= start == alone and not ends:
            # Nobody is taken away where there is room enough without.
            self._look_anew()
            return self._soonest(record, now)
        if 0 <= alone <= now:
            alone = now + codes.DIES_S
            if not (self.placer.is_on_uncleared(record) or self.victims.is_on_dying(part)):
                # Its slot stays where it would fit best, whoever goes.
                sets.copy(self.wished, 0, self.placer.nodes, part * self.words, self.words)
                self.bookings.close(self.closed, record, now)
                self.victims.make_room(record, now, self.closed)
                self.placer.put(part, self.wished)
        self._look_anew()
        return alone

    def _look_anew(self) -> None:
        """Forget what was learned of other room than there is now."""
        self.search.forget()
        self.bookings.start_over()

    def _seek(self, part: int, way: int, now: int, bound: int) -> int:
        """Return the first start of the part, up to `bound` if there is one; -1: none."""
        kind = self.queue.kind[way]
        if self.layout.group_start[kind] < self.layout.group_start[kind + 1]:
            return self._seek_groups(part, way, now, bound)
        return self._seek_kind(part, way, kind, now, bound)

    def _seek_groups(self, part: int, way: int, now: int, bound: int) -> int:
        """Return the first start for which each group has as many nodes as the job wants in all.

        Only who starts at once takes of each group what it wants; a slot is of all these nodes.
        Source: Slurm 22.05, as measured on a real one.
        """
        kind, size, length = self.queue.kind[way], self.queue.size[way], self.queue.least_s[way]
        latest = now
        for w in range(self.words):
            self.gathered[w] = 0
        for group in range(self.layout.group_start[kind], self.layout.group_start[kind + 1]):
            start = self._seek_kind(part, way, self.layout.group_kind[group], now, bound)
            if start < 0:
                return -1
            latest = max(latest, start)
            for w in range(self.words):
                self.gathered[w] |= self.placer.nodes[part * self.words + w]
        if latest > now:
            self.placer.put(part, self.gathered)
            since = latest // self.step_s * self.step_s
            until = self.slots.full_steps(latest + length)
            self.ended_at = latest
            return -1 if self.bookings.is_booked(part, since, until) else latest
        if self.openings.first(kind, size, length, now, now) != now:
            return -1
        self.openings.leave_untaken(kind, now + length)
        if self.search.room_after(kind, size, 0, 0) != 0:
            return -1
        self.placer.keep(part, way, now)
        return now

    def _seek_kind(self, part: int, way: int, kind: int, now: int, bound: int) -> int:
        """Return the first start on nodes that stay unblocked while the job would run.

        Tries instant after instant at which a slot ends. Between these only ends of running jobs
        count, which are seen in groups. -1: none in the window, or none up to `bound`, if any.
        """
        size, length = self.queue.size[way], self.queue.least_s[way]
        until = now + self.window_s
        needed = self.layout.nodes_needed(kind, size)
        if self.since > now:
            at = self.openings.after(kind, needed, length, self.since, until)
        else:
            at = self.openings.first(kind, needed, length, now, until)
        while at >= 0 and (bound < 0 or at <= bound):
            later = self.openings.later(kind)
            self.openings.leave_untaken(kind, at + length)
            if self.sight.owners_stay:
                self.sight.keep_welcoming(self.search.base, 0, self.words, kind)
            self.trials.note(kind, size, at)
            # Nodes are chosen as of the end of the last job that must end, whatever the slots.
            ended_at = self._ended_at(kind, size, now)
            self.placer.leaning.draw(kind, self.search.common)
            if ended_at >= 0 and self.fitting.matters(kind):
                ended_at = self.fitting.ended_at(part, way, kind, ended_at, self.found_at, now)
            self.waits_for_ends = ended_at > now
            start = ended_at if ended_at < 0 or ended_at > at else at
            if start > now and self.component >= 0:
                self.together.note(self.component, start)
            if 0 <= start <= now:
                self.placer.keep_as(part, way, kind, now)
                return start
            if later >= 0 and (start < 0 or start > later):
                at = self.openings.following_one(kind, needed, length, until)
                continue
            if start < 0 or 0 <= bound < start:
                return -1
            if self._keep(part, way, kind, at, start, ended_at):
                self.ended_at = ended_at
                return start
            at = self.openings.after(kind, needed, length, start, until)
        return -1

    def _ended_at(self, kind: int, size: int, now: int) -> int:
        """Return when enough running jobs have ended on the nodes kept; `now` if none must.

        -1: that is not so up to the next opening. The nodes with room are found, as of `found_at`.
        """
        # Who wants a single node, whole, may have it once anybody gives one back.
        guess = self.timeline.slot_at(self.groups.ask(kind))
        slot = self.search.room_after(kind, size, guess, self.openings.last_slot(kind))
        if slot <= 0:
            self.found_at = now
            return now if slot == 0 else slot
        self.found_at = self.timeline.time[slot]
        ended_at = self.groups.end_of(self.found_at)
        while not self.ties.leave(kind, size, slot - 1):
            ended_at = self.groups.end_behind()
        return ended_at

    def _keep(self, part: int, way: int, kind: int, at: int, start: int, ended_at: int) -> bool:
        """Keep of the nodes that have room at the end of a group those chosen.

        Returns whether no slot takes any of them, as none does from `at` on for so long.
        """
        self.ties.find(kind, self.queue.size[way], ended_at, self.found_at)
        kept = self._choose(part, way, kind, at, start, ended_at)
        self.ties.hold(False)
        return kept

    def _choose(self, part: int, way: int, kind: int, at: int, start: int, ended_at: int) -> bool:
        size, length = self.queue.size[way], self.queue.least_s[way]
        since, until = start // self.step_s * self.step_s, self.slots.full_steps(start + length)
        needed = self.layout.nodes_needed(kind, size)
        if since >= at:
            since = max(since, at + length)
        vain = start > at and not self.bookings.leaves(kind, needed, since, until)
        # Whose turn it is changes even if nothing comes of a choice.
        if vain and self.layout.allocation[kind] != codes.ROUND_ROBIN:
            return False
        if self.busy_first and self.waits_for_ends:
            self.placer.keep_busiest(part, way, kind, ended_at)
        else:
            self.placer.keep_as(part, way, kind, ended_at)
        return start == at or not self.bookings.is_booked(part, since, until)
