"""A second opinion on priorities as they move: slow, obvious, and without the engine.

What they are made of is read as always; what everybody uses from then on is counted here.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from predictor.domain import FairshareFormula, PendingJob, Snapshot
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
    place: int
    """It is gone through before the waiting job of that number; -1: before all."""


class SlowPriorities:
    """Everybody's numbers, recomputed when told to."""

    def __init__(self, snapshot: Snapshot, arrivals: Sequence[PendingJob]) -> None:
        self.first = Priorities.of(snapshot, arrivals)
        self.settings = snapshot.settings
        self.numbers = dict(self.first.numbers)
        self.recomputed_at = self.first.recomputed_at
        self.usage = list(self.first.shares.usage) if self.first.shares else []
        self.used = [self._used(place) for place in range(len(self.usage))]
        self.effective = [0.0 for _ in self.usage]
        self.factors: dict[Who, float] = {}

    def recompute(
        self,
        at: int,
        ran: Iterable[Ran],
        since: Mapping[str, int],
        tried: Collection[str],
        waiting: Sequence[str],
    ) -> None:
        """Recompute all: `since` tells who came of age, `tried` who was found a place.

        `waiting` tells who waits, in the order in which the batch system goes through them.
        """
        self._use(at, list(ran), waiting)
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
            if self.settings.priorities_only_rise:
                number = max(number, self.numbers[one.slot])
            self.numbers[one.slot] = number

    def _use(self, at: int, ran: Sequence[Ran], waiting: Sequence[str]) -> None:
        """Let usage fade, or be reset, and charge who is over at the end, all others by now.

        Without Fair Tree accounts count with what was used before, users with what has been
        charged by the time that the first job of theirs is gone through.
        """
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
        tree = self.first.shares.tree
        for place, member in enumerate(tree.members):
            if not member.who[1]:
                self._weigh(place)
        if reset_at is None or reset_at <= self.recomputed_at:
            self.usage = [self._faded(used, at - self.recomputed_at) for used in self.usage]
        rest = sorted((one for one in ran if one.ended_at > at), key=lambda one: one.place)
        payers = {one.slot[0]: one.who for one in self.first.summands}
        self.factors = {}
        for place, id_ in enumerate(waiting):
            while rest and rest[0].place <= place:
                self._charge(rest.pop(0), at)
            if payers.get(id_) is not None:
                self._rate(payers[id_])
        for one in rest:
            self._charge(one, at)
        for member in tree.members:
            if member.who[1]:
                self._rate(member.who)

    def _rate(self, who: Who) -> None:
        """Take note of the user's factor without Fair Tree, unless it is known."""
        if who in self.factors:
            return
        tree = self.first.shares.tree
        place = tree.places[who]
        self._weigh(place)
        share, dampening = tree.cluster_shares[place], max(1, self.settings.fairshare_dampening)
        excess = self.effective[place] / share / dampening if share else math.inf
        self.factors[who] = 2**-excess

    def _weigh(self, place: int) -> None:
        """Take note of what one has used by now, and of what that counts."""
        tree = self.first.shares.tree
        member, shares = tree.members[place], tree.cluster_shares
        self.used[place] = self._used(place)
        used, above = self.used[place], member.rivals_under
        counts = used
        if place == 0:
            counts = 1.0
        elif member.shares is None:
            counts = self.effective[above]
        elif above and self.settings.fairshare_formula is FairshareFormula.CLASSIC:
            counts = used + (self.effective[above] - used) * tree.level_shares[place]
        elif above and shares[place] and used and self.effective[above]:
            rivals = [self.used[one] for one in tree.rivals[above] if tree.members[one].shares]
            own = (used / shares[place]) / (sum(rivals) / shares[above])
            ratio = self.effective[above] / shares[above]
            mends = math.log(ratio) * math.log(own) < 0
            exponent = 1 / (1 + (5 * math.log(ratio)) ** 2) if mends else 1.0
            counts = ratio * own**exponent * shares[place]
        self.effective[place] = counts

    def _used(self, place: int) -> float:
        return min(1.0, self.usage[place] / self.usage[0]) if self.usage[0] else 0.0

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
        if self.settings.fairshare_formula is not FairshareFormula.FAIR_TREE:
            weight = self.settings.weights.fairshare
            return {who: weight * factor for who, factor in self.factors.items()}
        moved = replace(shares, usage=tuple(self.usage), told={})
        return replace(self.first, shares=moved).fairshare_points()
