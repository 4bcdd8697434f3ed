"""Priorities as they were told, in place of those that are computed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from predictor.domain import PriorityFactors
from predictor.engine.ranking_tables import NOBODY, SlotTables
from predictor.simulation.cast import Place
from predictor.simulation.ranking_lowering import LoweredRanking

Told = tuple[int, str, tuple[PriorityFactors, ...]]
"""From when on who, by single id, has these priorities in its partitions; none: computed ones."""


class ToldSlots:
    """Gives those who are told a priority places of their own in a ranking."""

    def __init__(self, ranking: LoweredRanking) -> None:
        self._ranking = ranking
        self._more: list[SlotTables] = []

    def places(
        self, computed: Mapping[str, Place], factors: Iterable[PriorityFactors]
    ) -> Mapping[str, Place]:
        """Return places, by partition, where all summands but the age are as told.

        Who has no place in the ranking keeps what it has.
        """
        told = {one.partition: one for one in factors}
        return {
            name: place._replace(slot=self._slot(place.slot, told[name]))
            if name in told and place.slot >= 0
            else place
            for name, place in computed.items()
        }

    def ranking(self) -> LoweredRanking:
        """Return the ranking with all places that were given."""
        tables = self._ranking.tables
        return replace(self._ranking, tables=replace(tables, slots=(*tables.slots, *self._more)))

    def _slot(self, computed: int, told: PriorityFactors) -> int:
        slots: Sequence[SlotTables] = self._ranking.tables.slots
        self._more.append(_as_told(slots[computed], told))
        return len(slots) + len(self._more) - 1


def _as_told(slot: SlotTables, told: PriorityFactors) -> SlotTables:
    summands = (told.fairshare, told.job_size, told.qos, told.partition_points)
    if not slot.moves or None in summands:
        return replace(slot, number=told.priority, moves=False)
    return replace(
        slot,
        number=told.priority,
        sharer=NOBODY,
        fairshare=float(told.fairshare or 0),
        association=float(told.association or 0),
        size=float(told.job_size or 0),
        size_tried=float(told.job_size or 0),
        size_per_cpu=0.0,
        partition=float(told.partition_points or 0),
        qos=float(told.qos or 0),
        tres=float(sum(points for _, points in told.tres)),
        rest=float((told.site or 0) - (told.nice or 0)),
    )
