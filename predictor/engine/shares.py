"""Usage in a share tree, and what everybody's fairshare is worth by it."""

import math
from collections.abc import MutableSequence, Sequence

from predictor.engine import powers, store
from predictor.engine.ranking_tables import CLASSIC, FAIR_TREE, TreeTables

STRICTNESS = 5.0
"""How much an account's distance from its share keeps its users from making up for it."""


class Shares:
    """The tree with its usage: it fades, grows with what is charged, and becomes points."""

    def __init__(self, tree: TreeTables, formula: int, dampening: int, weight: float) -> None:
        self.members = len(tree.above)
        self.ranked = formula == FAIR_TREE
        self.leveled = formula == CLASSIC
        self.endless = math.inf
        self.dampening = dampening
        self.weight = weight
        self.users = sum(tree.is_user)
        self.above = store.filled(tree.above)
        self.rivals_under = store.filled(tree.rivals_under)
        self.is_user = store.filled([int(one) for one in tree.is_user])
        self.inherits = store.filled([int(one) for one in tree.inherits])
        self.rival_start = store.starts(tree.rivals)
        self.rival = store.filled([one for rivals in tree.rivals for one in rivals])
        self.level_share = reals(tree.level_share)
        self.share = reals(tree.share)
        self.first_usage = reals(tree.usage)
        self.first_points = reals(tree.points)
        self.usage = reals(tree.usage)
        self.points = reals(tree.points)
        self.level = store.reals(self.members)
        """By place: share over usage among the rivals, or effective usage."""
        self.used = store.reals(self.members)
        self.rated = store.numbers(self.members)
        """Whether one's points are of the recomputation that has begun last."""
        self.scratch = store.numbers(self.members)
        self.waiting = store.numbers(self.members)
        self.tied = store.numbers(self.members)

    def restart(self) -> None:
        """Go back to the usage and the points of the start."""
        for place in range(self.members):
            self.usage[place] = self.first_usage[place]
            self.points[place] = self.first_points[place]
        for place in range(self.members):
            self.used[place] = self._used(place)

    def fade(self, kept: float) -> None:
        """Keep only so much of all usage."""
        for place in range(self.members):
            self.usage[place] = kept * self.usage[place]

    def empty(self) -> None:
        """Forget all usage."""
        for place in range(self.members):
            self.usage[place] = 0.0

    def charge(self, place: int, amount: float) -> None:
        """Add to the usage of a member and of all accounts above, the root last."""
        while place != 0:
            self.usage[place] += amount
            place = self.above[place]
        self.usage[0] += amount

    def begin(self) -> None:
        """Take note of what accounts have used up to now, by which their users are to be rated.

        Source: Slurm 22.05, _set_children_usage_efctv, as read; Fair Tree does not.
        """
        if self.ranked:
            return
        for place in range(self.members):
            self.rated[place] = 0
            if not self.is_user[place]:
                self._weigh(place)

    def rate_one(self, place: int) -> None:
        """Compute a user's points anew by what was charged up to now, once.

        They are `2 ** -(effective usage / share / dampening)`; none without a share.
        Source: Slurm, Multifactor Priority Plugin, "fairshare".
        """
        if self.rated[place]:
            return
        self.rated[place] = 1
        self._weigh(place)
        factor = 0.0
        if self.share[place] != 0:
            excess = self.level[place] / self.share[place] / self.dampening
            factor = powers.power(2.0, -excess)
        self.points[place] = self.weight * factor

    def rate(self) -> None:
        """Compute the points of all anew who were not rated yet. n log n in the members."""
        if self.ranked:
            self._rank_users()
            return
        for place in range(self.members):
            if self.is_user[place]:
                self.rate_one(place)

    # -- by rank ---------------------------------------------------------------------------

    def _rank_users(self) -> None:
        """Rank rivals by share over usage, users before accounts, depth first.

        Rank r of U users earns r/U, the best being U; equals in a row share the better rank.
        Source: Slurm, Fair Tree Fairshare Algorithm; tied accounts are not merged, as in its code.
        """
        rank = left = self.users
        self.waiting[0] = 0
        self.tied[0] = 0
        count = 1 if self.members > 0 else 0
        while count > 0:
            count -= 1
            place, tied = self.waiting[count], self.tied[count]
            if self.is_user[place]:
                if not tied:
                    rank = left
                self.points[place] = self.weight * (rank / self.users)
                left -= 1
                continue
            first, end = self.rival_start[place], self.rival_start[place + 1]
            self._sort(first, end)
            for i in range(end - 1, first - 1, -1):
                # The first one equals whoever was before the whole account, if the account does.
                self.tied[count] = tied if i == first else self._equal(i - 1, i)
                self.waiting[count] = self.rival[i]
                count += 1

    def _sort(self, first: int, end: int) -> None:
        """Sort a row of rivals, the best first: merged, and quick where little has changed."""
        for i in range(first, end):
            self.level[self.rival[i]] = self._level(self.rival[i])
        width = 1
        while width < end - first:
            start = first
            while start + width < end:
                middle = start + width
                stop = middle + width if middle + width < end else end
                if self._before(self.rival[middle], self.rival[middle - 1]):
                    self._merge(start, middle, stop)
                start = stop
            width *= 2

    def _level(self, place: int) -> float:
        """Return share over usage, both among the rivals: above 1 for who got too little."""
        if self.inherits[place]:
            return self.endless
        share = self.level_share[place]
        if share == 0:
            return 0.0
        used, used_by_all = self.usage[place], self.usage[self.rivals_under[place]]
        if used == 0 or used_by_all == 0:
            return self.endless
        return share * used_by_all / used

    def _equal(self, i: int, j: int) -> int:
        return 1 if self.level[self.rival[i]] == self.level[self.rival[j]] else 0

    def _before(self, one: int, other: int) -> bool:
        if self.level[one] != self.level[other]:
            return self.level[one] > self.level[other]
        if self.is_user[one] != self.is_user[other]:
            return self.is_user[one] > self.is_user[other]
        return one < other

    def _merge(self, start: int, middle: int, stop: int) -> None:
        for i in range(start, middle):
            self.scratch[i] = self.rival[i]
        left, right, to = start, middle, start
        while left < middle:
            if right < stop and self._before(self.rival[right], self.scratch[left]):
                self.rival[to] = self.rival[right]
                right += 1
            else:
                self.rival[to] = self.scratch[left]
                left += 1
            to += 1

    # -- by excess -------------------------------------------------------------------------

    def _weigh(self, place: int) -> None:
        """Find one's effective usage, by that of the account above."""
        above = self.rivals_under[place]
        self.used[place] = self._used(place)
        if place == 0:
            self.level[place] = 1.0
        elif self.inherits[place]:
            self.level[place] = self.level[above]
        elif above == 0:
            self.level[place] = self.used[place]
        elif self.leveled:
            self.level[place] = self._by_level(place, above)
        else:
            self.level[place] = self._depth_oblivious(place, above)

    def _used(self, place: int) -> float:
        if self.usage[0] == 0:
            return 0.0
        used = self.usage[place] / self.usage[0]
        return used if used < 1 else 1.0

    def _by_level(self, place: int, above: int) -> float:
        """Return one's own usage, and by one's share that of the whole account."""
        used = self.used[place]
        return used + (self.level[above] - used) * self.level_share[place]

    def _depth_oblivious(self, place: int, above: int) -> float:
        """Return the account's ratio of usage to share times one's own within it."""
        used, share = self.used[place], self.share[place]
        if share == 0 or used == 0 or self.level[above] == 0:
            return used
        own = (used / share) / (self._used_by_rivals(above) / self.share[above])
        ratio = self.level[above] / self.share[above]
        return ratio * powers.power(own, self._exponent(ratio, own)) * share

    def _used_by_rivals(self, account: int) -> float:
        total = 0.0
        for i in range(self.rival_start[account], self.rival_start[account + 1]):
            if self.level_share[self.rival[i]] != 0:
                total += self.used[self.rival[i]]
        return total

    def _exponent(self, ratio: float, own: float) -> float:
        """Return how much one's own ratio counts: 1, and less where it would mend the account's."""
        excess = powers.logarithm(ratio)
        if excess * powers.logarithm(own) >= 0:
            return 1.0
        return 1 / (1 + powers.power(STRICTNESS * excess, 2.0))


def reals(values: Sequence[float], count: int = 0) -> MutableSequence[float]:
    """Return these numbers, followed by as many 0 as it takes to be `count`."""
    found = store.reals(max(count, len(values)))
    for place, value in enumerate(values):
        found[place] = float(value)
    return found
