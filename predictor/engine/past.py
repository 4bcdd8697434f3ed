"""The first start of jobs that were requeued since: when it was, and on which nodes."""

from predictor.engine import store
from predictor.engine.placer import Placer
from predictor.engine.queue import Queue


class Past:
    """First starts, by job, and what was kept of them by part. Empty where nobody is sent back."""

    def __init__(self, placer: Placer, needed: bool) -> None:
        self.placer = placer
        self.queue: Queue = placer.queue
        self.words = placer.words
        jobs = self.queue.jobs if needed else 0
        parts = self.queue.parts if needed else 0
        self.at = store.filled([-1] * jobs)
        """By job: its first start; -1: it has not been sent back."""
        self.record = store.numbers(jobs)
        self.way = store.numbers(parts)
        self.length_s = store.numbers(parts)
        self.boots_s = store.numbers(parts)
        self.nodes = store.words(parts * self.words)

    def keep(self, job: int) -> None:
        """Keep where a job runs that is being sent back, if it is for the first time."""
        if self.at[job] >= 0:
            return
        record = self.queue.started_record[job]
        self.at[job] = self.queue.started_at[job]
        self.record[job] = record
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            self.way[part] = self.placer.way[part]
            self.length_s[part] = self.placer.length_s[part]
            self.boots_s[part] = self.placer.boots_s[part]
            for i in range(part * self.words, (part + 1) * self.words):
                self.nodes[i] = self.placer.nodes[i]
