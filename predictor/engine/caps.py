"""How many jobs of the same sort a pass that looks ahead looks at.

Source: Slurm 22.05, _attempt_backfill and _job_exceeds_max_bf_param; a log of a real one's passes.
"""

from predictor.engine import codes, store
from predictor.engine.placer import Placer
from predictor.engine.queue import Queue
from predictor.engine.rule_tables import Rules


class Caps:
    """Counts of one pass, by user, association and partition; and of slots for tasks of an array.

    A cap of 0 is none.
    """

    def __init__(self, placer: Placer, rules: Rules) -> None:
        self.queue: Queue = placer.queue
        queue = self.queue
        self.looks_max = rules.jobs_max
        passed_over = placer.limits is not None or placer.layout.pools or queue.lanes
        at_once = rules.protected_per_partition or rules.min_age_s or rules.one_slot_per_job
        self.passes_over = bool(passed_over or at_once or queue.arrays < queue.jobs)
        """Whether some who are ready and within caps are not looked at, or do not count."""
        self.association_max = rules.jobs_max_per_association
        self.user_max = 0 if self.association_max else rules.jobs_max_per_user
        self.partition_max = rules.jobs_max_per_partition
        self.both_max = rules.jobs_max_per_user_and_partition
        self.array_max = rules.array_tasks_max
        self.tasks_bounded = rules.tasks_bounded
        self.caps = bool(
            self.association_max or self.user_max or self.partition_max or self.both_max
        )
        """Whether there is any cap."""
        self.of_user = store.numbers(queue.users)
        self.of_association = store.numbers(queue.associations)
        self.of_partition = store.numbers(queue.partitions)
        self.of_both = store.numbers(queue.users * queue.partitions)
        self.tasks = store.numbers(queue.arrays)
        """By array: how many tasks without a record of their own it has to begin with."""
        for job in range(queue.jobs):
            self.tasks[queue.array[job]] += 1 - queue.apart[job]
        self.last_array, self.last_partition = -1, -1
        """The array of which a task got a slot last, and in which partition."""
        self.of_last = 0
        """How many tasks of that array got one, with none of another array between them."""
        self.carried = False
        """Whether some of those tasks got theirs in another partition."""
        self.counted = store.numbers(queue.records)
        """The records that are counted in this pass, as many as `counted_count`."""
        self.counted_count = 0

    def clear(self) -> None:
        """Begin anew: nobody is counted."""
        self.last_array = -1
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
        )

    def count(self, record: int) -> None:
        """Count the record, which is looked at; who is drawn in does not count."""
        if not self.caps or self.queue.drawn[record]:
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

    def ends_array(self, record: int) -> bool:
        """Count a slot for the record; return whether that is the last task of its array for now.

        Such slots are counted on from partition to partition, until another array gets one, and
        are no more than tasks wait. A task with a record of its own counts for nothing.
        """
        job, partition = self.queue.record_job[record], self.queue.record_partition[record]
        array = self.queue.array[job]
        if self.tasks[array] <= 1 or self.queue.apart[job]:
            return False
        if array != self.last_array:
            self.last_array, self.of_last, self.carried = array, 0, False
        elif partition != self.last_partition:
            self.carried = True
        self.last_partition = partition
        self.of_last += 1
        if self.array_max > 0 and self.of_last >= self.array_max:
            return True
        lane = self.queue.lane[job]
        if self.tasks_bounded and lane >= 0:
            running = self.queue.lane_running[lane]
            if running + self.of_last >= self.queue.lane_width[lane]:
                return True
        return self.carried and self.of_last >= self._waiting(array)

    def _waiting(self, array: int) -> int:
        """Return how many tasks of the array wait."""
        waiting = 0
        for job in range(self.queue.jobs):
            if self.queue.array[job] == array and self.queue.state[job] == codes.WAITS:
                waiting += 1 - self.queue.apart[job]
        return waiting

    def reach(self, now: int) -> int:
        """Return the end of the queue as far as the pass gets at most.

        If nobody is passed over, that is behind so many as it looks at who are ready and within
        caps: whoever is gets looked at, whatever comes of it.
        """
        length = self.queue.length
        if self.looks_max == 0 or length <= self.looks_max or self.passes_over:
            return length
        end, looked = 0, 0
        while end < length and looked < self.looks_max:
            record = self.queue.order[end]
            if self.queue.is_ready(record, now) and self.allow(record):
                self.count(record)
                if not self.queue.is_low[record]:
                    looked += 1 - self.queue.drawn[record]
            end += 1
        self.clear()
        return end
