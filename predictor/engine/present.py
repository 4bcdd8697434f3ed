"""Who could start at the very instant of a pass."""

from predictor.engine import store
from predictor.engine.placer import Placer
from predictor.engine.queue import Queue
from predictor.engine.search import Search


class Present:
    """Tries jobs at one instant, and remembers within a pass what it has learned.

    As long as jobs only start, room only shrinks: what was learned holds.
    """

    def __init__(self, placer: Placer) -> None:
        self.placer = placer
        self.queue: Queue = placer.queue
        self.search: Search = placer.search
        self.now = 0
        self.record = 0
        """By which of its records the job could start that was tried last."""
        self.kind = store.filled([-1] * self.queue.jobs)
        """By job: the kind of its only way; -1: it has several."""
        self.size = store.numbers(self.queue.jobs)
        for job in range(self.queue.jobs):
            self._lay(job)

    def _lay(self, job: int) -> None:
        first = self.queue.job_start[job]
        if self.queue.job_start[job + 1] - first != 1:
            return
        part = self.queue.part_start[self.queue.job_record[first]]
        way = self.queue.way_start[part]
        ways = self.queue.way_start[self.queue.part_start[self.queue.job_record[first] + 1]]
        if ways - way == 1:
            self.kind[job] = self.queue.kind[way]
            self.size[job] = self.queue.size[way]

    def begin(self, now: int) -> None:
        """Forget what was learned, and count what is free now."""
        self.now = now
        self.search.forget()
        self.count()

    def count(self) -> None:
        """Count again what is free, now that less is."""
        self.search.count_room(self.placer.timeline.slot_at(self.now))

    def lacks_room(self, job: int) -> bool:
        """Return whether too few nodes are free for the job; False may be wrong."""
        kind = self.kind[job]
        return kind >= 0 and self.search.room[kind] < self.size[job]

    def can_start(self, job: int, remember: bool) -> bool:
        """Return whether the job can start now, and keep where."""
        for i in range(self.queue.job_start[job], self.queue.job_start[job + 1]):
            self.record = self.queue.job_record[i]
            if self._fits(self.record, remember):
                return True
        return False

    def hold(self, record: int, take: bool) -> None:
        """Take what the record would have from now on, or give it back."""
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            self.placer.hold(part, self.now, take)

    def _fits(self, record: int, remember: bool) -> bool:
        first, end = self.queue.part_start[record], self.queue.part_start[record + 1]
        if end - first == 1:
            return self._part_fits(first, remember)
        placed = first
        while placed < end and self._part_fits(placed, False):
            self.placer.hold(placed, self.now, True)
            placed += 1
        for part in range(first, placed):
            self.placer.hold(part, self.now, False)
        return placed == end

    def _part_fits(self, part: int, remember: bool) -> bool:
        """Keep the first way in which the part can start now, and return whether there is one."""
        for way in range(self.queue.way_start[part], self.queue.way_start[part + 1]):
            if self._opens(way, remember):
                self.placer.keep(part, way, self.now)
                return True
        return False

    def _opens(self, way: int, remember: bool) -> bool:
        kind, size = self.queue.kind[way], self.queue.size[way]
        length = self.queue.length_s[way]
        if remember and self._is_known_to_fail(kind, size, length):
            return False
        opens = self.search.opens_at(kind, size, length, self.now)
        if opens and self.search.layout.contiguous[kind]:
            opens = self.search.has_run(kind, size)
        if remember and not opens:
            # Between two changes nobody fits who did not fit at the first.
            self.search.hints.learn(kind, size, length, self.now + 1)
        return opens

    def _is_known_to_fail(self, kind: int, size: int, length: int) -> bool:
        if self.search.room[kind] < size:
            return True
        return self.search.hints.forbid(kind, size, length, self.now)
