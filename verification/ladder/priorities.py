"""The priorities that a recording shows, as news of a story."""

from collections.abc import Iterator
from dataclasses import replace

from predictor.domain import PriorityFactors
from predictor.simulation.dependencies import single_ids
from predictor.simulation.story import Story
from predictor.simulation.told_priorities import Told
from verification.fidelity.history import History


def with_priorities(history: History, number: int, until: int, story: Story) -> Story:
    """Return the story with the priorities that snapshots before `until` show.

    Who is shown no more, having really started, has computed ones again if it still waits.
    """
    found = sorted(_told(history, number, until), key=lambda one: one[:2])
    return replace(story, priorities=tuple(found))


def _told(history: History, number: int, until: int) -> Iterator[Told]:
    known: dict[str, tuple[object, ...]] = {}
    for snapshot in history.snapshots[number + 1 :]:
        if snapshot.taken_at >= until:
            return
        shown = set()
        for job in snapshot.pending:
            factors = _summands(job.priorities)
            for id_ in single_ids(job.spec):
                shown.add(id_)
                if factors and known.get(id_) != factors:
                    known[id_] = factors
                    yield snapshot.taken_at, id_, job.priorities
        for id_ in sorted(known.keys() - shown):
            del known[id_]
            yield snapshot.taken_at, id_, ()


def _summands(priorities: tuple[PriorityFactors, ...]) -> tuple[object, ...]:
    """Return what does not change as time passes."""
    return tuple(replace(one, priority=0, age=None) for one in priorities)
