"""A dispatcher that refuses everybody: what is left is what reading and the loop itself cost."""

from verification.experiments.course import Queued
from verification.experiments.machine import Machine
from verification.experiments.schedulers.protocol import Floor, Scheduler


class Rejecting(Scheduler):
    """Refuses each job when it is submitted. Source: AccaSim's scalability test."""

    def __init__(self, machine: Machine) -> None:
        pass

    def submit(self, queued: Queued, floor: Floor) -> bool:
        """Refuse a job."""
        return False

    def dispatch(self, floor: Floor) -> None:
        """Start nobody."""

    @property
    def waiting(self) -> int:
        """Nobody waits."""
        return 0
