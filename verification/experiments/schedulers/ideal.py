"""A scheduler that plans everybody who waits whenever something happens: a yardstick for others.

With true durations it shows what could be reached; nobody could run it on a large machine. It
takes the machine as one pool of each resource, and plans no more than the oldest `MOST_PLANNED` of
those who wait.
"""

from typing import Final

from verification.experiments.course import Queued
from verification.experiments.machine import Machine
from verification.experiments.planning.problem import (
    WEIGHTS,
    Amounts,
    Busy,
    Problem,
    Task,
)
from verification.experiments.planning.solver import check_installed, solve
from verification.experiments.schedulers.protocol import Floor, Scheduler

MOST_PLANNED: Final = 100
WORK: Final = 0.05
"""Of the solver for one plan, in its deterministic seconds."""


class Ideal(Scheduler):
    """Starts whom the cheapest plan found starts now."""

    def __init__(self, machine: Machine, aim: str, work: float = WORK) -> None:
        """`aim` is a name among `WEIGHTS`. Raises QueuecastError if there is no solver."""
        check_installed()
        self._capacity = tuple(machine.total(name) for name in machine.resources)
        self._weight = WEIGHTS[aim]
        self._work = work
        self._queue: list[Queued] = []

    def submit(self, queued: Queued, floor: Floor) -> bool:
        """Let a job wait."""
        self._queue.append(queued)
        return True

    def dispatch(self, floor: Floor) -> None:
        """Start whoever starts now by plan; without a choice there is nothing to plan."""
        planned = self._queue[:MOST_PLANNED]
        if not any(map(floor.fits, planned)):
            return
        problem = self._problem(planned, floor)
        if not problem.has_room_for_all:
            starts = solve(problem, self._work).starts
            planned = [one for one, at in zip(planned, starts, strict=True) if at == 0]
        started = set()
        for queued in planned:
            # The pool has room; whether nodes have is known only here.
            if floor.fits(queued):
                floor.start(queued)
                started.add(queued.rank)
        self._queue = [queued for queued in self._queue if queued.rank not in started]

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return len(self._queue)

    def _problem(self, planned: list[Queued], floor: Floor) -> Problem:
        busy = (
            Busy(
                for_s=max(1, running.expected_end_s - floor.now_s),
                amounts=self._amounts(running.queued),
            )
            for running in floor.running
        )
        tasks = (
            Task(
                amounts=self._amounts(queued),
                lasts_s=queued.planned_s,
                weight=self._weight(queued.planned_s),
            )
            for queued in planned
        )
        return Problem(capacity=self._capacity, busy=tuple(busy), tasks=tuple(tasks))

    def _amounts(self, queued: Queued) -> Amounts:
        amounts = [0] * len(self._capacity)
        for resource, amount in queued.shape.need:
            amounts[resource] = amount * queued.units
        return tuple(amounts)
