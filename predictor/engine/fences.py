"""What reservations of others mean to who wants to start beside them, or behind them."""

from predictor.engine import sets
from predictor.engine.layout import Layout
from predictor.engine.timeline import Timeline


class Fences:
    """The reservations as they are known at the instant of a timeline.

    Source: Slurm 22.05, job_test_resv.
    """

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.layout: Layout = timeline.layout
        self.words = timeline.words
        self.met_before = False
        """Whether who was put off last had met one of those gone through before the maintenance."""

    def are_met(self, kind: int, at: int, end_at: int) -> bool:
        """Return whether others keep nodes of the kind's partition in that time."""
        return self.layout.reservation[kind] > 0 or self._are_met(kind, at, end_at, False)

    def past_maintenance(self, kind: int, at: int, length: int) -> int:
        """Return from when on no era is in the way of the kind that shuts it out.

        `at` if none is, else the end of one. To be asked only where there are calendars.
        """
        self.met_before = False
        if self.layout.reservation[kind] > 0:
            return at
        calendar = self.timeline.calendar
        e, end = self.layout.era(calendar, at), self.layout.era_start[calendar + 1]
        while e < end and (self.layout.era_at[e] <= at or self.layout.era_at[e] < at + length):
            is_shut = self.layout.is_shut(kind, e)
            e += 1
            if is_shut and e < end:
                if not self.met_before:
                    self.met_before = self._are_met(kind, at, at + length, True)
                at = self.layout.era_at[e]
        return at

    def _are_met(self, kind: int, at: int, end_at: int, early: bool) -> bool:
        calendar = self.timeline.calendar
        e, end = self.layout.era(calendar, at), self.layout.era_start[calendar + 1]
        while e < end and (self.layout.era_at[e] <= at or self.layout.era_at[e] < end_at):
            if self._keeps(kind, e, early):
                return True
            e += 1
        return False

    def _keeps(self, kind: int, era: int, early: bool) -> bool:
        members, row = kind * self.words, era * self.words
        if early:
            return sets.touch(
                self.layout.members, members, self.layout.early_nodes, row, self.words
            )
        row *= self.layout.reservations
        return sets.exceeds(self.layout.members, members, self.layout.kept_nodes, row, self.words)
