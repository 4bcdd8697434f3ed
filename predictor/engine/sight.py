"""Which nodes of its partition whoever is planned sees at all."""

from predictor.engine import sets, store
from predictor.engine.bookings import Bookings
from predictor.engine.layout import Layout
from predictor.engine.owners import Owners
from predictor.engine.timeline import Timeline


class Sight:
    """What is looked at for a request: not what belongs to another user just now.

    Nor what a reservation keeps while it would run. Where it is tried again hangs on what it sees.
    Source: Slurm 22.05, _attempt_backfill: job_test_resv and filter_by_node_owner.
    """

    def __init__(self, timeline: Timeline, bookings: Bookings, owners: Owners) -> None:
        self.timeline = timeline
        self.layout: Layout = timeline.layout
        self.bookings = bookings
        self.words = timeline.words
        self.owners = owners
        self.owners_stay = owners.stay
        self.narrows = owners.stay or self.layout.calendars > 0
        """Whether it may be less than all nodes of a partition."""
        self.seen = store.words(self.words)
        """The nodes seen by who looked last."""
        self.welcoming = store.words(self.layout.shapes * self.words if owners.stay else 0)
        """By shape: the nodes that do not belong to others;"""
        self.told_at = store.filled([-1] * self.layout.shapes)
        """and at which change of the timeline that was found out."""

    def look_from(self, place: int, kind: int, end_at: int) -> None:
        """Look for a request of the kind that is to start from the place on and to end then."""
        sets.copy(self.seen, 0, self.layout.members, kind * self.words, self.words)
        if self.owners_stay:
            self.keep_welcoming(self.seen, 0, self.words, kind)
        own, at = self.layout.reservation[kind], self.bookings.time[place]
        self.timeline.keep_open(self.seen, 0, self.words, own, at, end_at)

    def is_given(self, place: int) -> bool:
        """Return whether any of the nodes seen is given back at the place, which is not the first.

        That is one that a slot keeps up to then, and none does from then on.
        """
        booked = self.bookings.booked
        before = self.bookings.row[place - 1] * self.words
        here = self.bookings.row[place] * self.words
        return sets.left(self.seen, 0, booked, before, booked, here, self.words) > 0

    def keep_welcoming(self, nodes: store.Words, first: int, count: int, kind: int) -> None:
        """Keep in so many words those nodes that nobody else has to himself just now."""
        shape = self.layout.shape[kind]
        if self.told_at[shape] != self.bookings.changed:
            self.told_at[shape] = self.bookings.changed
            self.owners.find_welcoming(shape, self.bookings.time[0])
            sets.copy(self.welcoming, shape * self.words, self.owners.found, 0, self.words)
        offset = shape * self.words + first
        sets.meet(nodes, first, nodes, first, self.welcoming, offset, count)
