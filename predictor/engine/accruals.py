"""Age priority under limits: only so many waiting jobs of a group accrue it at a time, and which.

A group is those whom one limit counts together, of a user, an account or a QOS. When one of them
starts, the next one gets its place, in order of submission.

Source: Slurm 22.05 to 24.11, accrual limits.
"""

from predictor.engine import store
from predictor.engine.ranking import Ranking
from predictor.engine.ranking_tables import UNKNOWN, AccrualTables


class Accruals:
    """Admits waiting jobs to growing old, in the order of their submission.

    A round begins with `begin`; then everybody who waits is seen, and `admit` ends it.
    """

    def __init__(self, tables: AccrualTables, ranking: Ranking) -> None:
        self.ranking = ranking
        accruers = tables.accruers
        self.accruers = len(accruers)
        self.groups = tables.groups
        self.accruer = store.filled([-1] * ranking.most_slots)
        for number, one in enumerate(accruers):
            for slot in one.slots:
                self.accruer[slot] = number
        self.slot_start = store.starts([one.slots for one in accruers])
        self.slot = store.filled([slot for one in accruers for slot in one.slots])
        self.group_start = store.starts([one.groups for one in accruers])
        self.group = store.filled([group for one in accruers for group in one.groups])
        self.bound = store.filled([one.bound for one in accruers])
        self.cap = store.filled([one.cap for one in accruers])
        self.weight = store.filled([one.weight for one in accruers])
        self.count = store.numbers(self.groups)
        self.seen = store.numbers(self.accruers)
        self.asked_at = store.filled([-1] * self.accruers)

    def begin(self) -> None:
        """Forget who was seen."""
        for group in range(self.groups):
            self.count[group] = 0
        for number in range(self.accruers):
            self.seen[number] = 0
            self.asked_at[number] = -1

    def see(self, slot: int, now: int, ready_at: int) -> None:
        """Take note of somebody who waits: grows old already, or could from `ready_at` on; -1: not.

        Costs nothing the second time.
        """
        number = self.accruer[slot]
        if number < 0 or self.seen[number]:
            return
        since = self.ranking.since[slot]
        if since != UNKNOWN and since <= now:
            self._count(number)
        elif since == UNKNOWN and ready_at >= 0:
            self.asked_at[number] = ready_at
        else:
            return
        self.seen[number] = 1

    def admit(self, now: int) -> None:
        """Let everybody grow old for whom there is room: from now on; if unbound, since ready."""
        for number in range(self.accruers):
            if self.asked_at[number] < 0:
                continue
            since, bound = self.asked_at[number], self.bound[number]
            if bound >= 0:
                if self.count[bound] >= self.cap[number]:
                    continue
                since = now
            self._count(number)
            for i in range(self.slot_start[number], self.slot_start[number + 1]):
                self.ranking.accrue(self.slot[i], since)

    def _count(self, number: int) -> None:
        for i in range(self.group_start[number], self.group_start[number + 1]):
            self.count[self.group[i]] += self.weight[number]
