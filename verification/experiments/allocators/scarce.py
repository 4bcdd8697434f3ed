"""Allocators that spare what is scarce for those who need it.

Source of all four: A. Netti, C. Galleguillos, Z. Kiziltan, A. Sirbu, O. Babaoglu, Heterogeneity-
Aware Resource Allocation in HPC Systems, ISC 2018, as the documentation of AccaSim describes them.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Final

from verification.experiments.allocators.protocol import Allocator, filled, lowest_first
from verification.experiments.allocators.simple import fullest_first
from verification.experiments.course import Queued
from verification.experiments.state import Places, State

WINDOW: Final = 100
"""So many jobs tell what is asked for."""
MOST_SPARED: Final = 10.0
SPARED_STEP: Final = 1.0
"""The weight of a critical resource is multiplied by 1 to 10, in steps of 1."""


class Balanced(Allocator):
    """Nodes without critical resources first; then those with, one of each resource in turn.

    A node with several counts for the one of which most is free there now.
    """

    def __init__(self, state: State, seed: int = 0) -> None:
        self._interleaved = _Interleaved(state)

    def place(self, queued: Queued) -> Places:
        """Return places for all units of a job that fits."""
        nodes = lowest_first(queued.shape.open)
        return filled(self._interleaved.order(nodes), queued.shape, queued.units)


class _Interleaved:
    """Sorts nodes by the critical resource that they have."""

    def __init__(self, state: State) -> None:
        names = state.machine.resources
        self._critical = [names.index(name) for name in state.machine.scarce]
        self._state = state

    def order(self, nodes: Iterable[int]) -> Iterator[int]:
        """Yield those without critical resources, then one of each resource in turn."""
        if not self._critical:
            yield from nodes
            return
        with_: dict[int, list[int]] = {resource: [] for resource in self._critical}
        for node in nodes:
            resource = self._main(node)
            if resource is None:
                yield node
            else:
                with_[resource].append(node)
        for turn in zip_longest(*with_.values()):
            yield from (node for node in turn if node is not None)

    def _main(self, node: int) -> int | None:
        """Return the critical resource of which most is free on a node that has some."""
        has = [one for one in self._critical if self._state.capacity[one][node]]
        return max(has, key=lambda one: self._state.free[one][node]) if has else None


class _Weights:
    """How precious each resource is at the moment.

    The weight is (mean amount that a job asks for) / (amount in the machine) * (1 + share in use).
    The mean is over the last 100 jobs submitted, by the time they are expected to run. The source
    names these three quantities and leaves open how they are combined; this is our way.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self._totals = [sum(column) for column in state.capacity]
        self._window: deque[Queued] = deque()
        self._asked = [0] * len(self._totals)
        """By resource: what jobs in the window ask for, times how long."""
        self._length_s = 0
        self.factors = [1.0] * len(self._totals)
        """By resource: a weight is multiplied by it."""

    def submitted(self, queued: Queued) -> None:
        """Let a job tell what is asked for."""
        self._window.append(queued)
        self._count(queued, 1)
        if len(self._window) > WINDOW:
            self._count(self._window.popleft(), -1)

    def _count(self, queued: Queued, sign: int) -> None:
        self._length_s += sign * queued.planned_s
        for resource, amount in queued.shape.need:
            self._asked[resource] += sign * amount * queued.units * queued.planned_s

    def now(self) -> list[float]:
        """Return the weights by resource; 0 of what nobody asked for."""
        length_s = self._length_s or 1
        return [self._weight(resource, one / length_s) for resource, one in enumerate(self._asked)]

    def _weight(self, resource: int, asked: float) -> float:
        total = self._totals[resource]
        if not total or not asked:
            return 0.0
        in_use = 1 - sum(self._state.free[resource]) / total
        return asked / total * (1 + in_use) * self.factors[resource]


class Weighted(Allocator):
    """Nodes on which the least of value is left over once the job is there."""

    def __init__(self, state: State, seed: int = 0) -> None:
        self._state = state
        self._weights = _Weights(state)

    def submitted(self, queued: Queued) -> None:
        """Let a job tell what is asked for."""
        self._weights.submitted(queued)

    def place(self, queued: Queued) -> Places:
        """Return places for all units of a job that fits."""
        return filled(self._order(queued), queued.shape, queued.units)

    def _order(self, queued: Queued) -> Iterable[int]:
        if len(self._state.free) == 1:
            return fullest_first(queued.shape)  # the same, without adding anything up
        return sorted(lowest_first(queued.shape.open), key=self._left(queued))

    def _left(self, queued: Queued) -> Callable[[int], float]:
        """Return what tells of the value that a job leaves over on a node."""
        weights, fits, units = self._weights.now(), queued.shape.fits, queued.units
        taken = sum(amount * weights[resource] for resource, amount in queued.shape.need)
        valued: Sequence[tuple[float, list[int]]] = [
            (weight, free) for weight, free in zip(weights, self._state.free, strict=True) if weight
        ]

        def left(node: int) -> float:
            value = sum(weight * free[node] for weight, free in valued)
            return value - taken * min(fits[node], units)

        return left


class PriorityWeighted(Weighted):
    """Weighted, and a critical resource weighs more the more often jobs that need it must wait.

    Its weight grows by a step when such a job does not start at once and falls by one when one
    starts, from once to ten times.
    """

    def __init__(self, state: State, seed: int = 0) -> None:
        super().__init__(state, seed)
        names = state.machine.resources
        self._critical = {names.index(name) for name in state.machine.scarce}

    def blocked(self, queued: Queued) -> None:
        """Spare more of what a job waits for."""
        self._change(queued, SPARED_STEP)

    def started(self, queued: Queued) -> None:
        """Spare less of what a job got."""
        self._change(queued, -SPARED_STEP)

    def _change(self, queued: Queued, step: float) -> None:
        factors = self._weights.factors
        for resource, _ in queued.shape.need:
            if resource in self._critical:
                factors[resource] = min(max(factors[resource] + step, 1.0), MOST_SPARED)


class Hybrid(Weighted):
    """Balanced, with the nodes of each resource in the order of Weighted."""

    def __init__(self, state: State, seed: int = 0) -> None:
        super().__init__(state, seed)
        self._interleaved = _Interleaved(state)

    def _order(self, queued: Queued) -> Iterable[int]:
        return self._interleaved.order(super()._order(queued))
