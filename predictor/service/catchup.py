"""Learning from a recording what happened while nobody learned: bounded in time, oldest first."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence

from predictor.clock import AHEAD_S, Clock
from predictor.domain import FinishedJob, Snapshot
from predictor.domain.durations import DAY_S
from predictor.storage import Notice, RecordingReader

LOOK_BACK_S = 14 * DAY_S
"""Of what is older, nothing is learned."""
SPACING_S = 240
"""Snapshots may be so far apart: batch systems remember ended jobs for five minutes."""
ALLOWED_S = 120
"""So much time is spent in all; if it is not enough, the oldest snapshots are left out."""
FIRST_FEW = 8
"""After so many it is known how long one takes."""


class CatchUp:
    """The way from what was learned last to the newest snapshot and notice of a recording."""

    def __init__(
        self, reader: RecordingReader, since: int, clock: Clock, told: tuple[int, int] = (0, 0)
    ) -> None:
        """Begin with the first snapshot after `since` and the first notice after the mark `told`.

        What is too old is left out.
        """
        self._reader = reader
        self._clock = clock
        self._oldest = max(self._instants(), default=0) - LOOK_BACK_S
        self._until = max(since, self._oldest)
        self.told = told
        """The mark of the last notice that was learned from."""
        self._left = deque(self._missed())
        self._spent_s = 0.0
        self._learned = 0

    def go_on(
        self,
        learn: Callable[[Snapshot], None],
        budget_s: float,
        hear: Callable[[Sequence[FinishedJob]], None] = lambda ended: None,
    ) -> bool:
        """Learn for about so many seconds. True: there is nothing left, not even what came since.

        `hear` is told of jobs that ended unseen, among the snapshots when that was known. What
        cannot be read is passed over. Raises StorageError if the recording is gone.
        """
        begun = self._clock.monotonic()
        while self._left or self._newer():
            at, notice = self._left.popleft()
            since = self._clock.monotonic()
            if notice is not None:
                self.told = notice.mark
                hear(self._reader.ends(notice))
            else:
                self._until = at
                for snapshot in self._reader.snapshots(at, at + 1):
                    learn(snapshot)
            now = self._clock.monotonic()
            self._hurry(now - since)
            if now - begun >= budget_s:
                return False
        return True

    def _instants(self) -> Sequence[int]:
        """Return of when there are snapshots, but for those that a wrong clock dated."""
        latest = self._clock.now() + AHEAD_S
        return [at for at in self._reader.instants if at <= latest]

    def _hurry(self, took_s: float) -> None:
        """Leave out as many of the oldest as the time that is left will not suffice for."""
        self._spent_s += took_s
        self._learned += 1
        if self._learned < FIRST_FEW:
            return
        left_s = max(ALLOWED_S - self._spent_s, 0)
        affordable = left_s * self._learned / max(self._spent_s, 1e-6)
        while len(self._left) > max(affordable, 1):
            self._left.popleft()

    def _newer(self) -> bool:
        """Look whether something came meanwhile, and put that before us."""
        self._reader.refresh()
        self._left.extend(self._missed())
        return bool(self._left)

    def _missed(self) -> Sequence[tuple[int, Notice | None]]:
        """Return what was not learned from yet: notices after the snapshot they came after."""
        looks = spaced(at for at in self._instants() if at > self._until)
        heard = (
            notice for notice in self._reader.notices(self.told) if notice.learned_at > self._oldest
        )
        items = [*((at, None) for at in looks), *((one.learned_at, one) for one in heard)]
        return sorted(items, key=lambda item: (item[0], item[1].mark if item[1] else (0, 0)))


def spaced(instants: Iterable[int]) -> list[int]:
    """Return the newest of these ascending instants, and others SPACING_S or more apart."""
    chosen: list[int] = []
    for at in reversed(list(instants)):
        if not chosen or at <= chosen[-1] - SPACING_S:
            chosen.append(at)
    return chosen[::-1]
