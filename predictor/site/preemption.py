"""Who must make room for whom, where the batch system does not say it or it is to differ."""

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field

from predictor.domain import Eviction, Preemption, SchedulerSettings
from predictor.domain.durations import DAY_S
from predictor.site.table import Table
from predictor.site.values import Seconds

Fate = Literal["spared", "ended", "sent_back", "suspended"]
Span = Annotated[Seconds, Field(ge=0, le=30 * DAY_S)]


def eviction_of(fate: Fate | None) -> Eviction | None:
    """Return what the word means; None where nothing is said."""
    return None if fate is None else Eviction(fate)


class PreemptionTable(Table):
    """Whose jobs must make room for others. Unset: as the batch system says."""

    by: Literal["nobody", "partition", "qos"] | None = None
    """Who decides: tiers of partitions, or what each QOS `preempts`; `"nobody"`: nobody must."""
    eviction: Fate | None = None
    """What becomes of who must, unless its queue or QOS says otherwise."""
    within: bool | None = None
    """Whether jobs of a QOS also make others of it leave that have a lower priority."""
    by_priority: bool | None = None
    """Whether nobody must leave for a job of lower priority; by QOS, nor for one of the same."""
    exempt_s: Span | None = None
    """Nobody must who has run for less time."""
    spared_from: Annotated[int, Field(ge=0, le=0xFFFF_FFFF)] | None = None
    """Nobody must who has this priority or more; 0: whatever it has."""
    youngest_first: bool | None = None
    """Whether who began last leaves first; else who has the lowest tier, or QOS priority."""
    keeps_order: bool | None = None
    """Whether looking for a better choice moves only one to the front at a time."""
    reorders: Annotated[int, Field(ge=0, le=1_000)] | None = None
    """How often a better choice is looked for."""
    sent_back_s: Span | None = None
    """So long after its end a job may not start that was sent back into the queue."""

    def over(self, told: SchedulerSettings) -> SchedulerSettings:
        """Return the settings with what the file says of preemption."""
        given = self.model_dump(exclude_none=True)
        if (sent_back_s := given.pop("sent_back_s", None)) is not None:
            told = replace(told, sent_back_s=sent_back_s)
        by = given.pop("by", None)
        if by == "nobody":
            return replace(told, preemption=None)
        if by is not None:
            given["by_qos"] = by == "qos"
        if told.preemption is None and by is None:
            return told
        if "eviction" in given:
            given["eviction"] = Eviction(given["eviction"])
        return replace(told, preemption=replace(told.preemption or Preemption(), **given))
