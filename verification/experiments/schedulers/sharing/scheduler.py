"""What all co-schedulers do: start in order, then let others pass who is blocked."""

from collections.abc import Callable

from predictor.errors import QueuecastError
from verification.experiments.course import Queued, Running
from verification.experiments.machine import Machine
from verification.experiments.schedulers.protocol import Floor, Scheduler
from verification.experiments.schedulers.sharing.halves import Halves
from verification.experiments.schedulers.sharing.policies import POLICIES, Hall, Policy, Worth
from verification.experiments.state import Places

DEPTH = 100
"""So many jobs behind the first are tried for passing it, as ELiSE does."""


class Sharing(Scheduler):
    """Puts jobs on halves of nodes. Who is too wide for halves gets whole nodes.

    Who passes a blocked job may be expected to end no later than that may start; unlike ELiSE's,
    the reservation counts the halves that the blocked job really lacks.
    """

    def __init__(self, machine: Machine, policy: Policy) -> None:
        if machine.speedups is None or not machine.one_kind:
            raise QueuecastError(
                f"{machine.name}: sharing nodes needs a machine of cores alone, with speedups"
            )
        self._speedups = machine.speedups
        self._policy = policy
        self._halves = Halves(machine)
        self._queue: list[Queued] = []

    def submit(self, queued: Queued, floor: Floor) -> bool:
        """Let a job wait."""
        self._queue.append(queued)
        return True

    def dispatch(self, floor: Floor) -> None:
        """Start jobs until one finds no room, then whoever may pass the first that waits."""
        for queued in self._in_order(floor):
            if not self._start(queued, floor):
                break
        if len(self._queue) > 1:
            self._let_pass(floor)

    def _in_order(self, floor: Floor) -> list[Queued]:
        urgency = self._policy.urgency
        if urgency is None:
            return list(self._queue)
        hall = self._hall(floor)
        rated = [(-urgency(one, n, hall), n, one) for n, one in enumerate(self._queue, 1)]
        return [queued for _, _, queued in sorted(rated, key=lambda row: row[:2])]

    def _let_pass(self, floor: Floor) -> None:
        head, candidates = self._queue[0], self._queue[1 : DEPTH + 1]
        if not self._policy.heeds:
            for queued in sorted(candidates, key=lambda one: one.planned_s):
                if not self._start(queued, floor):
                    return
            return
        whole = self._has_whole(head, self._hall(floor))
        opens_s = self._halves.opens_s(head.units, whole, list(floor.running))
        if opens_s is None:
            return
        for queued in candidates:
            if floor.now_s + queued.planned_s <= opens_s:
                self._start(queued, floor)

    def _start(self, queued: Queued, floor: Floor) -> bool:
        hall = self._hall(floor)
        whole = self._has_whole(queued, hall)
        places = self._places(queued, hall, whole)
        if places is None:
            return False
        self._halves.take(floor.start(queued, places), whole)
        self._queue.remove(queued)
        return True

    def _hall(self, floor: Floor) -> Hall:
        return Hall(
            now_s=floor.now_s,
            speedups=self._speedups,
            idle_cores=self._halves.idle_cores,
            busy_cores=floor.state.busy_cores,
        )

    def _has_whole(self, queued: Queued, hall: Hall) -> bool:
        return self._halves.too_wide(queued) or self._policy.whole(queued, hall)

    def _places(self, queued: Queued, hall: Hall, whole: bool) -> Places | None:
        """Return where the job would run now; None: nowhere."""
        halves = self._halves
        if whole:
            return halves.places(halves.idle(), queued.units, True)
        worth = self._worth(queued, hall)
        rated = [(value, node) for node in halves.open() if (value := worth(node)) is not None]
        rated.sort(key=lambda row: row[0], reverse=True)
        return halves.places((node for _, node in rated), queued.units, False)

    def _worth(self, queued: Queued, hall: Hall) -> Callable[[int], Worth | None]:
        """Return what tells what a node is worth; companions are judged once each."""
        known: dict[Running | None, Worth | None] = {}

        def worth(node: int) -> Worth | None:
            there = self._halves.on[node]
            other = there[0] if there else None
            if other not in known:
                known[other] = self._policy.worth(queued, other, hall)
            return known[other]

        return worth

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return len(self._queue)

    def ended(self, running: Running, floor: Floor) -> None:
        """Take note that a job has ended."""
        self._halves.give(running)


def sharing(machine: Machine, policy: str) -> Scheduler:
    """Return the co-scheduler of that name. Raises QueuecastError."""
    return Sharing(machine, POLICIES[policy])
