"""How many jobs of the same sort a pass that looks ahead looks at."""

from predictor.engine import store
from predictor.engine.queue import Queue
from predictor.engine.tables import Rules


def _most_of_an_array(queue: Queue) -> int:
    """Return how many records there are of the array that has most."""
    of_array = [0] * queue.arrays
    for record in range(queue.records):
        of_array[queue.array[queue.record_job[record]]] += 1
    return max(of_array, default=0)


class Caps:
    """Counts of one pass, by user, association, partition and array. A cap of 0 is none."""

    def __init__(self, queue: Queue, rules: Rules) -> None:
        self.queue = queue
        self.association_max = rules.jobs_max_per_association
        self.user_max = 0 if self.association_max else rules.jobs_max_per_user
        self.partition_max = rules.jobs_max_per_partition
        self.both_max = rules.jobs_max_per_user_and_partition
        self.array_max = rules.array_tasks_max
        if self.array_max >= _most_of_an_array(queue):
            self.array_max = 0
        self.caps = bool(
            self.association_max
            or self.user_max
            or self.partition_max
            or self.both_max
            or self.array_max
        )
        """Whether there is any."""
        self.of_user = store.numbers(queue.users)
        self.of_association = store.numbers(queue.associations)
        self.of_partition = store.numbers(queue.partitions)
        self.of_both = store.numbers(queue.users * queue.partitions)
        self.of_array = store.numbers(queue.arrays)
        self.counted = store.numbers(queue.records)
        """Who is counted in these,"""
        self.counted_count = 0

    def clear(self) -> None:
        """Begin anew: nobody is counted."""
        # There may be far more arrays than a pass looks at.
        for i in range(self.counted_count):
            self._add(self.counted[i], -1)
        self.counted_count = 0

    def allow(self, record: int) -> bool:
        """Return whether one more like it may be looked at."""
        if not self.caps:
            return True
        job, partition = self.queue.record_job[record], self.queue.record_partition[record]
        user = self.queue.user[job]
        both = user * self.queue.partitions + partition
        association = self.queue.association[job]
        return (
            (self.user_max == 0 or self.of_user[user] < self.user_max)
            and (
                self.association_max == 0 or self.of_association[association] < self.association_max
            )
            and (self.partition_max == 0 or self.of_partition[partition] < self.partition_max)
            and (self.both_max == 0 or self.of_both[both] < self.both_max)
            and (self.array_max == 0 or self.of_array[self.queue.array[job]] < self.array_max)
        )

    def count(self, record: int) -> None:
        """Count the record, which is looked at."""
        if not self.caps:
            return
        self.counted[self.counted_count] = record
        self.counted_count += 1
        self._add(record, 1)

    def _add(self, record: int, change: int) -> None:
        job, partition = self.queue.record_job[record], self.queue.record_partition[record]
        user = self.queue.user[job]
        self.of_user[user] += change
        self.of_association[self.queue.association[job]] += change
        self.of_partition[partition] += change
        self.of_both[user * self.queue.partitions + partition] += change
        self.of_array[self.queue.array[job]] += change

    def reach(self, now: int, looks: int) -> int:
        """Return the end of the queue behind so many who are ready and within caps.

        Whoever is gets looked at, whatever comes of it.
        """
        end, looked = 0, 0
        while end < self.queue.length and looked < looks:
            record = self.queue.order[end]
            if self.queue.is_ready(record, now) and self.allow(record):
                self.count(record)
                looked += 1
            end += 1
        self.clear()
        return end
