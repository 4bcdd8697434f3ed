"""One pass over the queue: in strict order, looking ahead with slots, or by a simple policy.

Source of the two passes: Slurm 22.05 to 26.05, main scheduler and backfill, as measured on real
ones.
"""

from predictor.engine import store
from predictor.engine.choice import Choice
from predictor.engine.groups import Groups
from predictor.engine.layout import Layout
from predictor.engine.limits import Limits
from predictor.engine.queue import Queue
from predictor.engine.search import Search
from predictor.engine.tables import Rules
from predictor.engine.timeline import Timeline

class Passes:
    """Places the jobs of one queue on one self.timeline.

    What a pass starts is taken on the timeline, counted by the limits and logged by the self.queue.
    """

    def __init__(
        self,
        queue: Queue,
        timeline: Timeline,
        groups: Groups,
        limits: Limits | None,
        rules: Rules,
    ) -> None:
        self.queue = queue
        self.timeline = timeline
        self.layout: Layout = self.timeline.layout
        self.words = self.timeline.words
        self.search = Search(timeline)
        self.choice = Choice(self.search)
        self.groups = groups
        self.limits = limits
        self._obey(rules)
        self.nodes = store.words(self.queue.parts * self.words)
        """By part: where it was last placed."""
        self.way = store.numbers(self.queue.parts)
        self.start_at = store.numbers(self.queue.parts)
        self.tried = store.numbers(queue.records)
        """By record: whether it was ever found a place."""
        self.announced = store.filled([-1] * self.queue.jobs)
        """By job: the earliest start the last full pass that looked ahead told."""
        self.failed = store.numbers(self.queue.partitions)
        self.closed = store.words(self.words)
        self.slots = store.numbers(self.queue.records)
        self.slot_count = 0
        self.slotted = store.numbers(self.queue.jobs)
        self.of_user = store.numbers(self.queue.users)
        self.of_partition = store.numbers(self.queue.partitions)
        self.of_both = store.numbers(self.queue.users * self.queue.partitions)
        self.of_array = store.numbers(self.queue.arrays)
        self.protected = store.numbers(self.queue.partitions)
        self.looks = 0
        """At how many jobs passes that look ahead have looked so far."""

    def _obey(self, rules: Rules) -> None:
        self.window_s = rules.window_s
        self.step_s = rules.step_s
        self.rounds_up = rules.rounds_up
        self.jobs_max = rules.jobs_max
        self.user_max = rules.jobs_max_per_user
        self.partition_max = rules.jobs_max_per_partition
        self.both_max = rules.jobs_max_per_user_and_partition
        self.array_max = rules.array_tasks_max
        self.starts_max = rules.starts_max
        self.protected_max = rules.protected_per_partition
        self.min_age_s = rules.min_age_s
        self.exact_slots = rules.exact_slots
        self.one_slot = rules.one_slot_per_job
        self.licenses_planned = rules.licenses_planned
        self.limits_stop = rules.limits_stop

    # -- placing -------------------------------------------------------------------------

    def place(self, record: int, at: int, now: int, margin_s: int) -> int:
        """Return the first start from `at` on common to all parts; -1: there is none.

        Nodes and ways of the parts are kept. A part must stay free `margin_s` longer than it runs.
        """
        first, end = self.queue.part_start[record], self.queue.part_start[record + 1]
        if end - first == 1:
            return self._place_part(first, at, at == now, margin_s)
        while True:
            latest, placed, agree = at, first, True
            while placed < end:
                # What is learned while a sibling is tentatively placed does not hold afterwards.
                start = self._place_part(placed, at, False, margin_s)
                if start < 0:
                    break
                self.hold(placed, start, True)
                self.start_at[placed] = start
                if start != latest and (placed > first or start < latest):
                    agree = False
                if start > latest:
                    latest = start
                placed += 1
            complete = placed == end
            for part in range(first, placed):
                self.hold(part, self.start_at[part], False)
                if self.start_at[part] != latest:
                    agree = False
            if complete and agree:
                return latest
            # From the last breakpoint on nothing changes: who does not fit then, never does.
            if not complete or at >= self.timeline.time[self.timeline.count - 1]:
                return -1
            at = latest

    def _place_part(self, part: int, at: int, remember: bool, margin_s: int) -> int:
        """Keep the way with the earliest start, and return that; ties go to the first way."""
        best = -1
        for way in range(self.queue.way_start[part], self.queue.way_start[part + 1]):
            kind, size = self.queue.kind[way], self.queue.size[way]
            length = self.queue.length_s[way] + margin_s
            if remember:
                start = self.search.earliest(kind, size, length, at)
            else:
                start = self.search.first(kind, size, length, at)
            if start >= 0 and (best < 0 or start < best):
                best = start
                self._keep(part, way, start)
        return best

    def _keep(self, part: int, way: int, at: int) -> None:
        self.choice.choose(self.queue.kind[way], self.queue.size[way], at)
        self.way[part] = way
        for w in range(self.words):
            self.nodes[part * self.words + w] = self.choice.nodes[w]

    def plan(self, now: int) -> None:
        """Give everybody the first start that delays nobody before it, and hold that for good."""
        self.search.forget()
        for i in range(self.queue.length):
            record = self.queue.order[i]
            job = self.queue.record_job[record]
            if self.announced[job] >= 0 or not self.queue.is_ready(record, now):
                continue
            start = self.place(record, now, now, 0)
            if start < 0:
                continue
            self.announced[job] = start
            for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
                self.start_at[part] = start
                self.hold(part, start, True)

    def hold(self, part: int, at: int, take: bool) -> None:
        """Take what the part was placed on, from `at` to its planned end, or give it back."""
        way = self.way[part]
        kind = self.queue.kind[way]
        end_at = at + self.queue.length_s[way]
        shape, offset = self.layout.shape[kind], part * self.words
        if take:
            self.timeline.take(self.nodes, offset, kind, shape, at, end_at)
        else:
            self.timeline.give_back(self.nodes, offset, kind, shape, at, end_at)

    def _start(self, record: int, at: int) -> None:
        job = self.queue.record_job[record]
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            self.hold(part, at, True)
            self.start_at[part] = at
            ends_at = at + self.queue.length_s[self.way[part]]
            self.groups.add(part, self.nodes, part * self.words, ends_at)
            if self.limits is not None and self.queue.claim[self.way[part]] >= 0:
                self.limits.place(self.queue.claim[self.way[part]], self.nodes, part * self.words)
                self.limits.start(job, at)
        self.queue.start(record, at)

    # -- limits --------------------------------------------------------------------------

    def _refused(self, record: int, at: int) -> bool:
        """Return whether a limit keeps the record from being looked at."""
        if self.limits is None:
            return False
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            claim = self.queue.claim[self.queue.way_start[part]]
            if claim >= 0 and self.limits.early(claim, at) >= 0:
                return True
        return False

    def _refused_there(self, record: int, at: int) -> bool:
        """Return whether a limit keeps the record from where it was last placed."""
        if self.limits is None:
            return False
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            claim = self.queue.claim[self.way[part]]
            if claim >= 0:
                self.limits.place(claim, self.nodes, part * self.words)
                if self.limits.late(at) >= 0:
                    return True
        return False

    # -- strict order --------------------------------------------------------------------

    def in_order(self, now: int, depth: int) -> None:
        """Start jobs in strict order; a job that lacks nodes stops its partition.

        It also keeps everyone behind it off all nodes of its partition, unless it named the nodes
        it wants. Who lacks a license, waits for its reservation, or may not start by a limit, is
        passed over. Looks at `depth` jobs; 0: at all. Jobs of several parts are never started here.
        """
        for partition in range(self.queue.partitions):
            self.failed[partition] = 0
        for w in range(self.words):
            self.closed[w] = 0
        seen, failures = 0, 0
        for i in range(self.queue.length):
            record = self.queue.order[i]
            if not self.queue.is_ready(record, now):
                continue
            if depth and seen == depth:
                return
            seen += 1
            partition = self.queue.record_partition[record]
            part = self.queue.part_start[record]
            reserved = self.layout.reservation[self.queue.kind[self.queue.way_start[part]]] > 0
            if self.failed[partition] and not reserved:
                continue
            if self.queue.part_start[record + 1] - part > 1:
                failures += self._fail(partition)
            elif self._is_shut_out(part):
                failures += self._fail(partition)
            elif self._refused(record, now):
                if self.limits_stop:
                    failures += self._fail(partition)
                    self._close(part)
            elif self._fits_now(part, now):
                self.tried[record] = 1
                if not self._refused_there(record, now):
                    self._start(record, now)
                elif self.limits_stop:
                    failures += self._fail(partition)
                    self._close(part)
            elif not reserved and not self._lacks_licenses(part, now):
                # A job that nobody protects stops nobody.
                if not self._is_young(record, now):
                    failures += 0 if self._names_nodes(part) else self._fail(partition)
                    self._close(part)
            elif self.licenses_planned and not reserved:
                return
            if failures == self.queue.partitions:
                return

    def _fail(self, partition: int) -> int:
        if self.failed[partition]:
            return 0
        self.failed[partition] = 1
        return 1

    def _is_shut_out(self, part: int) -> bool:
        """Return whether too few nodes are left to its partition, busy ones counted."""
        way = self.queue.way_start[part]
        members = self.queue.kind[way] * self.words
        return self.layout.count_outside(self.layout.members, members, self.closed) < self.queue.size[way]

    def _fits_now(self, part: int, now: int) -> bool:
        """Return whether the part could start now off the closed nodes, and keep where."""
        for way in range(self.queue.way_start[part], self.queue.way_start[part + 1]):
            kind, size = self.queue.kind[way], self.queue.size[way]
            if self.search.opens_at(kind, size, self.queue.length_s[way], now) and (
                self.search.keep_off(self.closed, kind, size)
            ):
                if not self.layout.contiguous[kind] or self.search.has_run(size):
                    self._keep(part, way, now)
                    return True
        return False

    def _lacks_licenses(self, part: int, now: int) -> bool:
        kind = self.queue.kind[self.queue.way_start[part]]
        return not self.search.licensed(kind, self.timeline.row[self.timeline.slot_at(now)])

    def _is_young(self, record: int, now: int) -> bool:
        ripe_at = self.queue.ripe_at[self.queue.record_job[record]]
        return self.min_age_s > 0 and now - ripe_at < self.min_age_s

    def _names_nodes(self, part: int) -> bool:
        way = self.queue.way_start[part]
        return self.layout.required_count[self.queue.kind[way]] >= self.queue.size[way]

    def _close(self, part: int) -> None:
        """Keep everyone behind off the nodes that the part blocks."""
        named = self._names_nodes(part)
        for way in range(self.queue.way_start[part], self.queue.way_start[part + 1]):
            base = self.queue.kind[way] * self.words
            for w in range(self.words):
                word = self.layout.required[base + w] if named else self.layout.members[base + w]
                self.closed[w] |= word

    # -- looking ahead -------------------------------------------------------------------

    def ahead(self, now: int, whole: bool) -> None:
        """Start whoever delays nobody before it; every other job gets a slot.

        A slot of whole nodes keeps them from all jobs behind, also those that a running job
        shares. Slots are gone when the pass is over. `whole`: also plan those behind the last
        that could start, and note in `announced` when everybody would.
        """
        self._clear_counts()
        self.search.forget()
        started = self.queue.logged
        looked = 0
        end = self.queue.length if whole else self._last_that_could_start(now)
        for i in range(end):
            record = self.queue.order[i]
            if not self.queue.is_ready(record, now) or not self._within_caps(record):
                continue
            if self.jobs_max and looked == self.jobs_max:
                break
            if self._refused(record, now):
                continue
            part = self.queue.part_start[record]
            if not self.licenses_planned and self._lacks_licenses(part, now):
                continue
            self._count(record)
            looked += 1
            full = self.starts_max and self.queue.logged - started >= self.starts_max
            self._look_at(record, now, bool(full))
        self.looks += looked
        for i in range(self.slot_count):
            self._set_slot(self.slots[i], False)
            self.slotted[self.queue.record_job[self.slots[i]]] = 0
        self.slot_count = 0

    def _look_at(self, record: int, now: int, full: bool) -> None:
        job, partition = self.queue.record_job[record], self.queue.record_partition[record]
        start = self._soonest(record, now)
        if start < 0:
            return
        self.tried[record] = 1
        refused = self._refused_there(record, now)
        if start <= now:
            if not refused and not full:
                self._start(record, now)
            return
        if start > now + self.window_s:
            return
        if self.announced[job] < 0 or start < self.announced[job]:
            self.announced[job] = start
        if refused or self._is_young(record, now) or (self.one_slot and self.slotted[job]):
            return
        if self.protected_max and self.protected[partition] >= self.protected_max:
            return
        self.protected[partition] += 1
        self.slotted[job] = 1
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            self.start_at[part] = start
        self.slots[self.slot_count] = record
        self.slot_count += 1
        self._set_slot(record, True)

    def _soonest(self, record: int, now: int) -> int:
        """Return the start the pass finds for the record, and keep its nodes; -1: none."""
        first = self.queue.part_start[record]
        if self.exact_slots or self.queue.part_start[record + 1] - first > 1:
            return self.place(record, now, now, 0)
        best = -1
        for way in range(self.queue.way_start[first], self.queue.way_start[first + 1]):
            start = self._seek(first, way, now, best)
            if start >= 0 and (best < 0 or start < best):
                best = start
                self._keep(first, way, start)
        return best

    def _seek(self, part: int, way: int, now: int, bound: int) -> int:
        """Return the first start on nodes that stay unblocked while the job would run.

        Tries instant after instant at which a slot ends. Between these only ends of running jobs
        count, which are seen in groups. -1: none in the window, or none before `bound`, if any.
        """
        kind, size, length = self.queue.kind[way], self.queue.size[way], self.queue.length_s[way]
        at = now
        while at <= now + self.window_s and (bound < 0 or at < bound):
            later = self.timeline.opens_after(at)
            self.search.unblocked(kind, at, at + length)
            start = self.search.room_after(kind, size, now)
            if start > now:
                start = self.groups.end_of(self.search.base, start)
            if 0 <= start < at:
                start = at
            if start >= 0:
                self.search.room_then(kind, size, start)
            if 0 <= start <= now:
                return start
            if later >= 0 and (start < 0 or start > later):
                at = later
                continue
            if start < 0:
                return -1
            self._keep(part, way, start)
            if start == at or not self._collides(part, way, start):
                return start
            at = start
        return -1

    def _collides(self, part: int, way: int, start: int) -> bool:
        start_at = start // self.step_s * self.step_s
        end_at = start + self.queue.length_s[way]
        return self.timeline.is_blocked(self.nodes, part * self.words, start_at, end_at)

    def _set_slot(self, record: int, take: bool) -> None:
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            if self.exact_slots:
                self.hold(part, self.start_at[part], take)
                continue
            step = self.step_s
            start_at = self.start_at[part] // step * step
            end_at = self.start_at[part] + self.queue.length_s[self.way[part]]
            if self.rounds_up:
                end_at += step - 1
            end_at = end_at // step * step
            if end_at < start_at + step:
                end_at = start_at + step
            if take:
                self.timeline.block(self.nodes, part * self.words, start_at, end_at)
            else:
                self.timeline.unblock(self.nodes, part * self.words, start_at, end_at)

    def _last_that_could_start(self, now: int) -> int:
        """Return the end of the queue as far as anybody in it has room now."""
        slot = self.timeline.slot_at(now)
        self.search.count_room(slot)
        for i in range(self.queue.length - 1, -1, -1):
            record = self.queue.order[i]
            if self.queue.is_ready(record, now) and self._has_room(record):
                return i + 1
        return 0

    def _has_room(self, record: int) -> bool:
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            roomy = False
            for way in range(self.queue.way_start[part], self.queue.way_start[part + 1]):
                if self.search.room[self.queue.kind[way]] >= self.queue.size[way]:
                    roomy = True
            if not roomy:
                return False
        return True

    def _clear_counts(self) -> None:
        for user in range(self.queue.users):
            self.of_user[user] = 0
        for partition in range(self.queue.partitions):
            self.of_partition[partition] = 0
            self.protected[partition] = 0
        for both in range(self.queue.users * self.queue.partitions):
            self.of_both[both] = 0
        for array in range(self.queue.arrays):
            self.of_array[array] = 0

    def _within_caps(self, record: int) -> bool:
        job, partition = self.queue.record_job[record], self.queue.record_partition[record]
        user = self.queue.user[job]
        both = user * self.queue.partitions + partition
        return (
            (self.user_max == 0 or self.of_user[user] < self.user_max)
            and (self.partition_max == 0 or self.of_partition[partition] < self.partition_max)
            and (self.both_max == 0 or self.of_both[both] < self.both_max)
            and (self.array_max == 0 or self.of_array[self.queue.array[job]] < self.array_max)
        )

    def _count(self, record: int) -> None:
        job, partition = self.queue.record_job[record], self.queue.record_partition[record]
        user = self.queue.user[job]
        self.of_user[user] += 1
        self.of_partition[partition] += 1
        self.of_both[user * self.queue.partitions + partition] += 1
        self.of_array[self.queue.array[job]] += 1
