"""What is free when, given who runs and all reservations of those who wait."""

from typing import Final, Protocol

from verification.experiments.course import Queued, Running
from verification.experiments.schedulers.protocol import Floor
from verification.experiments.state import Places
from verification.traces.profile import Profile

FAR: Final = 1 << 62
"""Later than any instant."""


class Reserved:
    """A job that waits, and what is reserved for it."""

    __slots__ = ("places", "queued", "start_s", "ticket")

    def __init__(self, queued: Queued) -> None:
        self.queued = queued
        self.start_s = FAR
        self.places: Places | None = None
        """None: whatever the allocator chooses when the time comes."""
        self.ticket = 0
        """Counts reservations in the order in which they were made."""

    @property
    def end_s(self) -> int:
        """When it would end."""
        return self.start_s + self.queued.planned_s


class Plan(Protocol):
    """All that runs and is reserved."""

    def forget_before(self, now_s: int) -> None:
        """Drop what is over."""
        ...

    def reserve(self, reserved: Reserved, floor: Floor) -> None:
        """Reserve for a job as early as it delays nobody."""
        ...

    def moves(self, reserved: Reserved, floor: Floor) -> bool:
        """Move a reservation to the earliest place, if that is earlier; return whether it is."""
        ...

    def release(self, running: Running, since_s: int, until_s: int) -> None:
        """Expect what a running job holds to be free for that time."""
        ...

    def hold(self, running: Running, since_s: int) -> None:
        """Expect a job to run from then on."""
        ...

    def keep(self, reserved: Reserved) -> None:
        """Take over a reservation as it is."""
        ...


class CountedPlan:
    """The plan where all jobs come in units of one kind: counting units is enough."""

    def __init__(self, units: int, jobs: int) -> None:
        """Plan for the empty machine, and for no more than so many jobs at a time."""
        # A job adds two steps at most, and one that moves two more for a moment.
        self._profile = Profile(2 * jobs + 8, units)

    def forget_before(self, now_s: int) -> None:
        """Drop what is over."""
        self._profile.forget_before(now_s)

    def reserve(self, reserved: Reserved, floor: Floor) -> None:
        """Reserve for a job as early as it delays nobody."""
        units, lasts_s = reserved.queued.units, reserved.queued.planned_s
        reserved.start_s = self._profile.earliest(floor.now_s, units, lasts_s, FAR)
        self._profile.add(reserved.start_s, reserved.end_s, -units)

    def moves(self, reserved: Reserved, floor: Floor) -> bool:
        """Move a reservation to the earliest place, if that is earlier; return whether it is."""
        units, lasts_s = reserved.queued.units, reserved.queued.planned_s
        start_s = self._profile.earliest(floor.now_s, units, lasts_s, reserved.start_s)
        if start_s >= reserved.start_s:
            return False
        self._profile.add(reserved.start_s, reserved.end_s, units)
        reserved.start_s = start_s
        self._profile.add(reserved.start_s, reserved.end_s, -units)
        return True

    def release(self, running: Running, since_s: int, until_s: int) -> None:
        """Expect what a running job holds to be free for that time."""
        self._profile.add(since_s, until_s, running.queued.units)

    def hold(self, running: Running, since_s: int) -> None:
        """Expect a job to run from then on."""
        self._profile.add(since_s, running.expected_end_s, -running.queued.units)

    def keep(self, reserved: Reserved) -> None:
        """Take over a reservation as it is."""
        self._profile.add(reserved.start_s, reserved.end_s, -reserved.queued.units)
