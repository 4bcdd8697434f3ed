"""The allocator that nearly everybody means: the first nodes that will do."""

from verification.experiments.allocators.protocol import Allocator, first_filled
from verification.experiments.course import Queued
from verification.experiments.state import Places, State


class FirstFit(Allocator):
    """The first nodes on which a unit fits, in their order."""

    def __init__(self, state: State, seed: int = 0) -> None:
        pass

    def place(self, queued: Queued) -> Places:
        """Return places for all units of a job that fits."""
        return first_filled(queued.shape.open, queued.shape, queued.units)
