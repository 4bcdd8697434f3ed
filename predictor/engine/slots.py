"""The slots of a pass that looks ahead: for whom it may keep nodes and does, and how long."""

from predictor.engine import codes, store
from predictor.engine.bookings import Bookings
from predictor.engine.chances import Chances
from predictor.engine.groups import Groups
from predictor.engine.held import Held
from predictor.engine.layout import Layout
from predictor.engine.lending import Lending
from predictor.engine.placer import Placer
from predictor.engine.queue import Queue
from predictor.engine.rule_tables import Rules


class Slots:
    """Who has one in this pass; all of them are dropped with it.

    Exact ones are held as if their job ran. Others are of whole nodes and full steps, and booked.
    """

    def __init__(
        self, placer: Placer, held: Held, lending: Lending, chances: Chances, rules: Rules
    ) -> None:
        self.placer = placer
        self.held = held
        self.groups: Groups = placer.groups
        self.queue: Queue = placer.queue
        self.layout: Layout = placer.layout
        self.lending = lending
        self.bookings: Bookings = lending.bookings
        self.chances = chances
        self.exact = rules.exact_slots
        self.stretches = rules.stretches
        self.step_s = rules.step_s
        self.rounds_up = rules.rounds_up
        self.entries_max = rules.entries_max
        self.records = store.numbers(self.queue.records)
        self.count = 0
        self.has_one = store.numbers(self.queue.jobs)
        self.one_only = rules.one_slot_per_job
        self.protected_max = rules.protected_per_partition
        self.min_age_s = rules.min_age_s
        self.protected = store.numbers(self.queue.partitions)
        """By partition: how many records have a slot."""

    def is_only_for_now(self, record: int, now: int) -> bool:
        """Return whether no later start of the record is sought than at once, as it gets no slot.

        Source: Slurm 22.05, TEST_NOW_ONLY.
        """
        if self.queue.is_low[record] or self.queue.is_young(record, now, self.min_age_s):
            return True
        return self.is_denied(record)

    def is_denied(self, record: int) -> bool:
        """Return whether the record gets no slot whenever it would start, also just now.

        Source: Slurm 22.05, bf_job_part_count_reserve and bf_one_resv_per_job.
        """
        job, partition = self.queue.record_job[record], self.queue.record_partition[record]
        if self.one_only and self.has_one[job]:
            return True
        return 0 < self.protected_max <= self.protected[partition]

    def give(self, record: int) -> None:
        """Keep for the record the nodes on which its parts were placed, from their starts on."""
        self.records[self.count] = record
        self.count += 1
        self.has_one[self.queue.record_job[record]] = 1
        self.protected[self.queue.record_partition[record]] += 1
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            if self.exact:
                self.placer.hold(part, self.placer.start_at[part], True)
                continue
            self.bookings.book(part, self._start(part), self._end(part))
            kind = self._kind(part)
            if self.lending.counts(kind):
                self.lending.lend(kind, self._start(part), self._end(part))
            self.chances.note_slot(part)

    def hand_over(self, record: int, other: int) -> None:
        """Let the other have the record's slot. They are of one partition, and placed so by now."""
        i = self.count - 1
        while self.records[i] != record:
            i -= 1
        self.records[i] = other
        self.has_one[self.queue.record_job[record]] = 0
        self.has_one[self.queue.record_job[other]] = 1

    def keep(self, record: int, now: int, nodes_too: bool) -> None:
        """Keep the nodes of who has just started for it as if it had a slot, if it has them whole.

        Source: Slurm 22.05, _bf_reserve_running, also of how stretches part at ends of licenses.
        """
        if self.exact:
            return
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            kind = self._kind(part)
            end_at = self.full_steps(now + self.placer.length_s[part])
            whole = nodes_too and self.layout.takes_whole[kind] > 0
            if whole and end_at > now:
                self.bookings.book(part, now, end_at)
            if self.lending.counts(kind):
                self.lending.start(kind)
            self._give_back(kind, end_at, whole)

    def keep_running(self, now: int, nodes_too: bool) -> None:
        """Keep what all who run have until the last full step they run: licenses, and whole nodes.

        Source: Slurm 22.05, _bf_reserve_running, which leaves nodes to those for whom who has them
        may be ended.
        """
        first, least = self.queue.parts, now // self.step_s * self.step_s + self.step_s
        for i in range(self.groups.count):
            if 0 < self.entries_max <= self.bookings.entries:
                return
            holding = self.groups.alive[i]
            if holding >= first:
                whole = self.held.whole[holding - first] > 0
                kind = self.held.kind[holding - first]
            else:
                kind = self._kind(holding)
                whole = self.layout.takes_whole[kind] > 0
            end_at = max(self.full_steps(self.groups.end_at[i]), least)
            whole = whole and nodes_too
            if whole:
                offset, word = holding * self.groups.words, self.groups.word_at[i]
                self.bookings.book_nodes(
                    self.groups.nodes, offset, word, self.groups.words_of[i], end_at
                )
            if kind >= 0:
                self._give_back(kind, end_at, whole)

    def _give_back(self, kind: int, at: int, whole: bool) -> None:
        """Note when who runs gives licenses back; where none is planned, that a stretch begins."""
        if self.lending.counts(kind):
            self.lending.note(kind, at, -1)
        elif not whole and self.layout.has_licenses(kind):
            self.bookings.begin_stretch(at)

    def _kind(self, part: int) -> int:
        return self.queue.kind[self.placer.way[part]]

    def drop(self) -> None:
        """Forget them all."""
        for i in range(self.count):
            record = self.records[i]
            self.has_one[self.queue.record_job[record]] = 0
            self.protected[self.queue.record_partition[record]] = 0
            if not self.exact:
                continue
            for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
                self.placer.hold(part, self.placer.start_at[part], False)
        self.count = 0

    def stretch(self, record: int, now: int) -> None:
        """Let who was found a place for less than planned have it as long as it is in no one's way.

        That is in whole minutes, as limits are told, and with slots of whole nodes only. Who was
        planned short only for that has all its time, in whose way ever.
        """
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            kind, least = self.queue.kind[self.placer.way[part]], self.placer.length_s[part]
            longest = self.queue.length_s[self.placer.way[part]]
            if self.queue.fleeting[record]:
                self.placer.length_s[part] = longest
            if self.queue.fleeting[record] or not self.stretches or self.exact:
                continue
            end_at = self.bookings.clear_until(kind, part, now + longest)
            if end_at < now + longest:
                longest = (end_at - now) // codes.MINUTE_S * codes.MINUTE_S
            if longest > least:
                self.placer.length_s[part] = longest

    def _start(self, part: int) -> int:
        return self.placer.start_at[part] // self.step_s * self.step_s

    def _end(self, part: int) -> int:
        """Return when the part's slot ends; it lasts for a step at least."""
        end_at = self.full_steps(self.placer.start_at[part] + self.placer.length_s[part])
        return max(end_at, self._start(part) + self.step_s)

    def full_steps(self, end_at: int) -> int:
        """Return when the steps end that a slot up to then takes."""
        if self.rounds_up:
            end_at += self.step_s - 1
        return end_at // self.step_s * self.step_s
