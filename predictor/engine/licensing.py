"""Which licenses are free to whom, beside those that reservations keep from others."""

from predictor.engine.layout import Layout
from predictor.engine.queue import Queue
from predictor.engine.timeline import Timeline


class Licensing:
    """The licenses of a timeline, by kind of request."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.layout: Layout = timeline.layout

    def are_free(self, kind: int, row: int) -> bool:
        """Return whether those of the kind are free in the row, whomever they are kept for."""
        for i in range(self.layout.license_start[kind], self.layout.license_start[kind + 1]):
            pool = row * self.layout.pools + self.layout.license_pool[i]
            if self.timeline.pools[pool] < self.layout.license_amount[i]:
                return False
        return True

    def are_left(self, kind: int, row: int, era: int) -> bool:
        """Return whether as many are free in the row as the kind wants beside those kept then."""
        if not self.layout.keeps_licenses:
            return self.are_free(kind, row)
        kept = (era * self.layout.reservations + self.layout.reservation[kind]) * self.layout.pools
        for i in range(self.layout.license_start[kind], self.layout.license_start[kind + 1]):
            pool = self.layout.license_pool[i]
            free = self.timeline.pools[row * self.layout.pools + pool]
            if free - self.layout.kept_licenses[kept + pool] < self.layout.license_amount[i]:
                return False
        return True

    def left_from(self, kind: int, at: int, length: int) -> int:
        """Return from when on reservations leave enough of those free now; -1: never.

        That is `at`, or the end of what keeps them.
        Source: Slurm 22.05 to 26.05, job_test_lic_resv.
        """
        if not self.layout.keeps_licenses:
            return at
        row = self.timeline.row[0]
        calendar = self.timeline.calendar
        e, end = self.layout.era(calendar, at), self.layout.era_start[calendar + 1]
        while e < end and (self.layout.era_at[e] <= at or self.layout.era_at[e] < at + length):
            lacks = not self.are_left(kind, row, e)
            e += 1
            if lacks and e == end:
                return -1
            if lacks:
                at = self.layout.era_at[e]
        return at

    def are_taken(self, queue: Queue, part: int) -> bool:
        """Return whether too few are free now for the part, whichever way it is placed."""
        for way in range(queue.way_start[part], queue.way_start[part + 1]):
            if self.are_free(queue.kind[way], self.timeline.row[0]):
                return False
        return True

    def lack(self, queue: Queue, part: int, now: int, longest_s: int, brief: bool) -> bool:
        """Return the same, or whether too few would be left while it runs.

        That is at most `longest_s`; `brief`: it is planned as short as it would accept.
        """
        for way in range(queue.way_start[part], queue.way_start[part + 1]):
            kind, length = queue.kind[way], queue.length_s[way]
            if brief:
                length = queue.least_s[way]
            free = self.are_free(kind, self.timeline.row[0])
            if free and self.left_from(kind, now, min(length, longest_s)) == now:
                return False
        return True
