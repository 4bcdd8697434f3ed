"""The first start that a pass which looks ahead finds for a record, and on which nodes.

Source: Slurm 22.05 to 26.05, backfill scheduler, as measured on real ones.
"""

from predictor.engine import codes, sets, store
from predictor.engine.bookings import Bookings
from predictor.engine.fitting import Fitting
from predictor.engine.groups import Groups
from predictor.engine.held import Held
from predictor.engine.layout import Layout
from predictor.engine.lending import Lending
from predictor.engine.openings import Openings
from predictor.engine.placer import Placer
from predictor.engine.queue import Queue
from predictor.engine.ranking_tables import NEVER
from predictor.engine.rule_tables import Rules
from predictor.engine.search import Search
from predictor.engine.sight import Sight
from predictor.engine.slots import Slots
from predictor.engine.ties import Ties
from predictor.engine.timeline import Timeline
from predictor.engine.together import Together
from predictor.engine.trials import Trials


class Seeking:
    """Looks for starts that delay nobody who has a slot; keeps the nodes of the one found."""

    def __init__(
        self,
        placer: Placer,
        held: Held,
        slots: Slots,
        openings: Openings,
        trials: Trials,
        together: Together,
        rules: Rules,
    ) -> None:
        self.placer = placer
        self.queue: Queue = placer.queue
        self.layout: Layout = placer.layout
        self.timeline: Timeline = placer.timeline
        self.search: Search = placer.search
        self.groups: Groups = placer.groups
        self.ties = Ties(placer, held)
        self.fitting = Fitting(placer, self.ties)
        self.words = placer.words
        self.slots = slots
        self.openings = openings
        self.bookings: Bookings = openings.bookings
        self.lending: Lending = openings.lending
        self.sight: Sight = trials.sight
        self.trials = trials
        self.together = together
        self.window_s = rules.window_s
        self.step_s = rules.step_s
        self.exact_slots = rules.exact_slots
        self.busy_first = rules.busy_first
        self.ends_anew = rules.seeks_anew and rules.group_s > 0
        """Whether it is looked from a later instant as if it had come."""
        self.overlaps_first = rules.overlaps_first
        self.weighs_anew = rules.weighs_anew
        self.untried = False
        """Whether nodes weigh what they are said to, as nobody is tried, only planned."""
        self.none = store.words(self.words)
        self.uncleared = store.words(self.words)
        """The nodes being cleared on which it was not tried in vain to start somebody now."""
        self.own_ends = self.ends_anew and rules.own_ends
        """Whether a start only waits for those whose nodes are taken."""
        self.looked_from = 0
        """When those who run are looked at: now, a second later where who should have ended is as
        good as gone, or when the instant that is tried has come."""
        self.start = 0
        """The start found last."""
        self.forever = NEVER
        self.gathered = store.words(self.words)
        """The nodes found for a request of several groups, group by group."""
        self.found_at = 0
        self.since = 0
        """From when on starts are sought, if that is later than now."""
        self.latest = -1
        """Up to when starts are sought; -1: that is not bounded."""
        self.component = -1
        """The record that is looked at, if it stands for a component of its job."""
        self.waits_for_ends = False
        """Whether running jobs must end for the start found last."""
        self.ended_at = 0
        """When the last of the running jobs has ended that must for it."""

    def turn_to(self, record: int, now: int, since: int, latest: int) -> None:
        """Let starts of the record be sought from `since` on, and up to `latest`, if that is any.

        A component does not start before others of its job.
        """
        self.since, self.latest = since, latest
        self.component = record if self.queue.whole[record] >= 0 else -1
        self.fitting.see(record, now)
        # A start counts behind the next opening, too, for others of the job or to try from there.
        counts_late = self.component >= 0 or self.overlaps_first
        self.openings.thorough = counts_late and not self.ends_anew
        if self.component >= 0:
            self.since = max(self.since, self.together.since(record))

    def soonest(self, record: int, now: int) -> int:
        """Return the start the pass finds for the record, and keep its nodes; -1: none."""
        first = self.queue.part_start[record]
        if self.exact_slots:
            return self.placer.place(record, max(now, self.since), now, 0)
        self.untried = self.weighs_anew
        best, best_way, soonest, frees = -1, -1, -1, False
        for way in range(self.queue.way_start[first], self.queue.way_start[first + 1]):
            if 0 <= best <= now:
                break
            start = self.seek(first, way, now, best if best >= 0 else self.latest)
            if start < 0 and best > now:
                # All are tried at each opening, whichever the last one was tried for.
                since, self.since = self.since, best
                start = self.seek(first, way, now, best)
                self.since = since
            # Of equal starts that is taken for which fewer jobs must end, whatever the slots.
            if start >= 0 and (best < 0 or start < best or self.ended_at < soonest):
                best, best_way, soonest = start, way, self.ended_at
                frees = self.waits_for_ends
        self.waits_for_ends = frees
        # A later way may have been kept for a try that came to nothing.
        if best >= 0 and self.placer.way[first] != best_way:
            self.seek(first, best_way, now, -1)
        if self.untried:
            self.untried = False
            self.placer.leaning.begin_anew(self.none)
        return best

    def seek(self, part: int, way: int, now: int, bound: int) -> int:
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
            ended_at = self._try_from(part, way, kind, at, now, later)
            start = ended_at if ended_at < 0 or ended_at > at else at
            if start > now and not self.overlaps_first:
                self._note(start)
            if 0 <= start <= now:
                self.search.keep_lightest(kind, size)
                self.placer.keep_as(part, way, kind, now)
                return start
            passed = later >= 0 and (start < 0 or start > later)
            if passed and (start < 0 or not self.overlaps_first):
                at = self.openings.following_one(kind, needed, length, until)
                continue
            own = self.own_ends and self.waits_for_ends
            if start < 0 or (0 <= bound < start and not own and not passed):
                return -1
            kept = self._keep(part, way, kind, at, start, ended_at)
            if kept and self.overlaps_first:
                self._note(self.start)
            if kept and passed:
                at = self.openings.following_one(kind, needed, length, until)
                continue
            if 0 <= bound < self.start:
                return -1
            if kept:
                self.ended_at = ended_at
                return self.start
            at = self.openings.after(kind, needed, length, self.start, until)
        return -1

    def _try_from(self, part: int, way: int, kind: int, at: int, now: int, later: int) -> int:
        """Find nodes that no slot takes from `at` on; return when enough jobs have ended on them.

        -1: that is not so up to `later`, the next opening, if there is one.
        """
        size, end_at = self.queue.size[way], at + self.queue.least_s[way]
        self.openings.leave_untaken(kind, end_at)
        if self.sight.hides:
            needed = self.layout.nodes_needed(kind, size)
            self.sight.keep_seen(self.search.base, kind, needed, at, end_at)
        self.trials.note(kind, size, at)
        # Nodes are chosen as of the end of the last job that must end, whatever the slots.
        ended_at = self._ended_from(kind, size, at, now, later)
        if self.untried:
            self._weigh(kind, size, at, now, ended_at)
        self.placer.leaning.draw(kind, self.search.common)
        if ended_at >= 0 and self.fitting.matters(kind):
            ended_at = self.fitting.ended_at(
                part, way, kind, ended_at, self.found_at, self.looked_from
            )
        self.waits_for_ends = ended_at > self.looked_from
        return ended_at

    def _note(self, start: int) -> None:
        """Take note of a start for the others of the job, if it stands for a component."""
        if self.component >= 0:
            self.together.note(self.component, start)

    def _weigh(self, kind: int, size: int, at: int, now: int, ended_at: int) -> None:
        """Let nodes weigh more that are being cleared, for the choice about to be made.

        Where it is looked from later instants they do not from these, and what somebody has tried
        in vain to start on now weighs what it is said to. `ended_at`: as told by `_ended_at`.
        Source: Slurm 24.11 to 26.05, _will_run_test and _future_run_test.
        """
        if self.ends_anew and at > now:
            self.placer.leaning.begin_anew(self.none)
            return
        self.placer.leaning.begin_anew(self.placer.clearing.nodes)
        if not self.ends_anew or not self.placer.leaning.leans:
            return
        if ended_at == now and not self.fitting.matters(kind):
            return
        starts = self.search.room_then(kind, size, now)
        sets.copy(self.uncleared, 0, self.placer.clearing.nodes, 0, self.words)
        if self.layout.spread[kind] >= 0:
            starts = self.placer.choice.gathers(kind, size, now)
            sets.remove(self.uncleared, 0, self.placer.choice.gathering.nodes, 0, self.words)
        else:
            sets.remove(self.uncleared, 0, self.search.common, 0, self.words)
        if not starts:
            self.placer.leaning.begin_anew(self.uncleared)
        self.search.room_then(kind, size, self.found_at)

    def _ended_from(self, kind: int, size: int, at: int, now: int, later: int) -> int:
        """Return the same as `_ended_at`, of a try from `at`, looked from when that asks for.

        Who should have ended by now is in the way of who would start at once, and else as good as
        gone where starts are sought anew. Source: Slurm 24.11 to 26.05, _build_cr_job_list.
        """
        self.looked_from = now
        if self.ends_anew and at > now:
            self.looked_from = at if self.own_ends else at - 1
        ended_at = self._ended_at(kind, size, later)
        if self.ends_anew and at == now != ended_at and self.groups.begin_overdue():
            self.looked_from = now + 1
            ended_at = self._ended_at(kind, size, later)
        return ended_at

    def _ended_at(self, kind: int, size: int, later: int) -> int:
        """Return when enough running jobs have ended on the nodes kept; when looked if none must.

        -1: that is not so up to `later`, the next opening, if there is one. The nodes with room are
        found, as of `found_at`.
        """
        since = self.looked_from + 1 if self.ends_anew else 0
        until = later if self.ends_anew and later >= 0 else self.forever
        # Who wants a single node, whole, may have it once anybody gives one back.
        guess = self.timeline.slot_at(self.groups.ask(kind, since, until))
        slot = self.search.room_after(kind, size, guess, self.openings.last_slot(kind))
        latest = self.timeline.slot_at(self.looked_from)
        if slot <= latest:
            self.found_at = self.looked_from
            if 0 <= slot < latest:
                self.search.room_then(kind, size, self.found_at)
            return self.found_at if slot >= 0 else slot
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
        self.start = start
        if self.own_ends and self.waits_for_ends:
            self._take(part, way, kind, ended_at)
            offset = part * self.words
            own_end = self.groups.own_end(self.placer.nodes, offset, self.looked_from)
            self.start = max(at, own_end)
            return self._is_clear(part, kind, at, length)
        needed, since = self.layout.nodes_needed(kind, size), self._unknown_since(at, length)
        until = self.slots.full_steps(start + length)
        vain = start > at and not self.bookings.leaves(kind, needed, since, until)
        # Whose turn it is changes even if nothing comes of a choice.
        if vain and self.layout.allocation[kind] != codes.ROUND_ROBIN:
            return False
        self._take(part, way, kind, ended_at)
        return self._is_clear(part, kind, at, length)

    def _take(self, part: int, way: int, kind: int, ended_at: int) -> None:
        """Choose the part's nodes as of then.

        It is tried first as if it shared them with nobody, which will do where nobody must end.
        Source: Slurm 23.02.5 to 26.05, _try_sched.
        """
        self.search.alone = not self.waits_for_ends
        if self.busy_first and self.waits_for_ends:
            self.placer.keep_busiest(part, way, kind, ended_at)
        else:
            self.placer.keep_as(part, way, kind, ended_at)
        self.search.alone = False

    def _is_clear(self, part: int, kind: int, at: int, length: int) -> bool:
        """Return whether no slot takes what the part takes then, as none does from `at` on.

        That is its nodes and licenses.
        """
        if self.start == at:
            return True
        since, until = self._unknown_since(at, length), self.slots.full_steps(self.start + length)
        if self.lending.counts(kind):
            since_step = self.start // self.step_s * self.step_s
            if self.lending.short_until(kind, since_step, until - 1) >= 0:
                return False
        return not self.bookings.is_booked(part, since, until)

    def _unknown_since(self, at: int, length: int) -> int:
        """Return from when on slots may take nodes that none takes from `at` on for so long."""
        since = self.start // self.step_s * self.step_s
        return since if since < at else max(since, at + length)
