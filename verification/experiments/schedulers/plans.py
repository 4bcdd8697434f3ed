"""What is free when, given who runs and all reservations of those who wait."""

from bisect import bisect_left
from collections.abc import Iterator
from typing import Final, Protocol

from verification.experiments.course import Queued, Running
from verification.experiments.schedulers.protocol import Floor
from verification.experiments.state import Need, Places, fit
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


class _Step:
    """From one instant to the next: what is free."""

    __slots__ = ("fits", "free")

    def __init__(self, free: list[list[int]]) -> None:
        self.free = free
        self.fits: dict[Need, list[int]] = {}
        """How many units of a kind fit on each node, for kinds that were asked for."""

    def of(self, need: Need) -> list[int]:
        found = self.fits.get(need)
        if found is None:
            nodes = range(len(self.free[0]))
            found = self.fits[need] = [fit(need, self.free, node) for node in nodes]
        return found


class PlacedPlan:
    """The plan on a machine of any kind: reservations have their nodes.

    Who may start at once goes where the allocator says, if that is free for long enough; others
    get the first nodes that are. Costs grow with steps and nodes: meant for small machines.
    """

    def __init__(self, free: list[list[int]]) -> None:
        """Plan for a machine of which so much is free, by resource, then node."""
        self._instants = [0]
        self._steps = [_Step([list(column) for column in free])]

    def forget_before(self, now_s: int) -> None:
        """Drop what is over."""
        over = bisect_left(self._instants, now_s + 1) - 1
        if over > 0:
            del self._instants[:over], self._steps[:over]

    def reserve(self, reserved: Reserved, floor: Floor) -> None:
        """Reserve for a job as early as it delays nobody."""
        queued, now_s = reserved.queued, floor.now_s
        for start_s, fits in self._openings(queued, now_s):
            reserved.start_s = start_s
            reserved.places = self._allocated(queued, fits, floor) if start_s == now_s else None
            if reserved.places is None:
                reserved.places = _first(fits, queued.units)
            break
        self._add(queued.shape.need, reserved.places or (), reserved.start_s, reserved.end_s, -1)

    def moves(self, reserved: Reserved, floor: Floor) -> bool:
        """Move a reservation to the earliest place, if that is earlier; return whether it is."""
        before_s, places = reserved.start_s, reserved.places or ()
        need = reserved.queued.shape.need
        self._add(need, places, before_s, reserved.end_s, 1)
        self.reserve(reserved, floor)
        if reserved.start_s < before_s:
            return True
        self._add(need, reserved.places or (), reserved.start_s, reserved.end_s, 1)
        reserved.start_s, reserved.places = before_s, places
        self._add(need, places, before_s, reserved.end_s, -1)
        return False

    def release(self, running: Running, since_s: int, until_s: int) -> None:
        """Expect what a running job holds to be free for that time."""
        self._add(running.queued.shape.need, running.places, since_s, until_s, 1)

    def hold(self, running: Running, since_s: int) -> None:
        """Expect a job to run from then on."""
        until_s = running.expected_end_s
        self._add(running.queued.shape.need, running.places, since_s, until_s, -1)

    def keep(self, reserved: Reserved) -> None:
        """Take over a reservation as it is."""
        need, places = reserved.queued.shape.need, reserved.places or ()
        self._add(need, places, reserved.start_s, reserved.end_s, -1)

    def _openings(self, queued: Queued, now_s: int) -> Iterator[tuple[int, list[int]]]:
        """Yield from when on a job fits, and how much of it fits on each node all the while."""
        need, units = queued.shape.need, queued.units
        for first, instant in enumerate(self._instants):
            start_s = max(instant, now_s)
            fits, enough = self._steps[first].of(need), True
            for step in range(first, len(self._instants)):
                if self._instants[step] >= start_s + queued.planned_s:
                    break
                fits = list(map(min, fits, self._steps[step].of(need)))
                enough = sum(fits) >= units
                if not enough:
                    break
            if enough:
                yield start_s, fits

    def _allocated(self, queued: Queued, fits: list[int], floor: Floor) -> Places | None:
        """Return where the allocator puts a job now, if that stays free; None: it does not."""
        if not floor.fits(queued):
            return None
        places = floor.places(queued)
        return places if all(fits[node] >= units for node, units in places) else None

    def _add(self, need: Need, places: Places, since_s: int, until_s: int, sign: int) -> None:
        """Let so much more be free in [since_s, until_s)."""
        if since_s >= until_s:
            return
        first = self._step_from(since_s)
        last = self._step_from(until_s)
        for step in self._steps[first:last]:
            step.fits.clear()
            for resource, amount in need:
                free = step.free[resource]
                for node, units in places:
                    free[node] += sign * amount * units

    def _step_from(self, at_s: int) -> int:
        """Return the step that begins at an instant, which is made if there is none."""
        place = bisect_left(self._instants, at_s)
        if place == len(self._instants) or self._instants[place] != at_s:
            before = self._steps[place - 1]
            self._instants.insert(place, at_s)
            self._steps.insert(place, _Step([list(column) for column in before.free]))
        return place


def _first(fits: list[int], units: int) -> Places:
    """Return places on the first nodes."""
    places = []
    for node, most in enumerate(fits):
        if most and units:
            places.append((node, min(most, units)))
            units -= places[-1][1]
    return places
