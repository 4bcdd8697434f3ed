"""In which order those behind blocked jobs are tried, where it is not the queue's."""

from predictor.engine import codes, store
from predictor.engine.present import Present
from predictor.engine.rule_tables import PolicyRules


class Filling:
    """Those behind blocked jobs in one pass, as they are added, and then in the order to try."""

    def __init__(self, present: Present, rules: PolicyRules) -> None:
        jobs = present.queue.jobs
        self.present = present
        self.filling = rules.filling
        self.cpus = store.filled(rules.cpus, jobs)
        order = sorted(range(jobs), key=lambda job: -self.cpus[job])
        self.largest = store.filled(order)
        """All jobs, who asks for most first; equal ones as they are numbered, as in the queue."""
        self.waits = store.numbers(jobs)
        self.jobs = store.numbers(jobs)
        self.count = 0
        self.able = store.numbers(codes.MOST_COMBINED)
        self.ables = 0
        self.chosen = 0
        self.best = 0
        """Sets of the able, as bits."""
        self.most = 0

    def clear(self) -> None:
        """Begin a pass."""
        self.count = 0

    def add(self, job: int) -> None:
        """Let another one wait for its turn; they are added in the order of the queue."""
        self.jobs[self.count] = job
        self.count += 1

    def sort(self) -> None:
        """Bring those added into the order in which they are to be tried."""
        if self.filling == codes.LARGEST_FIRST:
            self._sort_by_cpus()
        else:
            self._sort_by_sum()

    def _sort_by_cpus(self) -> None:
        # As starting one leaves less for all, this is as good as choosing anew after each start.
        self._mark()
        found = 0
        for i in range(self.present.queue.jobs):
            job = self.largest[i]
            if self.waits[job]:
                self.waits[job] = 0
                self.jobs[found] = job
                found += 1

    def _mark(self) -> None:
        for i in range(self.count):
            self.waits[self.jobs[i]] = 1

    def _sort_by_sum(self) -> None:
        """Put those first that take most together; at a tie, those that come first."""
        self._find_able()
        left = 0
        for i in range(self.ables):
            left += self.cpus[self.able[i]]
        self.chosen, self.best, self.most = 0, 0, 0
        self._try(0, 0, left)
        self._mark()
        for i in range(self.ables):
            if self.best >> i & 1:
                self.waits[self.able[i]] = 2
        self._put_first()

    def _find_able(self) -> None:
        self.ables = 0
        i = 0
        while i < self.count and self.ables < codes.MOST_COMBINED:
            if self.present.can_start(self.jobs[i], True):
                self.able[self.ables] = self.jobs[i]
                self.ables += 1
            i += 1

    def _try(self, place: int, taken: int, left: int) -> None:
        """Try all that may still win, with and without the able from `place` on."""
        if taken > self.most:
            self.best, self.most = self.chosen, taken
        if place == self.ables or taken + left <= self.most:
            return
        job = self.able[place]
        size = self.cpus[job]
        # What fails beside others may succeed without them.
        if self.present.can_start(job, False):
            record = self.present.record
            self.present.hold(record, True)
            self.chosen |= 1 << place
            self._try(place + 1, taken + size, left - size)
            self.chosen &= ~(1 << place)
            self.present.hold(record, False)
        self._try(place + 1, taken, left - size)

    def _put_first(self) -> None:
        """Move the chosen to the front, keeping the order otherwise."""
        front = 0
        for i in range(self.count):
            job = self.jobs[i]
            if self.waits[job] == 2:
                for j in range(i, front, -1):
                    self.jobs[j] = self.jobs[j - 1]
                self.jobs[front] = job
                front += 1
            self.waits[job] = 0
