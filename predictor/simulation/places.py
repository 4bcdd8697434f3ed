"""Where everybody stands in the queue, and what may change that."""

from collections.abc import Iterable, Mapping, Sequence

from predictor.priority.census import Census
from predictor.priority.order import QueueEntry, rank
from predictor.priority.summands import Slot
from predictor.simulation.cast import Place
from predictor.simulation.entrants import Entrant

Places = Mapping[str, Mapping[str, Place]]
"""By id of the waiting record, and partition."""


def places(entries: Sequence[QueueEntry], census: Census, slots: Mapping[Slot, int]) -> Places:
    """Return the places of a queue in its present order.

    `slots` are the numbers in the ranking; who has none keeps its place.
    """
    standings = [_standing(entry, census) for entry in entries]
    everywhere = {*standings, *map(_drawn, standings)}
    bands = {standing: band for band, standing in enumerate(sorted(everywhere))}
    found: dict[str, dict[str, Place]] = {}
    for order, (entry, standing) in enumerate(zip(entries, standings, strict=True)):
        slot = slots.get((entry.job.spec.id, entry.partition), -1)
        place = Place(
            order=order, band=bands[standing], slot=slot, band_drawn=bands[_drawn(standing)]
        )
        found.setdefault(entry.job.spec.id, {})[entry.partition] = place
    return found


Standing = tuple[bool, bool, int]


def _standing(entry: QueueEntry, census: Census) -> Standing:
    """Return what comes before priority in deciding about a place."""
    return rank(entry, census)[:3]


def _drawn(standing: Standing) -> Standing:
    """Return the same of who has a reservation, as one that draws it in gives it."""
    failed, _, tier = standing
    return failed, False, tier


def apart(standing: Places, entrant: Entrant) -> tuple[Mapping[str, Place], ...]:
    """Return the places of each component; none where there is only one."""
    if len(entrant.ask.parts) == 1:
        return ()
    return tuple(
        as_seen(standing[part.job_id], [need.partition for need in part.ways])
        for part in entrant.ask.parts
    )


def as_seen(place: Mapping[str, Place], partitions: Iterable[str]) -> Mapping[str, Place]:
    """Return places in these partitions; in one it was not in before, those of its first."""
    first = next(iter(place.values()))
    return {name: place.get(name, first) for name in partitions}
