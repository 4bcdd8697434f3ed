"""Jobs of several components in a pass that looks ahead, where each has its own place.

A component gets a slot not before those that others of its job have been given; once the pass is
over those jobs start all of whose components could start now, wherever there is room then.
Source: Slurm 22.05, heterogeneous jobs (backfill.c).
"""

from predictor.engine import sets, store
from predictor.engine.placer import Placer
from predictor.engine.queue import Queue
from predictor.engine.ranking_tables import NEVER


class Together:
    """What a pass has found for the components of each such job so far."""

    def __init__(self, placer: Placer) -> None:
        self.placer = placer
        self.queue: Queue = placer.queue
        self.words = placer.words
        self.never = NEVER
        self.records = store.numbers(self.queue.records)
        """The records by which jobs start of which a component was looked at, in that order."""
        self.count = 0
        self.noted = store.numbers(self.queue.records)
        """By record: whether it is one of them."""
        self.start_at = store.filled([-1] * self.queue.parts)
        """By part of these jobs: when it may start; `never`: nothing was found, -1: not sought."""
        self.closed = store.words(placer.words)
        """The nodes that parts before have taken, and those that are being cleared."""

    def begin(self) -> None:
        """Begin a pass."""
        for i in range(self.count):
            record = self.records[i]
            self.noted[record] = 0
            for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
                self.start_at[part] = -1
        self.count = 0

    def since(self, record: int) -> int:
        """Take note that the component is looked at, and return from when on it may start.

        `never`: nothing was found for another one.
        """
        whole = self.queue.whole[record]
        if not self.noted[whole]:
            self.noted[whole] = 1
            self.records[self.count] = whole
            self.count += 1
        own = self.queue.part_start[whole] + self.queue.component[record]
        if self.start_at[own] < 0:
            self.start_at[own] = self.never
        latest = 0
        for part in range(self.queue.part_start[whole], self.queue.part_start[whole + 1]):
            if part != own and self.start_at[part] > latest:
                latest = self.start_at[part]
        return latest

    def is_hopeless(self, record: int, until: int) -> bool:
        """Return whether the record is a component, and nothing was found for another up to then.

        If it is one, it is looked at.
        """
        return self.queue.whole[record] >= 0 and self.since(record) > until

    def note(self, record: int, start: int) -> None:
        """Take note of when the component may start; its earliest start counts."""
        own = self.queue.part_start[self.queue.whole[record]] + self.queue.component[record]
        self.start_at[own] = min(self.start_at[own], start)

    def start(self, now: int) -> None:
        """Start those that may start now."""
        for i in range(self.count):
            record = self.records[i]
            if self._is_due(record, now) and self._may(record, now) and self._fits(record, now):
                self.placer.start(record, now)

    def _is_due(self, record: int, now: int) -> bool:
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            if self.start_at[part] < 0 or self.start_at[part] > now:
                return False
        return True

    def _fits(self, record: int, now: int) -> bool:
        """Return whether there are nodes now for each part of the record, and keep them."""
        sets.copy(self.closed, 0, self.placer.clearing.nodes, 0, self.words)
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            self.placer.turn_to(part)
            if not self.placer.fits_now(part, now, self.closed):
                return False
            sets.add(self.closed, 0, self.placer.nodes, part * self.words, self.words)
        return True

    def _may(self, record: int, now: int) -> bool:
        """Return whether no limit is in the way of any part, those before it counted."""
        job, allowed = self.queue.record_job[record], True
        if self.placer.limits is None:
            return True
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            claim = self.queue.claim[self.queue.way_start[part]]
            if claim < 0 or not allowed:
                continue
            if (
                self.placer.limits.early(claim, now) >= 0
                or self.placer.limits.late_unplaced(claim, now) >= 0
            ):
                allowed = False
            else:
                self.placer.limits.start(job, now)
        self.placer.limits.end(job, now)
        return allowed
