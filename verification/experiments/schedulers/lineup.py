"""Jobs that wait in order of submission, so that who may start is found without trying them all."""

from typing import Final

from verification.experiments.course import Queued
from verification.traces.waiting import Waiting

FEWEST: Final = 64


class Lineup:
    """A queue of jobs of one kind, each at a spot of its own. Adding one may move all spots."""

    def __init__(self) -> None:
        self._room = FEWEST
        self._tree = Waiting(self._room)
        self._spots: list[Queued | None] = []
        self._head = 0
        self.count = 0

    def add(self, queued: Queued) -> None:
        """Let a job wait behind all others."""
        if len(self._spots) == self._room:
            self._move_together()
        self._tree.add(len(self._spots), queued.units, queued.planned_s)
        self._spots.append(queued)
        self.count += 1

    def take(self, spot: int) -> Queued:
        """Return a job, which waits no longer."""
        queued = self._spots[spot]
        assert queued is not None  # noqa: S101 - spots come from `next` and `head`
        self._tree.remove(spot)
        self._spots[spot] = None
        self.count -= 1
        return queued

    @property
    def head(self) -> int:
        """The spot of the first job; there is one."""
        while self._spots[self._head] is None:
            self._head += 1
        return self._head

    @property
    def end(self) -> int:
        """The spot behind the last job."""
        return len(self._spots)

    def at(self, spot: int) -> Queued:
        """Return the job at a spot where one waits."""
        queued = self._spots[spot]
        assert queued is not None  # noqa: S101 - spots come from `next` and `head`
        return queued

    def next(self, spot: int, free: int, window_s: int, extra: int) -> int:
        """Return where the first job from a spot on fits; -1 if none does.

        It asks for no more than `free` units, and either for no more than `window_s` seconds or
        for no more than `extra` units.
        """
        return self._tree.next(spot, free, window_s, extra)

    def _move_together(self) -> None:
        left = [queued for queued in self._spots if queued is not None]
        self._room = max(FEWEST, 2 * len(left))
        self._tree = Waiting(self._room)
        self._spots, self._head, self.count = [], 0, 0
        for queued in left:
            self.add(queued)
