"""Baselines without arithmetic: now, never, like the last one, like most."""

from collections import deque
from statistics import median_low

from predictor.domain import Snapshot
from verification.baselines.starts import NO_HISTORY, Kind, Starts, answers, broader
from verification.judging.case import Said
from verification.online.predictor import Answers

RECENT = 100
"""So many of the last starts of a kind count."""
FEW = 5
"""With fewer a kind has no median: that of a broader one is taken."""


class Now:
    """Says that everybody starts at once."""

    name = "now"
    remembers = False

    def learn(self, snapshot: Snapshot) -> None:
        """Nothing."""

    def say(self, snapshot: Snapshot) -> Answers:
        """Return the snapshot's instant for everybody."""
        return answers(snapshot, lambda _kind, _since: Said(likely_at=snapshot.taken_at))


class Never:
    """Says that nobody starts; so it names no instant that could be scored."""

    name = "never"
    remembers = False

    def learn(self, snapshot: Snapshot) -> None:
        """Nothing."""

    def say(self, snapshot: Snapshot) -> Answers:
        """Return no start for anybody."""
        return answers(snapshot, lambda _kind, _since: Said(why_not="never"))


class Persistence:
    """Says that a job waits as long as the last that started of its partition and size."""

    name = "persistence"
    remembers = True

    def __init__(self) -> None:
        self._starts = Starts()
        self._last_s: dict[Kind, int] = {}

    def learn(self, snapshot: Snapshot) -> None:
        """Take in who has started."""
        self._last_s.update(
            (start.kind[:2], start.wait_s) for start in self._starts.learn(snapshot)
        )

    def say(self, snapshot: Snapshot) -> Answers:
        """Return that wait from its own beginning on; now if it has passed already."""

        def of(kind: Kind, since: int) -> Said:
            wait_s = self._last_s.get(kind[:2])
            if wait_s is None:
                return NO_HISTORY
            return Said(likely_at=max(snapshot.taken_at, since + wait_s))

        return answers(snapshot, of)


class ClassMedian:
    """Says that a job waits as long as the median of the last starts of its kind."""

    name = "class_median"
    remembers = True

    def __init__(self) -> None:
        self._starts = Starts()
        self._waits_s: dict[Kind, deque[int]] = {}

    def learn(self, snapshot: Snapshot) -> None:
        """Take in who has started."""
        for start in self._starts.learn(snapshot):
            for kind in broader(start.kind):
                self._waits_s.setdefault(kind, deque(maxlen=RECENT)).append(start.wait_s)

    def say(self, snapshot: Snapshot) -> Answers:
        """Return the median wait from the job's beginning on; now if it has passed already."""
        medians = {
            kind: median_low(waits_s)
            for kind, waits_s in self._waits_s.items()
            if len(waits_s) >= FEW
        }

        def of(kind: Kind, since: int) -> Said:
            wait_s = next((medians[one] for one in broader(kind) if one in medians), None)
            if wait_s is None:
                return NO_HISTORY
            return Said(likely_at=max(snapshot.taken_at, since + wait_s))

        return answers(snapshot, of)
