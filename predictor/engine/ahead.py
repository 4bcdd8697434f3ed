"""The backfill pass: whoever delays nobody before it may start; others get a slot (reservation).

Source: Slurm 22.05 to 26.05, backfill scheduler, as measured on real ones.
"""

from predictor.engine import codes, sets, store
from predictor.engine.announcements import Announcements
from predictor.engine.bookings import Bookings
from predictor.engine.caps import Caps
from predictor.engine.chances import Chances
from predictor.engine.delays import Delays
from predictor.engine.held import Held
from predictor.engine.layout import Layout
from predictor.engine.leaving import Leaving
from predictor.engine.lending import Lending
from predictor.engine.openings import Openings
from predictor.engine.owners import Owners
from predictor.engine.placer import Placer
from predictor.engine.queue import Queue
from predictor.engine.rule_tables import Rules
from predictor.engine.search import Search
from predictor.engine.seeking import Seeking
from predictor.engine.sight import Sight
from predictor.engine.slots import Slots
from predictor.engine.together import Together
from predictor.engine.trials import Trials
from predictor.engine.turns import Turns
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
        self.search: Search = placer.search
        self.words = placer.words
        self._obey(rules)
        self.bookings = Bookings(placer)
        self.lending = Lending(self.bookings, rules)
        self.leaving = Leaving(Owners(placer, rules), placer.groups, rules)
        sight = Sight(self.bookings, self.leaving)
        self.openings = Openings(
            placer.timeline, self.lending, self.search.base, sight, rules.overlaps_first
        )
        self.chances = Chances(placer, self.openings, self.exact_slots)
        self.wished = store.words(self.words)
        """The nodes on which somebody would be if all were gone who may be ended."""
        self.slots = Slots(placer, held, self.lending, self.chances, rules)
        self.announced = Announcements(self.queue.records)
        self.turns = Turns(placer, self.slots, self.announced)
        self.trials = Trials(placer, self.slots, self.openings, sight, rules)
        self.caps = Caps(placer, rules)
        self.together = Together(placer)
        self.delays = Delays(self.queue, placer.limits)
        self.seeking = Seeking(
            placer, held, self.slots, self.openings, self.trials, self.together, rules
        )
        self.looks = 0
        """At how many jobs it has looked so far."""
        self.is_full = False
        """Whether it may look at no more jobs."""
        self.tries_all = False
        """Whether the next pass plans everybody: priorities depend on who was found a place."""
        self.presses = False
        """Whether others would have to be gone for the record looked at to start now."""

    def _obey(self, rules: Rules) -> None:
        self.window_s = rules.window_s
        self.step_s = rules.step_s
        self.entries_max = rules.entries_max
        self.starts_max = rules.starts_max
        self.exact_slots = rules.exact_slots
        self.busy_first = rules.busy_first
        self.running_reserved = rules.running_reserved and not self.exact_slots
        self.search.asks_licenses = rules.licenses_seen or not rules.licenses_planned
        self.limits_placed = rules.limits_placed
        self.limits_stop = rules.limits_stop and self.placer.limits is not None

    def run(self, now: int, whole: bool) -> None:
        """Start whoever delays nobody before it; every other job gets a slot.

        A slot of whole nodes keeps them from all jobs behind, also those that a running job
        shares. Slots are gone when the pass is over. `whole`: also plan those behind the last
        that could start, and note in `announced` when everybody would.
        """
        whole, self.tries_all = whole or self.tries_all, False
        self._begin(now)
        started = self.queue.logged
        vain_array, vain_chance, array_before = -1, -1, -1
        end = self.queue.length if whole else self.caps.reach(now)
        for i in range(self.queue.length):
            # Who lacks room may still end others.
            if not whole and self.victims is None:
                end = self.chances.end(end, now)
            if i >= end:
                break
            record = self.queue.order[i]
            job = self.queue.record_job[record]
            array = self.queue.array[job]
            chance = self.queue.chance[record]
            # Where one task gets nothing, or the last slot, the array's other ones wait.
            if array == vain_array and chance == vain_chance:
                continue
            if not self._may_be_looked_at(record, now):
                continue
            # The other tasks of an array follow, whatever is over, and whoever is put off by now.
            follows = vain_array < 0 and array == array_before and chance == vain_chance
            follows = follows and self.queue.apart[job] == 0
            if self.trials.are_over() and not follows:
                break
            if self.starts_max and self.queue.logged - started >= self.starts_max:
                break
            vain_array, vain_chance = array, chance
            array_before = array if self.queue.apart[job] == 0 else -1
            if not self._is_sought(record, now):
                continue
            self.looks += 1
            self.trials.turn_to(record, now, end - i)
            self.turns.turn_to(i, follows)
            if self._look_at(record, now, follows):
                vain_array = -1
            self.trials.see(record, now)
            if self.is_full:
                break
        self.slots.drop()
        self.placer.brief = False
        if not self.starts_max or self.queue.logged - started < self.starts_max:
            self.together.start(now)

    def _begin(self, now: int) -> None:
        """Begin a pass: nobody has a slot but, if the rules want it, who runs."""
        self.caps.clear()
        self.trials.begin()
        self.delays.begin()
        self.together.begin()
        self.placer.brief = True
        self.search.forget()
        window_end = (now + self.window_s) // self.step_s * self.step_s
        self.bookings.begin(now, window_end, self.step_s)
        self.lending.begin()
        self.leaving.begin(now)
        if self.running_reserved or self.lending.planned:
            self.slots.keep_running(now, self.running_reserved and self.victims is None)
        self.chances.begin(now)
        if self.busy_first:
            self.placer.note_busy()
        self.is_full = False

    def _may_be_looked_at(self, record: int, now: int) -> bool:
        """Return whether the record is ready, has a chance with its others, and is within caps."""
        if not self.queue.is_ready(record, now):
            return False
        if self.together.is_hopeless(record, now + self.window_s):
            return False
        return self.caps.allow(record)

    def _is_sought(self, record: int, now: int) -> bool:
        """Return whether nodes are sought for the record, which the caps count unless refused."""
        if not self.limits_stop and self.placer.refused(record, now):
            return False
        self.caps.count(record)
        if self.trials.lack_licenses(self.queue.part_start[record], now):
            return False
        never = self.queue.sought[record] == codes.SOUGHT_NEVER
        return not never and not self.placer.is_too_wide(record)

    def _look_at(self, record: int, now: int, follows: bool) -> bool:
        """Start the record, or give it a slot. Returns whether more of its array are looked at.

        `follows`: it is one of those more.
        """
        since = self.delays.until_of(record, follows) if self.limits_stop else 0
        latest = now if self.slots.is_only_for_now(record, now) else -1
        self.seeking.turn_to(record, now, since, latest)
        start = self._first(record, now)
        if start < 0:
            return False
        self.placer.tried[record] = 1
        uncleared = start <= now and self.placer.is_on_uncleared(record)
        waits_on = uncleared or (start <= now and self._is_in_vain(record, now))
        if self.seeking.component >= 0 and not waits_on:
            self.together.note(record, start)
        elif start <= now and not waits_on:
            self._turn_to(record, now)
            rule = self.placer.rule_against(record, now)
            if rule < 0 and not self.placer.is_shut_out(record, now):
                self._start(self.turns.first(record, now), now)
                return True
            if rule >= 0:
                self.queue.kept_back[self.queue.record_job[record]] = 1
            start = self._put_off(record, rule, now) if self.limits_stop and rule >= 0 else -1
            if start < 0:
                return False
        refused = not self.limits_stop and self._is_refused_later(record, now)
        if uncleared:
            start = now + codes.CLEARS_S
        if start > now and latest >= 0 and not self.presses:
            return False
        self.announced.tell(record, start)
        if start > now + self.window_s or refused or self.queue.unreserved[record]:
            return False
        return self._reserve(record, start)

    def _is_in_vain(self, record: int, now: int) -> bool:
        """Return whether a start of the record now, where it was placed, comes to nothing."""
        if self.placer.fails(record, now):
            return True
        return self.victims is not None and self.victims.is_over_apart(record)

    def _start(self, record: int, now: int) -> None:
        """Start the record where it was placed; those behind see what is left."""
        self.slots.stretch(record, now)
        self.placer.start(record, now)
        if self.victims is not None:
            self.victims.press(record, now)
        self.slots.keep(record, now, self.victims is None)
        self.bookings.look_again()
        self.leaving.begin(now)
        self.chances.note_start()
        if self.busy_first:
            self.placer.note_busy()

    def _reserve(self, record: int, start: int) -> bool:
        """Give the record a slot from `start` on; return whether more of its array may follow."""
        if self.slots.is_denied(record):
            return False
        if self.entries_max and self.bookings.entries >= self.entries_max:
            self.is_full = True
            return False
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            self.placer.start_at[part] = start
        self.slots.give(record)
        self.turns.note_slot()
        return not self.caps.ends_array(record)

    def _is_refused_later(self, record: int, now: int) -> bool:
        """Return whether a limit keeps the record from a slot.

        Where limits do not know on which nodes somebody is who starts later, all are new to them
        but those it names.
        """
        if self.limits_placed:
            return self.placer.refused_there(record, now)
        return self.placer.refused_anew(record, now)

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
            self.seeking.since = start
            start = self._first(record, now)
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
            self.seeking.seek(part, self.placer.way[part], now, -1)

    def _first(self, record: int, now: int) -> int:
        """Return the start found, if need be as if all were gone who may be ended; -1: none."""
        start, self.presses = self.seeking.soonest(record, now), False
        if self.victims is not None and self.seeking.component < 0 and (start < 0 or start > now):
            return self._soonest_alone(record, now, start)
        return start

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
            over = self.seeking.soonest(record, now)
            self.victims.hush(now, False)
            self._look_anew()
            if self.victims.count == 0 or 0 <= over <= now:
                return over
        part, ends = self.queue.part_start[record], self.seeking.waits_for_ends
        self.victims.clear(now)
        self._look_anew()
        alone = self.seeking.soonest(record, now)
        self.victims.restore(now)
        if 0 <= start == alone and not ends and not self.seeking.ends_anew:
            # Nobody is taken away where there is room enough without, unless it is looked from
            # later instants.
            self._look_anew()
            return self.seeking.soonest(record, now)
        if 0 <= alone <= now and not self._is_kept_back(record, now):
            alone = now + codes.DIES_S
            if not (self.placer.is_on_uncleared(record) or self.victims.is_on_dying(part)):
                # Its slot stays where it would fit best, whoever goes.
                self.presses = True
                sets.copy(self.wished, 0, self.placer.nodes, part * self.words, self.words)
                self.bookings.close(self.closed, record, now)
                self.victims.make_room(record, now, self.closed)
                self.placer.put(part, self.wished)
        self._look_anew()
        return alone

    def _is_kept_back(self, record: int, now: int) -> bool:
        """Return whether a rule keeps back who could start once others are gone: none is ended."""
        if self.victims is None or self.victims.is_on_dying(self.queue.part_start[record]):
            return False
        return self.placer.rule_against(record, now) >= 0

    def _look_anew(self) -> None:
        """Forget what was learned of other room than there is now."""
        self.search.forget()
        self.bookings.start_over()
