"""Who shares a priority with whom, until one of them comes back alone."""

from predictor.engine import codes, store
from predictor.engine.placer import Placer
from predictor.engine.queue import Queue
from predictor.engine.ranking import Ranking


class Sharers:
    """The records of each slot of the ranking: tasks of one array have but one priority.

    Who starts and is sent back stands by itself then, beside what is left of its array.
    Source: Slurm 22.05 to 26.05.
    """

    def __init__(self, placer: Placer, ranking: Ranking) -> None:
        self.placer = placer
        self.queue: Queue = placer.queue
        self.ranking = ranking
        self.count = store.numbers(ranking.most_slots)
        """By slot: how many records wait under its number, or are to come."""

    def begin(self) -> None:
        """Count everybody, once the queue has begun."""
        for record in range(self.queue.records):
            slot = self.queue.record_slot[record]
            if slot >= 0 and self.queue.state[self.queue.record_job[record]] <= codes.WAITS:
                self.count[slot] += 1

    def leave(self, job: int) -> None:
        """Let the number of who has started stay as it is, if nobody else waits under it."""
        for i in range(self.queue.job_start[job], self.queue.job_start[job + 1]):
            slot = self.queue.record_slot[self.queue.job_record[i]]
            if slot >= 0:
                self.count[slot] -= 1
                if self.count[slot] == 0:
                    self.ranking.leave(slot)

    def come_back(self, job: int, now: int) -> None:
        """Let who was sent back wait under a number of its own; nobody has found it a place."""
        for i in range(self.queue.job_start[job], self.queue.job_start[job + 1]):
            record = self.queue.job_record[i]
            slot = self.queue.record_slot[record]
            if slot < 0:
                continue
            if self.count[slot] > 0:
                slot = self.ranking.own_slot(slot)
                self.queue.record_slot[record] = slot
            self.count[slot] += 1
            self.placer.tried[record] = 0
            self.ranking.enter_again(slot, now, self.queue.ripe_at[job])
