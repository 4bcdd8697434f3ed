"""The plan on a machine of any kind: reservations have their nodes."""

from bisect import bisect_left

from verification.experiments.course import Queued, Running
from verification.experiments.schedulers.plans import FAR, Reserved
from verification.experiments.schedulers.protocol import Floor
from verification.experiments.state import Need, Places, fit

Own = tuple[int, int, Places]
"""What is a job's own already: from when until when, and where."""
NOTHING: Own = (FAR, FAR, ())


class Step:
    """What is free from one instant to the next."""

    __slots__ = ("fits", "free", "totals")

    def __init__(self, free: list[list[int]]) -> None:
        self.free = free
        self.fits: dict[Need, list[int]] = {}
        """How many units of a kind fit on each node, for kinds that were asked for."""
        self.totals: dict[Need, int] = {}

    def copy(self) -> "Step":
        """Return another of which as much is free."""
        other = Step([list(column) for column in self.free])
        other.fits = {need: list(fits) for need, fits in self.fits.items()}
        other.totals = dict(self.totals)
        return other

    def ready(self, need: Need) -> None:
        """Know how many units of a kind fit."""
        if need not in self.fits:
            nodes = range(len(self.free[0]))
            self.fits[need] = [fit(need, self.free, node) for node in nodes]
            self.totals[need] = sum(self.fits[need])

    def add(self, need: Need, places: Places, sign: int) -> None:
        """Let so much more be free."""
        for resource, amount in need:
            column = self.free[resource]
            for node, units in places:
                column[node] += sign * amount * units
        for other, fits in self.fits.items():
            more = 0
            for node, _ in places:
                found = fit(other, self.free, node)
                more += found - fits[node]
                fits[node] = found
            self.totals[other] += more


class PlacedPlan:
    """All that runs and is reserved, node by node.

    Who may start at once goes where the allocator says, if that is free for long enough; others
    get the first nodes that are. Costs grow with steps and nodes.
    """

    def __init__(self, free: list[list[int]]) -> None:
        """Plan for a machine of which so much is free, by resource, then node."""
        self._instants = [0]
        self._steps = [Step([list(column) for column in free])]

    def forget_before(self, now_s: int) -> None:
        """Drop what is over."""
        over = bisect_left(self._instants, now_s + 1) - 1
        if over > 0:
            del self._instants[:over], self._steps[:over]

    def reserve(self, reserved: Reserved, floor: Floor) -> None:
        """Reserve for a job as early as it delays nobody."""
        start_s, fits = self._opening(reserved.queued, floor.now_s, NOTHING)
        self._place(reserved, start_s, fits, floor)

    def moves(self, reserved: Reserved, floor: Floor) -> bool:
        """Move a reservation to the earliest place, if that is earlier; return whether it is."""
        own = (reserved.start_s, reserved.end_s, reserved.places or ())
        start_s, fits = self._opening(reserved.queued, floor.now_s, own)
        if start_s >= reserved.start_s:
            return False
        self._add(reserved.queued.shape.need, own[2], own[0], own[1], 1)
        self._place(reserved, start_s, fits, floor)
        return True

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

    def _place(self, reserved: Reserved, start_s: int, fits: list[int], floor: Floor) -> None:
        queued = reserved.queued
        reserved.start_s = start_s
        reserved.places = self._allocated(queued, fits, floor) if start_s == floor.now_s else None
        if reserved.places is None:
            reserved.places = _first(fits, queued.units)
        self._add(queued.shape.need, reserved.places, start_s, reserved.end_s, -1)

    def _opening(self, queued: Queued, now_s: int, own: Own) -> tuple[int, list[int]]:
        """Return from when on a job fits, and how much of it fits on each node all the while.

        Where it has a reservation of its own, no opening behind that is asked for. Linear in the
        steps but for those that are looked at for several beginnings.
        """
        need, units, lasts_s = queued.shape.need, queued.units, queued.planned_s
        instants, first = self._instants, 0
        before = bisect_left(instants, own[0])
        while first < before:
            start_s = max(instants[first], now_s)
            end = bisect_left(instants, start_s + lasts_s)
            if end > before:
                return self._opening_into(queued, now_s, first, own)
            blocked, fits = self._room(need, units, first, end)
            if blocked < 0:
                return start_s, fits
            # Who begins before the end of that step needs it, and all until there as well.
            first = blocked + 1
        return own[0], self._steps[-1].fits.get(need, [])

    def _room(self, need: Need, units: int, first: int, end: int) -> tuple[int, list[int]]:
        """Return the last of these steps from which on there is no room; -1: there is.

        With it comes how much fits on each node from there on.
        """
        for number in range(end - 1, first - 1, -1):
            step = self._steps[number]
            step.ready(need)
            if step.totals[need] < units:
                return number, []
        fits = self._steps[end - 1].fits[need]
        for number in range(end - 2, first - 1, -1):
            fits = list(map(min, fits, self._steps[number].fits[need]))
            if sum(fits) < units:
                return number, fits
        return -1, fits

    def _opening_into(
        self, queued: Queued, now_s: int, first: int, own: Own
    ) -> tuple[int, list[int]]:
        """Return the opening of a job that would run on into its own reservation; as `_opening`.

        What it holds there already is free to it.
        """
        need, units, lasts_s = queued.shape.need, queued.units, queued.planned_s
        done = before = bisect_left(self._instants, own[0])
        rooms = self._rooms(need, units, first, before)
        nodes = [node for node, fits in enumerate(rooms[0]) if fits] if rooms else []
        more, left = dict(own[2]), [units] * len(nodes)
        for number, room in enumerate(reversed(rooms), start=before - len(rooms)):
            start_s = max(self._instants[number], now_s)
            end = bisect_left(self._instants, start_s + lasts_s)
            while done < end and sum(left) >= units:
                step, done = self._steps[done], done + 1
                step.ready(need)
                fits = step.fits[need]
                there = (fits[node] + more.get(node, 0) for node in nodes)
                left = list(map(min, left, there))
            if sum(left) < units:
                break
            found = [0] * len(room)
            for node, most in zip(nodes, left, strict=True):
                found[node] = min(room[node], most)
            if sum(found) >= units:
                return start_s, found
        return own[0], self._steps[-1].fits.get(need, [])

    def _rooms(self, need: Need, units: int, first: int, before: int) -> list[list[int]]:
        """Return how much fits on each node from a step until `before`, for the last step first.

        It ends with the first step, or the last one from which on there is room.
        """
        rooms: list[list[int]] = []
        for number in range(before - 1, first - 1, -1):
            step = self._steps[number]
            step.ready(need)
            fits = step.fits[need]
            if rooms:
                fits = list(map(min, rooms[-1], fits))
            if step.totals[need] < units or sum(fits) < units:
                break
            rooms.append(fits)
        return rooms

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
            step.add(need, places, sign)
        self._join(last)
        self._join(first)

    def _step_from(self, at_s: int) -> int:
        """Return the step that begins at an instant, which is made if there is none."""
        place = bisect_left(self._instants, at_s)
        if place == len(self._instants) or self._instants[place] != at_s:
            self._instants.insert(place, at_s)
            self._steps.insert(place, self._steps[place - 1].copy())
        return place

    def _join(self, place: int) -> None:
        """Drop a step of which as much is free as of the one before it."""
        if place and self._steps[place].free == self._steps[place - 1].free:
            del self._instants[place], self._steps[place]


def _first(fits: list[int], units: int) -> Places:
    """Return places on the first nodes."""
    places = []
    for node, most in enumerate(fits):
        if most and units:
            places.append((node, min(most, units)))
            units -= places[-1][1]
    return places
