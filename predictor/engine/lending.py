"""Which licenses a pass that looks ahead keeps for whom, and when.

Source: Slurm 22.05 to 26.05, bf_licenses_avail.
"""

from predictor.engine import store
from predictor.engine.bookings import Bookings
from predictor.engine.layout import Layout
from predictor.engine.rule_tables import Rules
from predictor.engine.timeline import Timeline


class Lending:
    """The licenses that are left stretch by stretch of time, if the pass plans for them.

    Who runs has what it holds to the end of its last step, and so has who is planned.
    """

    def __init__(self, bookings: Bookings, rules: Rules) -> None:
        self.bookings = bookings
        self.timeline: Timeline = bookings.timeline
        self.layout: Layout = bookings.layout
        self.planned = rules.licenses_planned
        self.free = store.numbers(self.layout.pools)
        """By pool: how many licenses are left when the pass begins."""

    def begin(self) -> None:
        """Begin a pass: only who runs has any."""
        pools = self.layout.pools
        now = self.timeline.row[self.timeline.slot_at(self.bookings.time[0])] * pools
        for pool in range(pools):
            self.free[pool] = self.timeline.pools[now + pool]

    def counts(self, kind: int) -> bool:
        """Return whether who is of the kind has licenses that are planned for."""
        return self.planned and self.layout.has_licenses(kind)

    def start(self, kind: int) -> None:
        """Take those of the kind, which starts, for as long as nothing else is noted."""
        for i in range(self.layout.license_start[kind], self.layout.license_start[kind + 1]):
            self.free[self.layout.license_pool[i]] -= self.layout.license_amount[i]

    def lend(self, kind: int, since: int, until: int) -> None:
        """Take note that those of the kind are lent for so long, up to later than now."""
        if since <= self.bookings.time[0]:
            self.start(kind)
        self.note(kind, since, 1)
        self.note(kind, until, -1)

    def note(self, kind: int, at: int, sign: int) -> None:
        """Take note that those of the kind are lent from then on (`sign` 1) or given back (-1)."""
        if not self.bookings.time[0] < at < self.bookings.window_end:
            return
        place = self.bookings.cut(at)
        for i in range(self.layout.license_start[kind], self.layout.license_start[kind + 1]):
            amount = sign * self.layout.license_amount[i]
            self.bookings.lend(place, self.layout.license_pool[i], amount)

    def short_until(self, kind: int, at: int, end_at: int) -> int:
        """Return when the last stretch with too few licenses ends that such a request meets.

        That is the end of the window if nothing changes any more; -1: none of them has too few.
        """
        until = -1
        for i in range(self.layout.license_start[kind], self.layout.license_start[kind + 1]):
            pool, amount = self.layout.license_pool[i], self.layout.license_amount[i]
            until = max(until, self._short_until(pool, amount, at, end_at))
        return until

    def _short_until(self, pool: int, amount: int, at: int, end_at: int) -> int:
        left, until, short = self.free[pool], -1, False
        for place in range(self.bookings.count):
            begin_at = self.bookings.time[place]
            if short and self.bookings.is_change(place):
                until, short = begin_at, False
            if begin_at > end_at and not short:
                return until
            left -= self.bookings.lent[self.bookings.row[place] * self.layout.pools + pool]
            last = place + 1 == self.bookings.count
            if begin_at <= end_at and (last or self.bookings.time[place + 1] > at):
                short = short or left < amount
        return self.bookings.window_end if short else until
