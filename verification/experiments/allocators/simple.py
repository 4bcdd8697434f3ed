"""Allocators that look at nothing but the order of nodes and how much fits on each."""

from collections.abc import Iterator

from verification.experiments.allocators.protocol import filled, lowest_first
from verification.experiments.course import Queued
from verification.experiments.state import Places, Shape, State


class FirstFit:
    """The first nodes on which a unit fits, in their order."""

    def __init__(self, state: State, seed: int = 0) -> None:
        pass

    def place(self, queued: Queued) -> Places:
        """Return places for all units of a job that fits."""
        return filled(lowest_first(queued.shape.open), queued.shape, queued.units)


class BestFit:
    """The fullest nodes: those on which the fewest units of the job fit; of equal ones the first.

    Source: the "consolidate" of AccaSim, which adds up free amounts of whatever resources; here
    what counts is what the job itself could use.
    """

    def __init__(self, state: State, seed: int = 0) -> None:
        pass

    def place(self, queued: Queued) -> Places:
        """Return places for all units of a job that fits."""
        return filled(_fullest_first(queued.shape), queued.shape, queued.units)


def _fullest_first(shape: Shape) -> Iterator[int]:
    for nodes in shape.levels[1:]:
        if nodes:
            yield from lowest_first(nodes)
