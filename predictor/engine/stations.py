"""Who may preempt whom, and what becomes of the preempted, as a matrix of stations.

A station is what jobs of one partition and QOS have in common.
"""

from collections.abc import Sequence

from predictor.engine import codes, store
from predictor.engine.victim_tables import Station


class Stations:
    """The stations as columns, by number. Read-only."""

    def __init__(self, stations: Sequence[Station]) -> None:
        self.count = len(stations)
        pairs = [(one, other) for one in stations for other in range(self.count)]
        self.may = store.filled([_whom(one, other) for one, other in pairs])
        self.apart = store.filled([int(other in one.apart) for one, other in pairs])
        self.fate = store.filled([one.fate for one in stations])
        self.order = store.filled([one.order for one in stations])
        self.grace_s = store.filled([one.grace_s for one in stations])
        self.exempt_s = store.filled([one.exempt_s for one in stations])
        self.halt = any(one.fate == codes.STANDS_STILL for one in stations)
        """Whether those of any stand still instead of being ended."""

    def whom(self, mine: int, theirs: int) -> int:
        """Return whom of a station those of another may end; 0: nobody."""
        return self.may[mine * self.count + theirs]

    def are_apart(self, mine: int, theirs: int) -> bool:
        """Return whether those of a station are never beside those of another that they halt."""
        return self.apart[mine * self.count + theirs] != 0

    def ends(self, mine: int, theirs: int, level: int, other_level: int) -> bool:
        """Return whether those of a station and priority may end those of another."""
        whom = self.whom(mine, theirs)
        if whom == codes.LOWER:
            return other_level < level
        if whom == codes.NO_HIGHER:
            return other_level <= level
        return whom != 0


def _whom(one: Station, other: int) -> int:
    if other in one.ends:
        return codes.ANYBODY
    if other in one.ends_lower:
        return codes.LOWER
    return codes.NO_HIGHER if other in one.ends_no_higher else 0
