"""Replay conservative backfilling on one pool of processors.

Every job gets the earliest reservation that delays no other when it is submitted. When a job ends
before its limit, the jobs that wait are gone through in order of submission, and each moves to the
earliest place that it finds then.
Source: A. Mu'alem, D. Feitelson, IEEE TPDS 12(6), 2001, section 2; that later jobs may move at the
next end, after earlier ones have left room, is how PYSS does it.
"""

from collections.abc import MutableSequence, Sequence

from predictor.engine import store
from predictor.engine.heap import Heap
from verification.traces.profile import Profile

FAR = 1 << 62
"""Later than any instant."""


class Conservative:
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
        self.profile = Profile(2 * self.jobs + 2, free)
        self.starts = store.numbers(self.jobs)
        self.tickets = store.numbers(self.jobs)
        self.waiting = store.numbers(self.jobs)
        self.ended = store.numbers(self.jobs)
        self.ends = Heap(self.jobs)
        self.due = Heap(self.jobs)
        self.waiting_count = 0
        self.ended_count = 0
        self.submitted = 0
        self.started = 0
        self.ticket = 0
        self.now = 0
        self.next_start_at = FAR
        self.dirty = 0

    def replay(self, per_event: int) -> None:
        """Let all jobs start.

        `per_event`: submissions are handled before ends, and the queue is gone through after each
        single end, not once for all of an instant.
        """
        while self.submitted < self.jobs or self.waiting_count > 0 or self.ends.size > 0:
            self._advance()
            if per_event:
                self._submit()
                for index in range(self.ended_count):
                    self._release(self.ended[index])
                    self._move_up()
            else:
                for index in range(self.ended_count):
                    self._release(self.ended[index])
                if self.ended_count > 0:
                    self._move_up()
                self._submit()
            self._start_due()

    def result(self) -> MutableSequence[int]:
        """Return when each job started."""
        return self.starts

    def _advance(self) -> None:
        """Move the clock to the next event and gather the jobs that end then, in order of start."""
        self.now = self.next_start_at
        if self.submitted < self.jobs:
            self.now = min(self.now, self.submits[self.submitted])
        if self.ends.size > 0:
            self.now = min(self.now, self.ends.at[0])
        self.profile.forget_before(self.now)
        self.ended_count = 0
        while self.ends.size > 0 and self.ends.at[0] == self.now:
            self.ended[self.ended_count] = self.ends.who[0]
            self.ended_count += 1
            self.ends.pop()

    def _release(self, job: int) -> None:
        """Give back what a job that has just ended was expected to use."""
        if self.runs[job] < self.limits[job]:
            self.profile.add(self.now, self.starts[job] + self.limits[job], self.procs[job])
            self.dirty = 1

    def _submit(self) -> None:
        while self.submitted < self.jobs and self.submits[self.submitted] == self.now:
            job = self.submitted
            self.submitted += 1
            start_at = self.profile.earliest(self.now, self.procs[job], self.limits[job], FAR)
            self._place(job, start_at)
            self.waiting[self.waiting_count] = job
            self.waiting_count += 1

    def _move_up(self) -> None:
        """After an end, let each job that waits move to an earlier place.

        Without room given back since the last time, and without a move then, there is none.
        """
        if not self.dirty:
            return
        self.dirty = 0
        for index in range(self.waiting_count):
            job = self.waiting[index]
            planned_at = self.starts[job]
            if planned_at <= self.now:
                continue
            limit_s = self.limits[job]
            start_at = self.profile.earliest(self.now, self.procs[job], limit_s, planned_at)
            if start_at < planned_at:
                self.profile.add(planned_at, planned_at + limit_s, self.procs[job])
                self._place(job, start_at)
                self.dirty = 1

    def _place(self, job: int, start_at: int) -> None:
        self.profile.add(start_at, start_at + self.limits[job], -self.procs[job])
        self.starts[job] = start_at
        self.tickets[job] = self.ticket
        self.ticket += 1
        self.next_start_at = min(self.next_start_at, start_at)

    def _start_due(self) -> None:
        """Start those whose time has come, in the order in which they were placed."""
        if self.next_start_at > self.now:
            return
        self._gather_due()
        while self.due.size > 0:
            job = self.due.who[0]
            self.due.pop()
            self.ends.push(self.now + self.runs[job], self.started, job)
            self.started += 1

    def _gather_due(self) -> None:
        kept = 0
        self.next_start_at = FAR
        for index in range(self.waiting_count):
            job = self.waiting[index]
            if self.starts[job] == self.now:
                self.due.push(self.tickets[job], 0, job)
            else:
                self.next_start_at = min(self.next_start_at, self.starts[job])
                self.waiting[kept] = job
                kept += 1
        self.waiting_count = kept
