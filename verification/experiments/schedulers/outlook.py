"""When a blocked job will be able to start, and who may start before it without delaying it."""

from collections.abc import Callable
from typing import Final, Protocol

from sortedcontainers import SortedKeyList

from verification.experiments.course import Queued, Running
from verification.experiments.machine import Machine
from verification.experiments.schedulers.protocol import Floor
from verification.experiments.state import Places, Shape, fit
from verification.traces.releases import Releases

FAR: Final = 1 << 62


class Outlook(Protocol):
    """Knows when running jobs are expected to end, and keeps a reservation for one blocked job."""

    def started(self, running: Running) -> None:
        """Take note of a job that runs."""
        ...

    def ended(self, running: Running) -> None:
        """Take note of a job that runs no longer."""
        ...

    def expects(self, running: Running, before_s: int) -> None:
        """Take note that a job was expected to end at another instant before."""
        ...

    def reserve(self, head: Queued, floor: Floor) -> None:
        """Reserve for a job that does not fit now, from when it is expected to fit."""
        ...

    def starts(self, queued: Queued, floor: Floor) -> bool:
        """Start a job if it fits now and the reservation allows it; return whether it did."""
        ...

    def closed_to(self, queued: Queued, fewest: int, floor: Floor) -> bool:
        """Return whether surely nobody starts who runs as long or longer and has so many units."""
        ...


class Counted:
    """The outlook where all jobs come in units of one kind: counting units is enough.

    Source: the shadow time and extra nodes of A. Mu'alem, D. Feitelson, IEEE TPDS 12(6), 2001.
    """

    def __init__(self) -> None:
        self.shadow_s = FAR
        """From when on the head is expected to fit."""
        self.extra = 0
        """So many units it leaves over then."""
        self._releases = Releases()

    def started(self, running: Running) -> None:
        """Take note of a job that runs."""
        self._releases.add(running.expected_end_s, running.queued.units)

    def ended(self, running: Running) -> None:
        """Take note of a job that runs no longer."""
        self._releases.remove(running.expected_end_s, running.queued.units)

    def expects(self, running: Running, before_s: int) -> None:
        """Take note that a job was expected to end at another instant before."""
        self._releases.remove(before_s, running.queued.units)
        self._releases.add(running.expected_end_s, running.queued.units)

    def reserve(self, head: Queued, floor: Floor) -> None:
        """Reserve for a job that does not fit now, from when it is expected to fit."""
        wanted = head.units - head.shape.total
        self._releases.fit(wanted)
        self.shadow_s = self._releases.fit_at
        self.extra = self._releases.fit_procs - wanted

    def starts(self, queued: Queued, floor: Floor) -> bool:
        """Start a job if it fits now and the reservation allows it; return whether it did."""
        if queued.units > queued.shape.total:
            return False
        if floor.now_s + queued.planned_s > self.shadow_s and queued.units > self.extra:
            return False
        self.start(queued, floor)
        return True

    def closed_to(self, queued: Queued, fewest: int, floor: Floor) -> bool:
        """Return whether surely nobody starts who runs as long or longer and has so many units."""
        if fewest > queued.shape.total:
            return True
        return fewest > self.extra and floor.now_s + queued.planned_s > self.shadow_s

    def start(self, queued: Queued, floor: Floor) -> None:
        """Start a job that fits and that the reservation allows."""
        if floor.now_s + queued.planned_s > self.shadow_s:
            self.extra -= queued.units
        self.started(floor.start(queued))


class Placed:
    """The outlook on a machine of any kind: what will be free is known node by node.

    A job that is expected to outlast the reservation may start if the head still fits beside it
    on what will be free then, wherever that is.
    """

    def __init__(self) -> None:
        self.shadow_s = FAR
        self._ends: SortedKeyList[Running, tuple[int, int]] = SortedKeyList(
            key=lambda running: (running.expected_end_s, running.queued.rank)
        )
        self._free: list[list[int]] = []
        """What is expected to be free at the reservation, by resource, then node."""
        self._fits = 0
        """So many units of the head will fit then."""
        self._head: Queued | None = None

    def started(self, running: Running) -> None:
        """Take note of a job that runs."""
        self._ends.add(running)

    def ended(self, running: Running) -> None:
        """Take note of a job that runs no longer."""
        self._ends.remove(running)

    def expects(self, running: Running, before_s: int) -> None:
        """Take note that a job was expected to end at another instant before."""
        after_s, running.expected_end_s = running.expected_end_s, before_s
        self._ends.remove(running)
        running.expected_end_s = after_s
        self._ends.add(running)

    def reserve(self, head: Queued, floor: Floor) -> None:
        """Reserve for a job that does not fit now, from when it is expected to fit."""
        self._head, self._fits = head, head.shape.total
        self._free = [list(column) for column in floor.state.free]
        self.shadow_s = FAR
        for running in self._ends:
            if running.expected_end_s > self.shadow_s:
                break
            self._fits += self._changed(running.queued.shape, running.places, 1, head.shape)
            if self._fits >= head.units:
                self.shadow_s = running.expected_end_s

    def starts(self, queued: Queued, floor: Floor) -> bool:
        """Start a job if it fits now and the reservation allows it; return whether it did."""
        head = self._head
        if queued.units > queued.shape.total:
            return False
        places = floor.places(queued)
        if head is not None and floor.now_s + queued.planned_s > self.shadow_s:
            lost = self._changed(queued.shape, places, -1, head.shape)
            if self._fits + lost < head.units:
                self._changed(queued.shape, places, 1, head.shape)
                return False
            self._fits += lost
        self.started(floor.start(queued, places))
        return True

    def closed_to(self, queued: Queued, fewest: int, floor: Floor) -> bool:
        """Return False: it is not sure before places are tried."""
        return False

    def _changed(self, shape: Shape, places: Places, sign: int, head: Shape) -> int:
        """Let these places be free then, or taken; return how many more units of the head fit."""
        more, free = 0, self._free
        for node, units in places:
            before = fit(head.need, free, node)
            for resource, amount in shape.need:
                free[resource][node] += sign * amount * units
            more += fit(head.need, free, node) - before
        return more


def outlook(machine: Machine) -> Callable[[], Outlook]:
    """Return the kind of outlook that a machine needs."""
    return Counted if machine.one_kind else Placed
