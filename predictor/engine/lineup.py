"""The order of the queue: who stands before whom, as priorities move and somebody comes."""

from predictor.engine import store
from predictor.engine.queue import Queue
from predictor.engine.ranking import Ranking
from predictor.engine.victims import Victims


class Lineup:
    """Keeps a queue in order: by band, priority and tie; but who may end others comes before them.

    That is no order among three and more. So where somebody may end others, those who may start
    are sorted anew from the order on in which they are listed, by merging halves, as the C library
    does it for Slurm. What waits of an array is a single one among them.
    """

    def __init__(self, queue: Queue, ranking: Ranking, victims: Victims | None) -> None:
        self.queue = queue
        self.ranking = ranking
        self.victims = victims
        records = self.queue.records if victims is not None else 0
        self.number = store.filled([] if victims is None else victims.listed)
        """By record: the number under which it is listed."""
        self.listed = store.filled(sorted(range(records), key=self._listed))
        self.present = store.numbers(records)
        self.merged = store.numbers(records)
        self.spare = store.numbers(records)
        self.next_task = store.numbers(records)
        """By record: that of the next task of an array, listed as the same; -1: there is none."""
        self.last_task = store.filled([-1] * (self.queue.partitions if records else 0))
        """By partition: the record found last that is listed as this one."""

    def _listed(self, record: int) -> tuple[int, int]:
        return self.number[record], self.queue.tie[record]

    def sort(self, now: int) -> bool:
        """Bring the queue into order, and return whether anybody changed places, or is low now."""
        moved = self._rate()
        if self.victims is not None:
            return self._sort_anew(now) or moved
        for i in range(1, self.queue.length):
            record = self.queue.order[i]
            j = i
            while j > 0 and self._precedes(record, self.queue.order[j - 1]):
                self.queue.order[j] = self.queue.order[j - 1]
                j -= 1
                moved = True
            self.queue.order[j] = record
        return moved

    def _rate(self) -> bool:
        """Note whose priority is too low for protection, and return whether that has changed."""
        changed = False
        for i in range(self.queue.length):
            record = self.queue.order[i]
            if self.queue.protected_from[record] > 0:
                value = self._priority(record)
                low = 1 if 0 <= value < self.queue.protected_from[record] else 0
                if low != self.queue.is_low[record]:
                    self.queue.is_low[record] = low
                    changed = True
        return changed

    def _sort_anew(self, now: int) -> bool:
        for i in range(self.queue.length):
            self.present[self.queue.order[i]] = 1
        count = self._find_heads(now)
        self._merge_sort(0, count)
        moved, place = False, 0
        for i in range(count):
            record = self.merged[i]
            while record >= 0:
                self.present[record] = 0
                moved = self._put(place, record) or moved
                record = self.next_task[record]
                place += 1
        for i in range(self.queue.records):
            record = self.listed[i]
            if self.present[record]:
                self.present[record] = 0
                moved = self._put(place, record) or moved
                place += 1
        return moved

    def _find_heads(self, now: int) -> int:
        """Put into `merged` those who may start, as listed, and return how many these are.

        Of those listed as the same in a partition it is the first; each other follows the one
        before, but for tasks with records of their own.
        """
        count, listed = 0, -1
        for i in range(self.queue.records):
            record = self.listed[i]
            if not self.present[record] or not self.queue.is_queued(record, now):
                continue
            self.next_task[record] = -1
            if self.number[record] != listed:
                listed = self.number[record]
                for partition in range(self.queue.partitions):
                    self.last_task[partition] = -1
            last = -1
            if not self.queue.apart[self.queue.record_job[record]]:
                partition = self.queue.record_partition[record]
                last = self.last_task[partition]
                self.last_task[partition] = record
            if last >= 0:
                self.next_task[last] = record
            else:
                self.merged[count] = record
                count += 1
        return count

    def _put(self, place: int, record: int) -> bool:
        """Put the record in a place of the queue, and return whether it was elsewhere."""
        if self.queue.order[place] == record:
            return False
        self.queue.order[place] = record
        return True

    def _merge_sort(self, first: int, count: int) -> None:
        if count <= 1:
            return
        half = count // 2
        self._merge_sort(first, half)
        self._merge_sort(first + half, count - half)
        for i in range(first, first + half):
            self.spare[i] = self.merged[i]
        one, other, place = first, first + half, first
        while one < first + half and other < first + count:
            if self._precedes(self.merged[other], self.spare[one]):
                self.merged[place] = self.merged[other]
                other += 1
            else:
                self.merged[place] = self.spare[one]
                one += 1
            place += 1
        for i in range(one, first + half):
            self.merged[place] = self.spare[i]
            place += 1

    def _precedes(self, one: int, other: int) -> bool:
        if self.victims is not None:
            if self.victims.precedes(one, other):
                return True
            if self.victims.precedes(other, one):
                return False
        if self.queue.band[one] != self.queue.band[other]:
            return self.queue.band[one] < self.queue.band[other]
        value, other_value = self._priority(one), self._priority(other)
        if value != other_value:
            return value > other_value
        return self.queue.tie[one] < self.queue.tie[other]

    def _priority(self, record: int) -> int:
        slot = self.queue.record_slot[record]
        return -1 if slot < 0 else self.ranking.value(slot)
