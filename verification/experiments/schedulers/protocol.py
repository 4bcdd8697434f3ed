"""What every scheduler does, and what it sees of the machine."""

from collections.abc import Collection
from typing import Protocol

from verification.experiments.course import Queued, Running
from verification.experiments.state import Places, State


class Floor(Protocol):
    """The machine in the hands of a scheduler, at one instant."""

    now_s: int
    """Seconds from the first submission."""
    state: State

    @property
    def running(self) -> Collection[Running]:
        """All jobs that run, in order of start."""
        ...

    def fits(self, queued: Queued) -> bool:
        """Return whether a job may start now."""
        ...

    def places(self, queued: Queued) -> Places:
        """Return where a job that fits would run, should it start now."""
        ...

    def start(self, queued: Queued, places: Places | None = None) -> Running:
        """Start a job that fits now, there, or where the allocator puts it (None)."""
        ...


class Scheduler:
    """Decides who starts when. What it does not override, it does not heed.

    At each instant at which something happens it is told who ended, then who was submitted, and
    then asked once whom to start.
    """

    def submit(self, queued: Queued, floor: Floor) -> bool:
        """Let a job that the empty machine could run wait; False: it is refused for good."""
        raise NotImplementedError

    def dispatch(self, floor: Floor) -> None:
        """Start whoever should start now."""
        raise NotImplementedError

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        raise NotImplementedError

    def ended(self, running: Running, floor: Floor) -> None:
        """Take note that a job has ended; its places are free already."""

    def expects(self, running: Running, before_s: int, floor: Floor) -> None:
        """Take note that a running job is now expected to end at another instant than before."""

    @property
    def wakes_at_s(self) -> int | None:
        """When it wants to be asked though nothing happens: later than now; None: never."""
        return None
