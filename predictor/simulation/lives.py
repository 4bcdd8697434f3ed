"""Who has started and ended when, and so who may be considered from when on."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator

from predictor.simulation.dependencies import After
from predictor.simulation.entrants import Entrant
from predictor.simulation.occupied import Running


class Lives:
    """The starts and ends known so far, of running jobs and of entrants, by single id."""

    def __init__(self, running: Iterable[Running]) -> None:
        self._starts: dict[str, int] = {}
        self._ends: dict[str, int] = {}
        self._lanes: dict[str, dict[str, int]] = {}
        self._users: dict[str, str] = {}
        for job in running:
            # A heterogeneous job's components share an id; the last one to end counts.
            end = max(job.end_at, self._ends.get(job.id, 0))
            self.begin(job.id, 0, end, job.lane, job.user)

    def begin(self, id_: str, start_at: int, end_at: int, lane: str = "", user: str = "") -> None:
        """Note when somebody starts and ends."""
        self._starts[id_] = start_at
        self._ends[id_] = end_at
        self._users[id_] = user
        if lane:
            self._lanes.setdefault(lane, {})[id_] = end_at

    def withdraw(self, id_: str, lane: str = "") -> None:
        """Forget what was noted."""
        del self._starts[id_], self._ends[id_], self._users[id_]
        if lane:
            del self._lanes[lane][id_]

    def end_of(self, id_: str) -> int:
        """Return when somebody ends who has begun. Raises KeyError."""
        return self._ends[id_]

    def ready(
        self, entrants: Iterable[Entrant], waiting: Container[str], at: int
    ) -> Iterator[Entrant]:
        """Yield those who may be considered at `at`, in the order given.

        Those in `waiting` have not really started, whatever was noted of them.
        """
        taken: dict[str, int] = {}
        for entrant in entrants:
            eligible_at = self.eligible_at(entrant)
            if eligible_at is None or eligible_at > at:
                continue
            lane = entrant.lane
            if lane:
                if lane not in taken:
                    members = self._lanes.get(lane, {}).items()
                    taken[lane] = sum(end > at and id_ not in waiting for id_, end in members)
                if taken[lane] >= entrant.lane_width:
                    continue
                taken[lane] += 1
            yield entrant

    def lane_ends(self, lane: str) -> Iterable[int]:
        """Return when the known members of a lane end."""
        return self._lanes.get(lane, {}).values()

    def running_by_user(self, at: int) -> Counter[str]:
        """Return how many of each user run at `at`, of those known to begin."""
        return Counter(
            self._users[id_]
            for id_, start_at in self._starts.items()
            if start_at <= at < self._ends[id_]
        )

    def next_end(self, after: int) -> int | None:
        """Return the first known end after an instant; None if there is none."""
        return min((end for end in self._ends.values() if end > after), default=None)

    def eligible_at(self, entrant: Entrant) -> int | None:
        """Return when an entrant may be considered; None as long as that is not known."""
        if not entrant.after:
            return entrant.not_before
        times = [self._fulfilled_at(after) for after in entrant.after]
        known = [time for time in times if time is not None]
        if entrant.any_of and known:
            return max(entrant.not_before, min(known))
        if len(known) < len(times):
            return None
        return max([entrant.not_before, *known])

    def _fulfilled_at(self, after: After) -> int | None:
        # Who starts in a pass is seen to have started a second later.
        of = self._starts if after.started else self._ends
        notice_s = 1 if after.started else 0
        times = [of.get(id_) for id_ in after.job_ids]
        known = [time + notice_s for time in times if time is not None]
        return max(known, default=0) + after.delay_s if len(known) == len(times) else None
