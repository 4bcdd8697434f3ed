"""What a simulation comes to."""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field

from predictor.scheduling.placing import Placement
from predictor.simulation.entrants import Entrant


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """The end of somebody who had to make room: the first one, should it run again."""

    at: int
    for_id: str
    """For whom."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Future:
    """Who starts where and when, by entrant id. Who is missing does not start in time."""

    from_at: int
    placements: Mapping[str, Placement]
    stuck: frozenset[str]
    """Those who wait for something that never happens."""
    departures: Mapping[str, Departure] = field(default_factory=dict)
    """Who had to make room for another, by single id."""
    left_out: frozenset[str] = frozenset()
    """Those who were not looked at in the first pass, for the others of their users."""


def stuck(entrants: Iterable[Entrant], begun: Set[str]) -> frozenset[str]:
    """Return those who can never start because of whom they wait for: the others may yet.

    Who is neither one of the entrants nor among `begun`, the ids of those who have started, never
    does. Linear in the conditions.
    """
    waiting = {entrant.id: entrant for entrant in entrants if entrant.id not in begun}
    missing: dict[tuple[str, int], int] = {}
    watched: dict[str, list[tuple[str, int]]] = {}
    unmet: dict[str, int] = {}
    for id_, entrant in waiting.items():
        for number, after in enumerate(entrant.after):
            others = set(after.job_ids) - begun
            missing[id_, number] = len(others)
            for other in others:
                watched.setdefault(other, []).append((id_, number))
        open_ = sum(missing[id_, number] > 0 for number in range(len(entrant.after)))
        enough = entrant.any_of and open_ < len(entrant.after)
        unmet[id_] = 0 if enough else min(open_, 1) if entrant.any_of else open_
    may_come = [id_ for id_, count in unmet.items() if not count]
    for other in may_come:
        for id_, number in watched.get(other, ()):
            missing[id_, number] -= 1
            if missing[id_, number] == 0 and unmet[id_] > 0:
                unmet[id_] -= 1
                if unmet[id_] == 0:
                    may_come.append(id_)
    return frozenset(waiting.keys() - set(may_come))
