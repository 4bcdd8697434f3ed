"""Replay first-come-first-served, with or without EASY backfilling, on one pool of processors.

EASY: the first job that does not fit gets a reservation for the instant by which enough processors
are expected back; a later job may start now if it is expected to end by then, or asks for no more
processors than will be spare then (the extra-nodes rule).
Source: A. Mu'alem, D. Feitelson, Utilization, Predictability, Workloads, and User Runtime Estimates
in Scheduling the IBM SP2 with Backfilling, IEEE TPDS 12(6), 2001.
"""

from collections.abc import MutableSequence, Sequence

from predictor.engine import store
from predictor.engine.heap import Heap
from verification.traces.releases import Releases
from verification.traces.waiting import Waiting


class Easy:
    """One replay. Jobs are numbered in order of submission; times are seconds from the first."""

    def __init__(
        self,
        submits: Sequence[int],
        runs: Sequence[int],
        procs: Sequence[int],
        limits: Sequence[int],
        free: int,
    ) -> None:
        self.jobs = len(submits)
        self.submits = submits
        self.runs = runs
        self.procs = procs
        self.limits = limits
        self.free = free
        self.starts = store.numbers(self.jobs)
        self.waits = store.numbers(self.jobs)
        self.ends = Heap(min(self.jobs, free))
        self.ended = store.numbers(min(self.jobs, free))
        self.releases = Releases()
        self.waiting = Waiting(self.jobs)
        self.head = 0
        self.submitted = 0
        self.started = 0
        self.ended_count = 0
        self.now = 0
        self.dirty = 0
        self.shadow_at = 0
        self.extra = 0
        self.backfill = 0
        self.spare = 0

    def replay(self, backfill: int, spare: int, per_event: int) -> None:
        """Let all jobs start.

        `backfill`: jobs may pass a blocked one; `spare`: the extra-nodes rule holds; `per_event`:
        the scheduler runs after each single event, submissions first, not once for all events of an
        instant.
        """
        self.backfill = backfill
        self.spare = spare
        while self.submitted < self.jobs or self.ends.size > 0:
            self._advance()
            if per_event:
                self._instant_by_events()
            else:
                self._instant()

    def result(self) -> MutableSequence[int]:
        """Return when each job started."""
        return self.starts

    def _advance(self) -> None:
        """Move the clock to the next event and gather the jobs that end then, in order of start."""
        if self.submitted == self.jobs:
            self.now = self.ends.at[0]
        else:
            self.now = self.submits[self.submitted]
            if self.ends.size > 0:
                self.now = min(self.now, self.ends.at[0])
        self.ended_count = 0
        while self.ends.size > 0 and self.ends.at[0] == self.now:
            self.ended[self.ended_count] = self.ends.who[0]
            self.ends.pop()
            self.ended_count += 1

    def _instant(self) -> None:
        for index in range(self.ended_count):
            self._release(self.ended[index])
        self._schedule()
        self._submit()

    def _instant_by_events(self) -> None:
        """Do one event after the other.

        A job that ends just when its limit says has its processors free at that instant already,
        as in a profile of expected ends; one that ends early has them until its end is handled.
        """
        for index in range(self.ended_count):
            if self._ends_on_time(self.ended[index]):
                self._release(self.ended[index])
        if self._submits_now():
            self._schedule()
            self._submit()
        for index in range(self.ended_count):
            if not self._ends_on_time(self.ended[index]):
                self._release(self.ended[index])
            self._schedule()

    def _ends_on_time(self, job: int) -> bool:
        return self.runs[job] == self.limits[job]

    def _submits_now(self) -> bool:
        return self.submitted < self.jobs and self.submits[self.submitted] == self.now

    def _release(self, job: int) -> None:
        self.free += self.procs[job]
        if self.backfill:
            self.releases.remove(self.starts[job] + self.limits[job], self.procs[job])
        self.dirty = 1

    def _submit(self) -> None:
        """Start or queue those who submit now; all who came before have had their chance."""
        while self._submits_now():
            job = self.submitted
            self.submitted += 1
            if self.head == job:
                if self.procs[job] <= self.free:
                    self._start(job)
                    self.head += 1
                else:
                    self.waits[job] = 1
                    self._reserve()
            elif self._may_pass(job):
                self._pass(job)
            else:
                self.waits[job] = 1
                if self.backfill:
                    self.waiting.add(job, self.procs[job], self.limits[job])

    def _schedule(self) -> None:
        """Let the queue have what was released since it was last asked."""
        if self.dirty:
            self.dirty = 0
            self._start_heads()
            if self.head < self.submitted:
                self._reserve()
                if self.backfill:
                    self._let_pass()

    def _start_heads(self) -> None:
        """Start jobs from the head of the queue as long as they fit."""
        while self.head < self.submitted:
            if self.waits[self.head]:
                if self.procs[self.head] > self.free:
                    break
                self.waits[self.head] = 0
                self._start(self.head)
                if self.backfill:
                    self.waiting.remove(self.head)
            self.head += 1

    def _reserve(self) -> None:
        """Find when the head will start at the latest, and what it leaves over then."""
        if self.backfill:
            wanted = self.procs[self.head] - self.free
            self.releases.fit(wanted)
            self.shadow_at = self.releases.fit_at
            self.extra = self.releases.fit_procs - wanted if self.spare else 0

    def _let_pass(self) -> None:
        """Start all who may pass the blocked head, in order."""
        job = self._next_to_pass(self.head)
        while job >= 0:
            self.waits[job] = 0
            self.waiting.remove(job)
            self._pass(job)
            job = self._next_to_pass(job)

    def _next_to_pass(self, job: int) -> int:
        return self.waiting.next(job + 1, self.free, self.shadow_at - self.now, self.extra)

    def _may_pass(self, job: int) -> bool:
        if not self.backfill or self.procs[job] > self.free:
            return False
        return self.now + self.limits[job] <= self.shadow_at or self.procs[job] <= self.extra

    def _pass(self, job: int) -> None:
        if self.now + self.limits[job] > self.shadow_at:
            self.extra -= self.procs[job]
        self._start(job)

    def _start(self, job: int) -> None:
        self.starts[job] = self.now
        self.free -= self.procs[job]
        self.ends.push(self.now + self.runs[job], self.started, job)
        self.started += 1
        if self.backfill:
            self.releases.add(self.now + self.limits[job], self.procs[job])
