"""The event loop: jobs come in order of submission, wait, run, and go as they end."""

import math
from collections.abc import Callable, Collection, Iterator
from typing import Final, Protocol

from predictor.engine.heap import Heap
from predictor.errors import QueuecastError
from verification.experiments.allocators.protocol import Allocator
from verification.experiments.course import Queued, Running
from verification.experiments.durations import Durations
from verification.experiments.jobs import Job
from verification.experiments.rate import Company, Rate
from verification.experiments.schedulers.protocol import Scheduler
from verification.experiments.state import Places, State

FAR: Final = 1 << 62
"""Later than any instant."""
MOST_DUE: Final = 1024
"""So many jobs run before the heap of their ends must grow."""
LATEST: Final = 1 << 61
"""Until then seconds are counted."""

Nanoseconds = Callable[[], int]
"""A clock of CPU time."""


class Watcher(Protocol):
    """Is told what happens, in order of time."""

    def refused(self, rank: int, job: Job, too_large: bool) -> None:
        """Take note of a job that will not run: the machine is too small, or it was rejected.

        `rank` counts submissions.
        """
        ...

    def dispatched(self, waiting: int, cpu_ns: int) -> None:
        """Take note of what it took to ask the scheduler while so many waited."""
        ...

    def settled(self, now_s: int, waiting: int, wanted_cores: int, state: State) -> None:
        """Take note of how things stand from now on; those who wait ask for so many cores."""
        ...

    def ended(self, rank: int, running: Running) -> None:
        """Take note of a job that is over."""
        ...


