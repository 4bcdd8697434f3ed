"""What only so many may hold at a time besides nodes: licenses, and the places of an array."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from predictor.domain import Snapshot
from predictor.explain.occupants import Occupant
from predictor.explain.openers import Held, Stay
from predictor.scheduling.pools import totals
from predictor.simulation.entrants import Entrant

Opener = Callable[[int, int, int], Stay | None]
"""Tells, by the amount somebody takes, its start, and now, whose end made room; None: nobody's."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Something of which so much may be held at a time: licenses, or places of an array."""

    capacity: int
    stays: list[Stay] = field(default_factory=list)

    def opener(self) -> Opener:
        """Return who tells whose end let somebody start, once all stays are known."""
        held = Held(self.stays, lambda amount: (amount,))

        def opener(amount: int, at: int, now: int) -> Stay | None:
            return held.opener(at, now, (0,), lambda taken: taken[0] + amount <= self.capacity)

        return opener


def licenses(snapshot: Snapshot, everybody: Iterable[Occupant]) -> Mapping[str, Opener]:
    """Return the cluster's licenses, by name."""
    pools = {name: Pool(total) for name, total in totals(snapshot).items()}
    for one in everybody:
        for held in one.held:
            for name, amount in held.licenses:
                if name in pools:
                    pools[name].stays.append(Stay(held.start_at, held.end_at, amount, one))
    return {name: pool.opener() for name, pool in pools.items()}


def lanes(entrants: Iterable[Entrant], everybody: Iterable[Occupant]) -> Mapping[str, Opener]:
    """Return the places of the arrays that limit how many of their tasks run, by array."""
    pools = {entrant.lane: Pool(entrant.lane_width) for entrant in entrants if entrant.lane}
    for one in everybody:
        if one.lane in pools:
            pools[one.lane].stays.append(Stay(one.start_at, one.end_at, 1, one))
    return {lane: pool.opener() for lane, pool in pools.items()}
