"""The order of the queue: who stands before whom, as priorities move and somebody comes."""

from predictor.engine import store
from predictor.engine.queue import Queue
from predictor.engine.ranking import Ranking
from predictor.engine.victims import Victims


class Lineup:
    """Keeps a queue in order: by band, priority and tie; but who may end others comes before them.

    That is no order among three and more. So where somebody may end others, the queue is sorted
    anew from the ties on, by merging halves, as the C library does it for Slurm.
    """

    def __init__(self, queue: Queue, ranking: Ranking, victims: Victims | None) -> None:
        self.queue = queue
        self.ranking = ranking
        self.victims = victims
        records = self.queue.records if victims is not None else 0
        self.by_tie = store.filled(sorted(range(records), key=self._tie))
        self.present = store.numbers(records)
        self.merged = store.numbers(records)
        self.spare = store.numbers(records)

    def _tie(self, record: int) -> int:
        return self.queue.tie[record]

    def sort(self) -> bool:
        """Bring the queue into order, and return whether anybody changed places, or is low now."""
        moved = self._rate()
        if self.victims is not None:
            return self._sort_anew() or moved
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

    def _sort_anew(self) -> bool:
        for i in range(self.queue.length):
            self.present[self.queue.order[i]] = 1
        count = 0
        for i in range(self.queue.records):
            record = self.by_tie[i]
            if self.present[record]:
                self.present[record] = 0
                self.merged[count] = record
                count += 1
        self._merge_sort(0, count)
        moved = False
        for i in range(count):
            if self.queue.order[i] != self.merged[i]:
                self.queue.order[i] = self.merged[i]
                moved = True
        return moved

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
