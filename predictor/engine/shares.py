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
        self.scratch = store.numbers(self.members)
        self.waiting = store.numbers(self.members)
        self.tied = store.numbers(self.members)

    def restart(self) -> None:
        """Go back to the usage and the points of the start."""
        for place in range(self.members):
            self.usage[place] = self.first_usage[place]
            self.points[place] = self.first_points[place]

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

    def rate(self) -> None:
        """Compute everybody's points anew. n log n in the members."""
        if self.ranked:
            self._rank_users()
        else:
            self._weigh_users()

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

    def _weigh_users(self) -> None:
        """Give each user `2 ** -(effective usage / share / dampening)`; 0 without a share.

        Source: Slurm, Multifactor Priority Plugin, "fairshare". Slurm reads an account's usage
        when a recomputation begins, thus a period late; we do not.
        """
        for place in range(self.members):
            self.used[place] = self._used(place)
        if self.leveled:
            self._by_level()
        else:
            self._depth_oblivious()
        for place in range(self.members):
            if self.is_user[place]:
                factor = 0.0
                if self.share[place] != 0:
                    excess = self.level[place] / self.share[place] / self.dampening
                    factor = powers.power(2.0, -excess)
                self.points[place] = self.weight * factor

    def _used(self, place: int) -> float:
        if self.usage[0] == 0:
            return 0.0
        used = self.usage[place] / self.usage[0]
        return used if used < 1 else 1.0

    def _by_level(self) -> None:
        """Find effective usage: one's own, and by one's share that of the whole account."""
        self.level[0] = 1.0
        for place in range(1, self.members):
            above = self.rivals_under[place]
            used = self.used[place]
            if self.inherits[place]:
                self.level[place] = self.level[above]
            elif above == 0:
                self.level[place] = used
            else:
                self.level[place] = used + (self.level[above] - used) * self.level_share[place]

    def _depth_oblivious(self) -> None:
        """Find effective usage: the account's ratio of usage to share times one's own within it."""
        self.level[0] = 1.0
        account, rivals = -1, 0.0
        for place in range(1, self.members):
            above = self.rivals_under[place]
            used, share = self.used[place], self.share[place]
            if self.inherits[place]:
                self.level[place] = self.level[above]
            elif above == 0 or share == 0 or used == 0 or self.level[above] == 0:
                self.level[place] = used
            else:
                if above != account:
                    account, rivals = above, self._used_by_rivals(above)
                own = (used / share) / (rivals / self.share[above])
                ratio = self.level[above] / self.share[above]
                counts = powers.power(own, self._exponent(ratio, own))
                self.level[place] = ratio * counts * share

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
