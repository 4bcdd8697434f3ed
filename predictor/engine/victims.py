"""Preemption: who must make room so that another can start, and whose turn it is first.

Source: Slurm 22.05 to 26.05, preempt/partition_prio and preempt/qos, as measured on real ones.
"""

from predictor.engine import codes, store
from predictor.engine.layout import Layout
from predictor.engine.owners import Owners
from predictor.engine.placer import Placer
from predictor.engine.queue import Queue
from predictor.engine.ranking import Ranking
from predictor.engine.roster import Roster
from predictor.engine.rule_tables import Rules
from predictor.engine.stations import Stations
from predictor.engine.still import Still
from predictor.engine.victim_tables import VictimTables


class Victims:
    """Ends running jobs for the sake of others, or lets them stand still.

    Who is to start waits until those are gone who are ended.
    """

    def __init__(
        self,
        placer: Placer,
        roster: Roster,
        tables: VictimTables,
        ranking: Ranking | None,
        rules: Rules,
    ) -> None:
        self.placer = placer
        self.roster = roster
        self.ranking = ranking
        self.queue: Queue = placer.queue
        self.layout: Layout = placer.layout
        self.words = placer.words
        self.owners = Owners(placer, rules)
        self.pressed_at = store.filled([-1] * self.queue.jobs)
        """By array: when somebody was ended for one of its tasks, and none started since; -1."""
        self._lay(tables)
        self.found = store.numbers(self.queue.people)
        """Those who may be ended for somebody, in the order in which that is tried."""
        self.use = store.numbers(self.queue.people)
        """How many of the nodes chosen each of them holds."""
        self.count = 0
        self.still = Still(placer, roster)
        self.quiet = store.numbers(self.queue.people)
        """Those found who may stand still for somebody, the oldest first."""
        self.quiet_count = 0

    def _lay(self, tables: VictimTables) -> None:
        self.stations = Stations(tables.stations)
        self.halts = self.stations.halt
        stands = [int(stands) for stands in tables.stands_still]
        self.stands = store.filled(stands, len(tables.of_runner))
        self.level_of_record = store.filled(list(tables.level_of_record), self.queue.records)
        self.level = store.filled(
            [*[0] * self.queue.jobs, *tables.level_of_runner], self.queue.people
        )
        """By person who runs: its priority, as it was when it began."""
        nobody = [-1] * len(tables.of_runner)
        self.spared_until = store.filled(tables.spared_until or nobody)
        self.of_record = store.filled(tables.of_record)
        self.of_runner = store.filled(tables.of_runner)
        self.began_at = store.filled(tables.began_at)
        self.again = store.filled(tables.again)
        self.returns = store.filled([int(returns) for returns in tables.returns])
        self.listed = store.filled(tables.listed)
        self.youngest_first = tables.youngest_first
        self.keeps_order = tables.keeps_order
        self.tries = tables.tries
        self.back_after_s = tables.back_after_s
        self.spared_from = tables.spared_from
        self.patience_s = tables.patience_s
        for job, pressed_at in enumerate(tables.pressed_at):
            array = self.queue.array[job]
            self.pressed_at[array] = max(self.pressed_at[array], pressed_at)
        self.first_clears_s = tables.vacating.first_s
        self.others_clear_s = tables.vacating.others_s

    def enter(self, person: int, began_at: int, ends_at: int) -> None:
        """Enter somebody who has started."""
        self.roster.begin(person, began_at, ends_at)
        if person < self.queue.jobs:
            self.level[person] = self._level(self.queue.started_record[person])
            self.pressed_at[self.queue.array[person]] = -1
        station = self.station(person)
        if self._may_be_ended(station) and self.stations.exempt_s[station] > 0:
            self.queue.events.push(began_at + self.stations.exempt_s[station], codes.RIPEN, person)

    def enter_runner(self, runner: int) -> None:
        """Enter somebody who ran at the beginning."""
        person = self.queue.jobs + runner
        self.enter(person, self.began_at[runner], self.queue.ends_at[runner])
        if self.spared_until[runner] >= 0:
            self._spare(person, self.spared_until[runner], -1)

    def begin(self, now: int) -> None:
        """Note for whom those stand still who do so at the beginning; all have been entered."""
        if not self.halts:
            return
        for i in range(self.roster.count):
            person = self.roster.people[i]
            if person >= self.queue.jobs and self.stands[person - self.queue.jobs]:
                for j in range(self.roster.count):
                    if self._may(self.roster.people[j], person):
                        self._owe(person, self.roster.people[j], now)

    def _may(self, one: int, other: int) -> bool:
        """Return whether of two who run the one may make the other leave, or stand still."""
        mine, theirs = self.station(one), self.station(other)
        if mine < 0 or theirs < 0:
            return False
        return self.stations.ends(mine, theirs, self.level[one], self.level[other])

    def _level(self, record: int) -> int:
        slot = self.queue.record_slot[record]
        if self.ranking is None or slot < 0:
            return self.level_of_record[record]
        return self.ranking.value(slot)

    def _owe(self, giver: int, taker: int, now: int) -> None:
        for hold in range(self.roster.first(taker), self.roster.last(taker)):
            for node in range(self.layout.nodes):
                if self.roster.holds(hold, node):
                    self.still.lend(giver, taker, node, now, self.roster.until(taker))

    def precedes(self, one: int, other: int) -> bool:
        """Return whether the record comes before the other whatever their priorities."""
        mine, theirs = self.of_record[one], self.of_record[other]
        if self.stations.whom(mine, theirs) == 0:
            return False
        level, other_level = self._level(one), self._level(other)
        return self.stations.ends(mine, theirs, level, other_level) and not self.stations.ends(
            theirs, mine, other_level, level
        )

    # -- who may be ended -----------------------------------------------------------------

    def find(self, record: int, now: int, plans: bool) -> int:
        """Find who may make room for the record now, first those to go first; return how many.

        `plans`: also who would have to stand still beside it, and cannot.
        """
        self.count = 0
        self.quiet_count = 0
        part = self.queue.part_start[record]
        if self.queue.part_start[record + 1] - part > 1:
            return 0
        mine, level = self.of_record[record], self._level(record)
        self.owners.find_open(self.queue.kind[self.queue.way_start[part]], now)
        for i in range(self.roster.count):
            person = self.roster.people[i]
            station = self.station(person)
            if (
                self._may_be_ended(station)
                and self.stations.ends(mine, station, level, self.level[person])
                and not self.roster.dying[person]
                and self.roster.common(person, self.owners.found, 0) > 0
            ):
                if self.stations.fate[station] == codes.STANDS_STILL:
                    if plans or not self.stations.are_apart(mine, station):
                        self._insert_quiet(person)
                elif not self._is_spared(person, station, now):
                    self._insert(person)
        return self.count + self.quiet_count

    def _may_be_ended(self, station: int) -> bool:
        return station >= 0 and self.stations.fate[station] != codes.SPARED

    def _is_spared(self, person: int, station: int, now: int) -> bool:
        """Return whether nobody ends somebody for its age or its priority."""
        if 0 < self.spared_from <= self.level[person]:
            return True
        return self.roster.began_at[person] + self.stations.exempt_s[station] > now

    def _insert_quiet(self, person: int) -> None:
        i, began_at = self.quiet_count, self.roster.began_at[person]
        while i > 0 and began_at < self.roster.began_at[self.quiet[i - 1]]:
            self.quiet[i] = self.quiet[i - 1]
            i -= 1
        self.quiet[i] = person
        self.quiet_count += 1

    def station(self, person: int) -> int:
        """Return the station of somebody who runs; -1: nobody ends it."""
        if person >= self.queue.jobs:
            return self.of_runner[person - self.queue.jobs]
        return self.of_record[self.queue.started_record[person]]

    def _insert(self, person: int) -> None:
        i = self.count
        while i > 0 and self._goes_before(person, self.found[i - 1]):
            self.found[i] = self.found[i - 1]
            i -= 1
        self.found[i] = person
        self.count += 1

    def _goes_before(self, one: int, other: int) -> bool:
        if self.youngest_first:
            began_at, other_began_at = self.roster.began_at[one], self.roster.began_at[other]
            if began_at != other_began_at:
                return began_at > other_began_at
            return self.queue.ordinal[one] < self.queue.ordinal[other]
        order = self.stations.order[self.station(one)]
        other_order = self.stations.order[self.station(other)]
        if order != other_order:
            return order < other_order
        if self.roster.width[one] != self.roster.width[other]:
            return self.roster.width[one] < self.roster.width[other]
        return self.queue.ordinal[one] < self.queue.ordinal[other]

    # -- as if they were gone ---------------------------------------------------------------

    def hush(self, now: int, aside: bool) -> None:
        """Let it be as if those found had no CPUs who may stand still, or as it is."""
        for i in range(self.quiet_count):
            self.still.set_aside(self.quiet[i], now, aside)

    def is_over_apart(self, record: int) -> bool:
        """Return whether it was placed on nodes of somebody who cannot stand still beside it."""
        if not self.halts:
            return False
        mine, part = self.of_record[record], self.queue.part_start[record]
        for i in range(self.roster.count):
            person = self.roster.people[i]
            station = self.station(person)
            if (
                station >= 0
                and self.stations.are_apart(mine, station)
                and self.roster.common(person, self.placer.nodes, part * self.words) > 0
            ):
                return True
        return False

    def fits_over(self, record: int, now: int, closed: store.Words) -> bool:
        """Return whether the record could start if others stood still; its nodes are kept."""
        if not self.halts:
            return False
        self.find(record, now, False)
        if self.quiet_count == 0:
            return False
        self.hush(now, True)
        fits = self.placer.fits_now(self.queue.part_start[record], now, closed)
        self.hush(now, False)
        return fits

    def press(self, record: int, now: int) -> None:
        """Let those stand still whose CPUs the record has got, which has just started."""
        if not self.halts:
            return
        self.find(record, now, False)
        if self.quiet_count == 0:
            return
        part, job = self.queue.part_start[record], self.queue.record_job[record]
        lasts_s = max(self.placer.length_s[part], self.queue.run_s[job])
        until = now + self.placer.boots_s[part] + lasts_s
        for node in range(self.layout.nodes):
            if not self.placer.is_on(part, node):
                continue
            for i in range(self.quiet_count):
                self.still.lend(self.quiet[i], job, node, now, until)

    def clear(self, now: int) -> None:
        """Take away all those found, and who dies already."""
        self.hush(now, True)
        for i in range(self.count):
            self.roster.lay(self.found[i], False)
        self._lay_dying(False)

    def restore(self, now: int) -> None:
        """Undo `clear`."""
        self.hush(now, False)
        self._lay_dying(True)
        for i in range(self.count):
            self.roster.lay(self.found[i], True)

    def _lay_dying(self, take: bool) -> None:
        for i in range(self.roster.count):
            if self.roster.dying[self.roster.people[i]]:
                self.roster.lay(self.roster.people[i], take)

    def make_room(self, record: int, now: int, closed: store.Words) -> bool:
        """End whoever must go for the record to start off the closed nodes; return if that helps.

        Whoever may be ended is taken away one after the other until there is room; then those
        come first that were in the way, and so on, for fewer to be ended. The nodes are kept.
        For whom others were ended shortly before, nobody is.
        """
        part = self.queue.part_start[record]
        if self.queue.part_start[record + 1] - part > 1:
            return False
        self.find(record, now, False)
        self.hush(now, True)
        self._lay_dying(False)
        # Who dies already may leave room enough.
        helped = self.placer.fits_now(part, now, closed)
        chosen = 0 if helped else self._choose(part, now, closed)
        self._lay_dying(True)
        self.hush(now, False)
        if chosen == 0 or self.placer.refused_there(record, now):
            return helped
        job = self.queue.record_job[record]
        if self._is_patient(job, now):
            return True
        self.pressed_at[self.queue.array[job]] = now
        for i in range(chosen):
            person = self.found[i]
            if self.roster.common(person, self.placer.nodes, part * self.words) > 0:
                self._end(person, now, job)
        return True

    def _is_patient(self, job: int, now: int) -> bool:
        """Return whether a job waits for those to be gone who were ended for it.

        Tasks of an array that are looked at one after the other do not wait for each other.
        """
        pressed_at = self.pressed_at[self.queue.array[job]]
        return 0 <= pressed_at < now < pressed_at + self.patience_s

    def is_on_dying(self, part: int) -> bool:
        """Return whether the part was placed on nodes of somebody who is just being ended."""
        for i in range(self.roster.count):
            person = self.roster.people[i]
            if self.roster.dying[person] and (
                self.roster.common(person, self.placer.nodes, part * self.words) > 0
            ):
                return True
        return False

    def _choose(self, part: int, now: int, closed: store.Words) -> int:
        """Keep the nodes of the last of several choices; return how many must be gone for it.

        They come first among those found. 0: there is no choice.
        """
        tried = 0
        while True:
            last = self._fewest(part, now, closed)
            if last < 0:
                return 0
            tried += 1
            if tried > self.tries + 1 or tried >= self.count:
                return last + 1
            self._reorder(part, last)

    def _fewest(self, part: int, now: int, closed: store.Words) -> int:
        """Return the first of those found with whose end there is room; -1: there is none."""
        gone = 0
        last = -1
        while last < 0 and gone < self.count:
            self.roster.lay(self.found[gone], False)
            if self.placer.fits_now(part, now, closed):
                last = gone
            gone += 1
        for i in range(gone):
            self.roster.lay(self.found[i], True)
        return last

    def _reorder(self, part: int, last: int) -> None:
        """Let the last one go first, then those who hold most of the nodes chosen."""
        person = self.found[last]
        for i in range(last, 0, -1):
            self.found[i] = self.found[i - 1]
        self.found[0] = person
        if self.keeps_order:
            return
        offset = part * self.words
        for i in range(1, last + 1):
            self.use[i] = self.roster.common(self.found[i], self.placer.nodes, offset)
        for i in range(2, last + 1):
            person, use = self.found[i], self.use[i]
            j = i
            while j > 1 and self.use[j - 1] < use:
                self.found[j], self.use[j] = self.found[j - 1], self.use[j - 1]
                j -= 1
            self.found[j], self.use[j] = person, use

    # -- their ends -----------------------------------------------------------------------

    def _end(self, person: int, now: int, job: int) -> None:
        """Let somebody be gone soon for a job, or else give it its grace time.

        When that is over, it goes once somebody wants its room, or a while later.
        """
        grace_s = self.stations.grace_s[self.station(person)]
        if grace_s == 0 or 0 <= self.roster.free_until[person] <= now:
            self._cut(person, now + codes.DIES_S, True, job)
        elif self.roster.free_until[person] < 0:
            self._spare(person, now + grace_s, job)

    def _spare(self, person: int, until: int, job: int) -> None:
        """Let somebody go on until then who is to make room."""
        self.roster.free_until[person] = until
        self.queue.events.push(until, codes.RIPEN, person)
        self._cut(person, until + codes.LATE_S, False, job)

    def _cut(self, person: int, gone_at: int, dying: bool, job: int) -> None:
        self.roster.cut(person, gone_at, dying, job)
        self.queue.events.push(gone_at, codes.END, person)

    def leave(self, person: int, now: int) -> None:
        """Let somebody be gone: those go on who stood still for it; its nodes may be cleared first.

        That is if it was ended.
        """
        self.still.release(person, now)
        if not self.is_cut(person):
            return
        is_first = True
        for w in range(self.words):
            nodes = self._nodes_of(person, w)
            if is_first and nodes:
                is_first = False
                one = nodes & (~nodes + 1)
                self._vacate(w, one, now, self.first_clears_s)
                nodes &= nodes - 1
            self._vacate(w, nodes, now, self.others_clear_s)

    def _nodes_of(self, person: int, w: int) -> int:
        """Return the nodes that somebody holds, a word of a set."""
        nodes = 0
        for hold in range(self.roster.first(person), self.roster.last(person)):
            nodes |= self.roster.word(hold, w)
        return nodes

    def _vacate(self, w: int, nodes: int, now: int, clears_s: int) -> None:
        """Let these nodes, a word of a set, be cleared for so long."""
        if nodes and clears_s > 0:
            self.placer.clearing.note(w, nodes, now + clears_s)

    def ready_at(self, now: int) -> int:
        """Return when those may start again that are sent back now."""
        return now + max(self.first_clears_s, self.others_clear_s) + self.back_after_s

    def is_cut(self, person: int) -> bool:
        """Return whether somebody who is gone was ended."""
        return self.roster.is_cut(person)

    def returns_as(self, person: int) -> int:
        """Return the job that waits anew when this one is ended; -1: it is over for good."""
        if self.stations.fate[self.station(person)] != codes.SENT_BACK:
            return -1
        if person >= self.queue.jobs:
            return self.again[person - self.queue.jobs]
        return person if self.returns[person] else -1
