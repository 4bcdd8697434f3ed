"""Conservative backfilling: every job gets a reservation when it is submitted.

When a job ends before it was expected to, those that wait are gone through in order of submission,
and each moves to the earliest place that it finds then. When one outlives what was expected of it,
promises cannot be kept: all that wait are planned anew, in order of submission.
Source: A. Mu'alem, D. Feitelson, IEEE TPDS 12(6), 2001, section 2.
"""

from typing import Final

from verification.experiments.course import Queued, Running
from verification.experiments.machine import Machine
from verification.experiments.schedulers.placed_plan import PlacedPlan
from verification.experiments.schedulers.plans import FAR, CountedPlan, Plan, Reserved
from verification.experiments.schedulers.protocol import Floor, Scheduler

FEWEST: Final = 64


class Conservative(Scheduler):
    """All who wait have a reservation, and start when its time comes."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._plan: Plan | None = None
        self._room = FEWEST
        """For so many jobs the plan has room."""
        self._new: list[Queued] = []
        self._waiting: list[Reserved] = []
        """In order of submission."""
        self._next_s = FAR
        """When the first reservation begins."""
        self._tickets = 0
        self._ended = False
        self._released = False
        """Whether somebody left room, or moved, since all were last asked to move."""
        self._broken = False
        """Whether the plan no longer holds."""

    def submit(self, queued: Queued, floor: Floor) -> bool:
        """Let a job wait."""
        self._new.append(queued)
        return True

    def dispatch(self, floor: Floor) -> None:
        """Let who waits move up, reserve for who is new, and start those whose time has come."""
        plan = self._kept(floor)
        plan.forget_before(floor.now_s)
        if self._ended and self._released:
            self._move_up(plan, floor)
        self._ended = False
        for queued in self._new:
            self._reserve(plan, Reserved(queued), floor)
        self._new = []
        if self._next_s <= floor.now_s:
            self._start_due(floor)

    def _kept(self, floor: Floor) -> Plan:
        """Return the plan, made anew if it no longer holds or has no room."""
        jobs = len(floor.running) + len(self._waiting) + len(self._new)
        if self._plan is None or self._broken or jobs > self._room:
            self._room = max(FEWEST, self._room, 2 * jobs if jobs > self._room else 0)
            self._plan = self._drawn(floor)
        return self._plan

    def _drawn(self, floor: Floor) -> Plan:
        plan = self._empty(floor)
        for running in floor.running:
            plan.hold(running, floor.now_s)
        if self._broken:
            waiting, self._waiting = self._waiting, []
            self._broken, self._released, self._next_s = False, False, FAR
            for reserved in waiting:
                self._reserve(plan, Reserved(reserved.queued), floor)
        else:
            for reserved in self._waiting:
                plan.keep(reserved)
        return plan

    def _empty(self, floor: Floor) -> Plan:
        if not self._machine.one_kind:
            return PlacedPlan(floor.state.capacity)
        shapes = floor.state.shapes.values()
        return CountedPlan(max(shape.most for shape in shapes), self._room)

    def _move_up(self, plan: Plan, floor: Floor) -> None:
        self._released, now_s = False, floor.now_s
        for reserved in self._waiting:
            if reserved.start_s > now_s and plan.moves(reserved, floor):
                self._ticket(reserved)
                self._released = True

    def _reserve(self, plan: Plan, reserved: Reserved, floor: Floor) -> None:
        plan.reserve(reserved, floor)
        self._waiting.append(reserved)
        self._ticket(reserved)

    def _ticket(self, reserved: Reserved) -> None:
        reserved.ticket = self._tickets
        self._tickets += 1
        self._next_s = min(self._next_s, reserved.start_s)

    def _start_due(self, floor: Floor) -> None:
        """Start those whose time has come, in the order in which they were placed."""
        due = [one for one in self._waiting if one.start_s <= floor.now_s]
        self._waiting = [one for one in self._waiting if one.start_s > floor.now_s]
        self._next_s = min((one.start_s for one in self._waiting), default=FAR)
        for reserved in sorted(due, key=lambda one: one.ticket):
            floor.start(reserved.queued, reserved.places)

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return len(self._waiting) + len(self._new)

    @property
    def wakes_at_s(self) -> int | None:
        """When the first reservation begins."""
        return self._next_s if self._next_s < FAR else None

    def ended(self, running: Running, floor: Floor) -> None:
        """Take note that a job has ended, perhaps earlier than expected."""
        self._ended = True
        if floor.now_s < running.expected_end_s:
            self._release(running, floor.now_s, running.expected_end_s)

    def expects(self, running: Running, before_s: int, floor: Floor) -> None:
        """Take note that a running job is now expected to end at another instant."""
        if running.expected_end_s > before_s:
            self._broken = True
        else:
            self._ended = True
            self._release(running, running.expected_end_s, before_s)

    def _release(self, running: Running, since_s: int, until_s: int) -> None:
        if self._plan is not None and not self._broken:
            self._plan.release(running, since_s, until_s)
        self._released = True