class Loop:
    """One replay, and the floor that its scheduler works on."""

    def __init__(
        self,
        state: State,
        scheduler: Scheduler,
        allocator: Allocator,
        durations: Durations,
        watcher: Watcher,
        cpu: Nanoseconds,
        rate: Rate | None = None,
    ) -> None:
        """`rate` None: every job runs at speed 1, wherever it is."""
        self.now_s = 0
        self.state = state
        self.rate = rate
        self.company = Company(state.machine.nodes) if rate else None
        self._scheduler = scheduler
        self._allocator = allocator
        self._durations = durations
        self._watcher = watcher
        self._cpu = cpu
        self._running: dict[int, Running] = {}
        self._due = Heap(MOST_DUE)
        """When jobs end, or outlive what was expected, by rank; some entries no longer hold."""
        self._changed: list[int] = []
        """Nodes on which somebody started or ended at this instant."""
        self._new: list[Queued] = []
        self._rank = 0
        self._serial = 0
        self._wanted_cores = 0

    def run(self, jobs: Iterator[Job]) -> None:
        """Let all jobs run that the machine and the scheduler take.

        Raises QueuecastError if a scheduler leaves jobs waiting that nothing keeps back, or if time
        runs out.
        """
        scheduler, due = self._scheduler, self._due
        coming = next(jobs, None)
        while True:
            wakes = scheduler.wakes_at_s
            now = min(
                coming.submit_s if coming else FAR,
                due.at[0] if due.size else FAR,
                FAR if wakes is None else wakes,
            )
            if now == FAR:
                break
            if now > LATEST:
                raise QueuecastError("jobs run on for longer than seconds are counted")
            self.now_s = now
            while due.size and due.at[0] == now:
                rank = due.who[0]
                due.pop()
                self._happens(rank)
            while coming and coming.submit_s == now:
                self._submit(coming)
                coming = next(jobs, None)
            self._dispatch()
        if scheduler.waiting:
            raise QueuecastError(
                f"the scheduler starts nobody of {scheduler.waiting} jobs on an empty machine"
            )

    @property
    def running(self) -> Collection[Running]:
        """All jobs that run, in order of start."""
        return self._running.values()

    def fits(self, queued: Queued) -> bool:
        """Return whether a job may start now."""
        return queued.shape.total >= queued.units

    def places(self, queued: Queued) -> Places:
        """Return where a job that fits would run, should it start now."""
        return self._allocator.place(queued)

    def start(self, queued: Queued, places: Places | None = None) -> Running:
        """Start a job that fits now, there, or where the allocator puts it (None)."""
        if places is None:
            places = self._allocator.place(queued)
        self._allocator.started(queued)
        self.state.take(queued.shape, places)
        self._wanted_cores -= queued.shape.cores * queued.units
        running = Running(queued, self.now_s, places)
        self._running[queued.rank] = running
        if self.company is not None:
            self.company.come(running)
            self._changed.extend([node for node, _ in places])
        self._expect(running)
        return running

    def _submit(self, job: Job) -> None:
        rank, self._rank = self._rank, self._rank + 1
        shape = self.state.shape(job.need)
        if shape.most < job.units:
            self._watcher.refused(rank, job, True)
            return
        queued = Queued(rank, job, shape, job.units, self._durations.planned_s(job))
        if self._scheduler.submit(queued, self):
            shape.users += 1
            self._allocator.submitted(queued)
            self._new.append(queued)
            self._wanted_cores += shape.cores * job.units
        else:
            self._watcher.refused(rank, job, False)

    def _dispatch(self) -> None:
        scheduler = self._scheduler
        waiting = scheduler.waiting
        if waiting:
            begun = self._cpu()
            scheduler.dispatch(self)
            self._watcher.dispatched(waiting, self._cpu() - begun)
        for queued in self._new:
            if queued.rank not in self._running:
                self._allocator.blocked(queued)
        self._new.clear()
        if self._changed:
            self._rescale()
        self._watcher.settled(self.now_s, scheduler.waiting, self._wanted_cores, self.state)

    def _happens(self, rank: int) -> None:
        """Let a job end, or be expected to run longer; an entry that no longer holds is nothing."""
        now, running = self.now_s, self._running.get(rank)
        if running is None:
            return
        if running.end_s <= now:
            self._end(running)
        elif running.expected_end_s <= now:
            before = running.expected_end_s
            done = _done_s(running, now)
            running.planned_s = self._durations.longer_s(running.queued.job, int(done))
            running.expected_end_s = now + _lasts_s(running.planned_s - done, running.speed)
            self._expect(running)
            self._scheduler.expects(running, before, self)

    def _end(self, running: Running) -> None:
        queued = running.queued
        del self._running[queued.rank]
        self.state.give(queued.shape, running.places)
        queued.shape.users -= 1
        if self.company is not None:
            self.company.go(running)
            self._changed.extend([node for node, _ in running.places])
        self._durations.learn(queued.job, self.now_s)
        self._scheduler.ended(running, self)
        self._watcher.ended(queued.rank, running)

    def _expect(self, running: Running) -> None:
        """Note when a job ends, or outlives what is expected of it before."""
        at = min(running.end_s, running.expected_end_s)
        self._due.push(at, self._serial, running.queued.rank)
        self._serial += 1

    def _rescale(self) -> None:
        """Let those whose company has changed run on at their new speed."""
        rate, company = self.rate, self.company
        if rate is None or company is None:
            return
        nodes, self._changed = dict.fromkeys(self._changed), []
        for running in company.touched(nodes):
            speed = rate.speed(running, company)
            if speed != running.speed:
                self._at_speed(running, speed)

    def _at_speed(self, running: Running, speed: float) -> None:
        now, before = self.now_s, running.expected_end_s
        running.done_s, running.since_s = _done_s(running, now), now
        running.speed = speed
        running.end_s = now + _lasts_s(running.queued.job.run_s - running.done_s, speed)
        running.expected_end_s = now + _lasts_s(running.planned_s - running.done_s, speed)
        self._expect(running)
        self._scheduler.expects(running, before, self)


def _done_s(running: Running, now: int) -> float:
    """Return how much of a job's work is done, in seconds at full speed."""
    return running.done_s + (now - running.since_s) * running.speed


def _lasts_s(work_s: float, speed: float) -> int:
    # What rounding errors leave of a second is not worth one.
    return max(1, math.ceil(work_s / speed - 1e-6))
