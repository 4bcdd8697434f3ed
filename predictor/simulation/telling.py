"""What a story tells, as roles have it: spans of time, and other forms of jobs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from predictor.domain import PendingJob
from predictor.priority.summands import Slot
from predictor.simulation.cast import FAR, Place

Interval = tuple[int, int | None]
"""From the first instant on, up to and without the second; None: for good."""


class Clearing(NamedTuple):
    """From the end of a job there until another may start on the node. UTC epoch seconds.

    Until then the batch system makes sure that nothing of the job is left, or waits to be told so.
    """

    since: int
    until: int
    node_name: str


def forms_of(changes: Iterable[tuple[int, PendingJob]]) -> tuple[PendingJob, ...]:
    """Return the changed records under ids of their own, by which the ranking knows them."""
    return tuple(
        replace(job, spec=replace(job.spec, id=f"{job.spec.id}\0{number}"))
        for number, (_, job) in enumerate(changes)
    )


def with_slots(
    standing: Mapping[str, Place], form: PendingJob, slots: Mapping[Slot, int]
) -> Mapping[str, Place]:
    """Return the places with the form's own numbers in the ranking."""
    return {
        name: place._replace(slot=slots.get((form.spec.id, name), place.slot))
        for name, place in standing.items()
    }


def spans(intervals: Iterable[Interval]) -> tuple[tuple[int, int], ...]:
    """Return intervals with an end each, be it far away."""
    return tuple((since, FAR if until is None else until) for since, until in intervals)


def together(each: Iterable[Sequence[tuple[int, int]]]) -> tuple[tuple[int, int], ...]:
    """Return when all are in one of their spans at the same time."""
    first, *others = each
    found = tuple(first)
    for other in others:
        pairs = ((max(a, c), min(b, d)) for a, b in found for c, d in other)
        found = tuple(pair for pair in pairs if pair[0] < pair[1])
    return found
