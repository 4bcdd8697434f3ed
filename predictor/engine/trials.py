"""For how many jobs a pass that looks ahead tries nodes.

Source: Slurm 22.05, _attempt_backfill, bf_last_depth_try; a log of a real one's passes.
"""

from predictor.engine import sets
from predictor.engine.bookings import Bookings
from predictor.engine.fences import Fences
from predictor.engine.layout import Layout
from predictor.engine.licensing import Licensing
from predictor.engine.openings import Openings
from predictor.engine.placer import Placer
from predictor.engine.queue import Queue
from predictor.engine.refusals import Refusals
from predictor.engine.rule_tables import Rules
from predictor.engine.sight import Sight
from predictor.engine.slots import Slots


class Trials:
    """Those of one pass to whom slots and reservations leave as many nodes as they ask for.

    That is whenever they are tried, whoever is there now; who may have no slot is tried just now.
    Nobody is one who is drawn in.
    """

    def __init__(
        self, placer: Placer, slots: Slots, openings: Openings, sight: Sight, rules: Rules
    ) -> None:
        self.placer = placer
        self.queue: Queue = placer.queue
        self.layout: Layout = placer.layout
        self.licensing: Licensing = placer.search.licensing
        self.slots = slots
        self.openings = openings
        self.bookings: Bookings = openings.bookings
        self.fences: Fences = openings.fences
        self.refusals: Refusals = openings.refusals
        self.sight = sight
        self.exact_slots = rules.exact_slots
        self.licenses_planned = rules.licenses_planned
        self.window_s = rules.window_s
        self.most = rules.jobs_max
        """How many trials there may be; 0: any number."""
        self.count = 0
        self.is_close = False
        """Whether it may be that too many are counted in this pass."""
        self.may_wait = False
        """Whether starts later than now are sought for the record looked at."""
        self.sought_at = -1
        """From when on nodes were first found for it that could give room; -1: never."""

    def begin(self) -> None:
        """Begin a pass."""
        self.count = 0

    def are_over(self) -> bool:
        """Return whether there may be no more."""
        return 0 < self.most <= self.count

    def lack_licenses(self, part: int, now: int) -> bool:
        """Return whether the part is not tried at all for want of licenses.

        Where these are planned, that is so only if there is any reservation, for whom ever: then
        those are asked for that are free now. Source: Slurm 22.05, job_test_resv.
        """
        if self.licenses_planned:
            own = self.layout.reservation[self.queue.kind[self.queue.way_start[part]]]
            calendar = self.placer.timeline.calendar
            if own > 0 or not self.layout.has_reservations(calendar, now):
                return False
            return self.licensing.are_taken(self.queue, part)
        return self.licensing.lack(self.queue, part, now, self.placer.longest_s, True)

    def turn_to(self, record: int, now: int, rest: int) -> None:
        """Let the record be looked at; so many are still to come in this pass, it included."""
        self.sought_at = -1
        self.is_close = self.most > 0 and self.count + rest > self.most
        if self.is_close:
            self.may_wait = not self.slots.is_only_for_now(record, now)

    def note(self, kind: int, size: int, at: int) -> None:
        """Take note that those nodes are worth a try from then on that were just found for it."""
        if self.sought_at >= 0 or not self.is_close:
            return
        if not self.sight.hides or self._found() >= self.layout.nodes_asked(kind, size):
            self.sought_at = at

    def see(self, record: int, now: int) -> None:
        """Count the record, which has been looked at, if nodes were tried for it."""
        if self.queue.drawn[record]:
            return
        if not self.is_close:
            self.count += 1
            return
        sought = self.sought_at >= 0 and (self.may_wait or self.sought_at <= now)
        if sought or self.exact_slots or self._are_left(record, now):
            self.count += 1

    def _are_left(self, record: int, now: int) -> bool:
        """Return whether at some instant it is tried at enough nodes are left to the record."""
        part = self.queue.part_start[record]
        until = now + self.window_s if self.may_wait else now
        for way in range(self.queue.way_start[part], self.queue.way_start[part + 1]):
            kind, length = self.queue.kind[way], self.queue.least_s[way]
            asked = self.layout.nodes_asked(kind, self.queue.size[way])
            if self._are_left_of(kind, asked, length, now, until):
                return True
        return False

    def _are_left_of(self, kind: int, asked: int, length: int, now: int, until: int) -> bool:
        """Return the same of nodes of the kind to be left so long, from `until` at the latest.

        Whoever is shut out is tried at the end of the maintenance, also who may start just now.
        Source: Slurm 22.05, job_test_resv.
        """
        self.refusals.turn_to(kind, asked)
        place, at, met = 0, now, False
        if self.layout.calendars:
            at = self.fences.past_maintenance(kind, now, length)
            met = self.fences.met_before
            place = self.bookings.place_at(at)
            until = max(until, at)
        while at <= until:
            self.openings.leave_untaken_from(place, kind, at + length)
            if self.sight.hides:
                self.sight.keep_seen(self.openings.free, kind, asked, at, at + length)
            if self._found() >= asked:
                return True
            self.refusals.look_on(place, at + length, met)
            place, met = self.refusals.following, False
            if place == self.bookings.count:
                return False
            at = self.bookings.time[place]
        return False

    def _found(self) -> int:
        """Return how many nodes were found last."""
        nodes = self.openings.free
        return sets.meet(nodes, 0, nodes, 0, nodes, 0, self.layout.words)
