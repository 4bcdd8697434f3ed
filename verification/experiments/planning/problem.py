"""Jobs that wait for a machine taken as one pool of each resource, and what a plan of them costs.

Whoever plans so is told less than there is to heed: a plan may call for a start that no node has
room for.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

Amounts = tuple[int, ...]
"""So much of each resource, in the order of the machine's."""

SCALE: Final = 10**7
"""Costs are whole numbers, so that plans compare exactly."""
SHORTEST_S: Final = 10
"""Run times below it count as so long in a slowdown, as usual."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A job that waits."""

    amounts: Amounts
    """No more than the machine has."""
    lasts_s: int
    """At least 1."""
    weight: int
    """What a second of waiting costs, at least 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Busy:
    """What running jobs hold until they end."""

    for_s: int
    """At least 1."""
    amounts: Amounts


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What there is to plan. Time counts from now, in seconds."""

    capacity: Amounts
    busy: tuple[Busy, ...]
    tasks: tuple[Task, ...]

    @property
    def all_amounts(self) -> Sequence[Amounts]:
        """What each task wants, then what each running job holds."""
        return [*(task.amounts for task in self.tasks), *(busy.amounts for busy in self.busy)]

    @property
    def has_room_for_all(self) -> bool:
        """Whether all tasks can start now."""
        wanted = map(sum, zip(*self.all_amounts, strict=True))
        return all(one <= there for one, there in zip(wanted, self.capacity, strict=True))


Starts = tuple[int, ...]
"""When each task starts, in seconds from now."""


def weight_by_slowdown(lasts_s: int) -> int:
    """Return what a second of waiting adds to the bounded slowdown, in parts of `1 / SCALE`.

    Of jobs of less than `SHORTEST_S` the first seconds are free in that measure; here they count.
    """
    return max(1, SCALE // max(SHORTEST_S, lasts_s))


def weight_by_wait(lasts_s: int) -> int:
    """Return the same for all: the sum of waits is to be small."""
    return 1


WEIGHTS: Final[Mapping[str, Callable[[int], int]]] = MappingProxyType(
    {"slowdown": weight_by_slowdown, "wait": weight_by_wait}
)
"""What is to be small: from how long a job lasts, what a second of its waiting costs."""


def cost(problem: Problem, starts: Sequence[int]) -> int:
    """Return what a plan costs: the weighted sum of the waits from now on."""
    return sum(task.weight * start for task, start in zip(problem.tasks, starts, strict=True))


def placed(problem: Problem, order: Iterable[int]) -> Starts:
    """Return the starts of tasks that, in this order, each start as early as there is room.

    Every plan that nobody can improve by starting one task sooner is found by some order.
    """
    profile = Profile(problem)
    starts = [0] * len(problem.tasks)
    for number in order:
        task = problem.tasks[number]
        starts[number] = profile.earliest(task)
        profile.take(task.amounts, starts[number], starts[number] + task.lasts_s)
    return tuple(starts)


def best_simple(problem: Problem) -> Starts:
    """Return the cheapest of the plans by simple orders; it may be far from the best of all."""
    tasks = problem.tasks
    capacity = problem.capacity

    def share(task: Task) -> float:
        return max(one / all_ for one, all_ in zip(task.amounts, capacity, strict=True) if all_)

    orders = (
        list(range(len(tasks))),
        sorted(range(len(tasks)), key=lambda number: tasks[number].lasts_s),
        # Smith's rule, with the task's share of the machine for its width.
        sorted(
            range(len(tasks)),
            key=lambda n: tasks[n].lasts_s * share(tasks[n]) / tasks[n].weight,
        ),
        sorted(range(len(tasks)), key=lambda n: share(tasks[n]) / tasks[n].weight),
    )
    plans = (placed(problem, order) for order in orders)
    return min(plans, key=lambda starts: cost(problem, starts))


class Profile:
    """What will be free of each resource, in steps."""

    def __init__(self, problem: Problem) -> None:
        self._at = [0]
        self._free = [list(problem.capacity)]
        for busy in problem.busy:
            self.take(busy.amounts, 0, busy.for_s)

    def earliest(self, task: Task) -> int:
        """Return from when on there is room for a task for as long as it lasts."""
        number = first = 0
        while number < len(self._at):
            if self._at[number] >= self._at[first] + task.lasts_s:
                break
            if any(f < a for f, a in zip(self._free[number], task.amounts, strict=True)):
                first = number + 1
            number += 1
        return self._at[first]

    def take(self, amounts: Amounts, since_s: int, until_s: int) -> None:
        """Let so much be taken in [since, until)."""
        first, last = self._step(since_s), self._step(until_s)
        for free in self._free[first:last]:
            for resource, amount in enumerate(amounts):
                free[resource] -= amount

    def _step(self, at_s: int) -> int:
        """Return the number of the step that begins then, making one if there is none."""
        number = bisect_left(self._at, at_s)
        if number == len(self._at) or self._at[number] != at_s:
            self._at.insert(number, at_s)
            self._free.insert(number, list(self._free[number - 1]))
        return number
