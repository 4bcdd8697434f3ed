"""A second opinion on priorities as they move: slow, obvious, and without the engine.

What they are made of is read as always; what everybody uses from then on is counted here.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from predictor.domain import PendingJob, Snapshot
from predictor.priority.multifactor import total
from predictor.priority.priorities import Priorities
from predictor.priority.sharetree import Who
from predictor.priority.usagereset import last_reset


@dataclass(frozen=True, kw_only=True)
class Ran:
    who: Who
    rate: float
    started_at: int
    ended_at: int


class SlowPriorities:
    """Everybody's numbers, recomputed when told to."""

    def __init__(self, snapshot: Snapshot, arrivals: Sequence[PendingJob]) -> None:
        self.first = Priorities.of(snapshot, arrivals)
        self.settings = snapshot.settings
        self.numbers = dict(self.first.numbers)
        self.recomputed_at = self.first.recomputed_at
        self.usage = list(self.first.shares.usage) if self.first.shares else []

    def recompute(
        self, at: int, ran: Iterable[Ran], since: Mapping[str, int], tried: Collection[str]
    ) -> None:
        """Recompute all: `since` tells who came of age, `tried` who was found a place."""
        self._use(at, list(ran))
        self.recomputed_at = at
        fairshare = self._fairshare_points()
        for one in self.first.summands:
            id_ = one.slot[0]
            of_age = since.get(id_) if one.since is None else one.since
            number = total(
                one.age if of_age is None else self.first.rules.age_points(of_age, at),
                one.fairshare if one.who is None else fairshare[one.who],
                one.parts_tried if id_ in tried else one.parts,
            )
            if "INCR_ONLY" in self.settings.priority_flags:
                number = max(number, self.numbers[one.slot])
            self.numbers[one.slot] = number

    def _use(self, at: int, ran: Sequence[Ran]) -> None:
        """Let usage fade, or be reset, and charge who is over at the end, all others by now."""
        if self.first.shares is None:
            return
        utc_offset_s = self.first.rules.snapshot.utc_offset_s
        reset_at = last_reset(self.settings.priority_usage_reset, at, utc_offset_s)
        if reset_at is not None and reset_at > self.recomputed_at:
            self.usage = [0.0 for _ in self.usage]
        else:
            for one in ran:
                if one.ended_at <= at:
                    self._charge(one, one.ended_at)
            self.usage = [self._faded(used, at - self.recomputed_at) for used in self.usage]
        for one in ran:
            if one.ended_at > at:
                self._charge(one, at)

    def _charge(self, one: Ran, until: int) -> None:
        tree = self.first.shares.tree
        seconds = until - max(one.started_at, self.recomputed_at)
        place = tree.places.get(one.who)
        if seconds <= 0 or place is None:
            return
        amount = self._faded(one.rate * seconds, seconds)
        while place != tree.members[place].above:
            self.usage[place] += amount
            place = tree.members[place].above
        self.usage[place] += amount

    def _faded(self, used: float, seconds: int) -> float:
        return used * self.first.shares.kept**seconds

    def _fairshare_points(self) -> Mapping[Who, float]:
        shares = self.first.shares
        if shares is None:
            return {}
        moved = replace(shares, usage=tuple(self.usage), told={})
        return replace(self.first, shares=moved).fairshare_points()
