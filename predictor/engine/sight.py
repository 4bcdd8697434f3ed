"""Which nodes of a partition the backfill pass considers for a request at all."""

from predictor.engine import sets, store
from predictor.engine.bookings import Bookings
from predictor.engine.layout import Layout
from predictor.engine.leaving import Leaving
from predictor.engine.owners import Owners
from predictor.engine.timeline import Timeline


class Sight:
    """What is looked at for a request: not what belongs to another user just now.

    Nor what a reservation keeps while it would run. Where it is tried again hangs on what it sees.
    Source: Slurm 22.05, _attempt_backfill: job_test_resv and filter_by_node_owner.
    """

    def __init__(self, bookings: Bookings, leaving: Leaving) -> None:
        self.timeline: Timeline = bookings.timeline
        self.layout: Layout = self.timeline.layout
        self.bookings = bookings
        self.words = self.timeline.words
        self.leaving = leaving
        owners: Owners = leaving.owners
        self.owners = owners
        self.owners_stay = owners.stay
        self.hides = owners.stay or leaving.counts
        """Whether nodes of others may be hidden."""
        self.narrows = self.hides or self.layout.calendars > 0
        """Whether it may be less than all nodes of a partition."""
        self.seen = store.words(self.words)
        """The nodes seen by who looked last."""
        self.welcoming = store.words(self.layout.shapes * self.words if owners.stay else 0)
        """By shape: the nodes that do not belong to others, as last found out."""
        self.told_at = store.filled([-1] * self.layout.shapes)
        """By shape: at which change of the timeline that was; -1: it was not yet."""

    def look_from(self, place: int, kind: int, size: int, end_at: int) -> None:
        """Look for a request of the kind that is to start from the place on and to end then."""
        own, at = self.layout.reservation[kind], self.bookings.time[place]
        sets.copy(self.seen, 0, self.layout.members, kind * self.words, self.words)
        self.keep_seen(self.seen, kind, size, at, end_at)
        self.timeline.keep_open(self.seen, 0, self.words, own, at, end_at)

    def waits_until(self, kind: int, size: int, at: int, end_at: int) -> int:
        """Return when a request is tried that others put off who are on its nodes; or -1."""
        return self.leaving.waits_until(kind, size, at, end_at) if self.leaving.counts else -1

    def is_left_at(self, kind: int, size: int, at: int, end_at: int) -> int:
        """Return when the first node hidden from a request is left; -1: none is hidden."""
        if not self.leaving.counts:
            return -1
        self.leaving.waits_until(kind, size, at, end_at)
        return self.leaving.first_left_at()

    def is_given(self, place: int) -> bool:
        """Return whether any of the nodes seen is given back at the place, which is not the first.

        That is one that a slot keeps up to then, and none does from then on.
        """
        booked = self.bookings.booked
        before = self.bookings.row[place - 1] * self.words
        here = self.bookings.row[place] * self.words
        return sets.left(self.seen, 0, booked, before, booked, here, self.words) > 0

    def keep_seen(self, nodes: store.Words, kind: int, size: int, at: int, end_at: int) -> None:
        """Keep those nodes that are not hidden from such a request."""
        if self.owners_stay:
            self._keep_welcoming(nodes, kind)
        elif self.leaving.counts:
            self.leaving.waits_until(kind, size, at, end_at)
            self.leaving.hide(nodes)

    def _keep_welcoming(self, nodes: store.Words, kind: int) -> None:
        """Keep those nodes that nobody else has to himself just now."""
        shape = self.layout.shape[kind]
        if self.told_at[shape] != self.bookings.changed:
            self.told_at[shape] = self.bookings.changed
            self.owners.find_welcoming(shape, self.bookings.time[0])
            sets.copy(self.welcoming, shape * self.words, self.owners.found, 0, self.words)
        sets.meet(nodes, 0, nodes, 0, self.welcoming, shape * self.words, self.words)
