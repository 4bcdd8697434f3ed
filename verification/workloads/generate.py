"""Jobs drawn from a model, one after the other, for as long as anybody wants them."""

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import NamedTuple

from predictor.domain.durations import DAY_S, WEEK_S
from verification.workloads.cycle import DAYS, SLOT_S
from verification.workloads.habits import NEARLY, Habit, User
from verification.workloads.model import Model
from verification.workloads.picking import Picker


class Job(NamedTuple):
    """A generated job; -1 stands for what nobody knows, as in traces."""

    submit_s: int
    """From the begin of the trace."""
    run_s: int
    procs: int
    limit_s: int = -1
    user: int = -1
    executable: int = -1
    """Which of the user's habits this is, counted through all users from 1 on."""
    queue: int = -1
    partition: int = -1
    memory_kib: int = -1
    """Per processor."""


def generate(model: Model, seed: int) -> Iterator[Job]:
    """Yield jobs without end, by submit time. The same arguments give the same jobs.

    A week is held at a time: memory does not grow with what was generated.
    """
    source = Random(seed)  # noqa: S311 - no secret
    first = 1
    people = []
    for user in model.users:
        people.append(_Person(user, first, source))
        first += len(user.habits)
    slots = Picker(model.cycle.slots)
    begun = (model.begins_at + model.time_zone_s) // DAY_S
    waiting: list[Job] = []
    for week in count():
        days = [model.cycle.of_day(begun + week * DAYS + day) for day in range(DAYS)]
        busy, of_week = sum(days) / DAYS, Picker(days)
        for person in people:
            for start_s in person.starts(week * WEEK_S, busy, of_week, slots):
                for job in person.session(start_s):
                    heappush(waiting, job)
        while waiting and waiting[0].submit_s < (week + 1) * WEEK_S:
            yield heappop(waiting)


class _Person:
    """A user at work: whether this is a week with work, and what was done last."""

    def __init__(self, user: User, first: int, source: Random) -> None:
        self.user = user
        self.first = first
        self.source = source
        self.at_work = source.random() < user.active
        self.habits = Picker([habit.share for habit in user.habits])
        self.habit = self.habits.pick(source.random())
        self.last_s: dict[int, int] = {}

    def starts(self, week_s: int, busy: float, days: Picker, slots: Picker) -> list[int]:
        """Return when the sessions of the next week begin, ascending; `busy` is 1 on average."""
        draw = self.source.random
        sessions = 0
        if self.at_work:
            wanted = self.user.sessions.at(draw()) * busy
            sessions = int(wanted + draw())
        self._after_a_week()
        return sorted(
            week_s + days.pick(draw()) * DAY_S + slots.pick(draw()) * SLOT_S + int(draw() * SLOT_S)
            for _ in range(sessions)
        )

    def _after_a_week(self) -> None:
        """Stay at work or away so that both last as long as they did, on average."""
        user, chance = self.user, self.source.random()
        if user.active == 1:
            return
        leaves = 1 / user.weeks
        if self.at_work:
            self.at_work = chance >= leaves
        else:
            self.at_work = chance < leaves * user.active / (1 - user.active)

    def session(self, start_s: int) -> Iterator[Job]:
        """Yield the jobs of a session, ascending."""
        draw = self.source.random
        submit_s = float(start_s)
        for number in range(max(1, int(self.user.jobs.at(draw()) + 0.5))):
            if number:
                submit_s += self.user.gaps_s.at(draw())
            if draw() >= self.user.stay:
                self.habit = self.habits.pick(draw())
            habit = self.user.habits[self.habit]
            yield Job(
                submit_s=int(submit_s),
                run_s=self._run_s(habit),
                procs=habit.procs,
                limit_s=habit.limit_s or -1,
                user=self.user.number,
                executable=self.first + self.habit,
                queue=habit.queue,
                partition=habit.partition,
                memory_kib=habit.memory_kib,
            )

    def _run_s(self, habit: Habit) -> int:
        draw = self.source.random
        last_s = self.last_s.get(self.habit)
        if last_s is not None and draw() < self.user.repeat:
            drawn = last_s * (1 + NEARLY * (draw() - 0.5))
            longest = habit.limit_s if habit.limit_s and last_s <= habit.limit_s else drawn
            run_s = min(drawn, longest)
        else:
            run_s = habit.runs_s.at(draw())
        self.last_s[self.habit] = max(1, int(run_s + 0.5))
        return self.last_s[self.habit]
