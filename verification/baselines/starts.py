"""How long jobs waited, as it becomes known snapshot by snapshot."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from predictor.domain import FinishedJob, JobSpec, RunningJob, Snapshot
from predictor.domain.defaults import planned_s
from predictor.simulation.dependencies import single_ids
from verification.judging.case import Said
from verification.judging.classes import duration_class, size_class
from verification.online.predictor import Answers

NO_HISTORY = Said(why_not="no_history")
"""What is said of a job if none of its kind was seen to start."""

Kind = tuple[str, ...]
"""Partition, class of size, class of limit; shorter: what is left of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """A job that was seen to have started."""

    kind: Kind
    wait_s: int
    """Since it was allowed to start."""


class Starts:
    """Tells of each start once. Remembers no more than the snapshot learned last."""

    def __init__(self) -> None:
        self._known: frozenset[tuple[str, int]] = frozenset()

    def learn(self, snapshot: Snapshot) -> tuple[Start, ...]:
        """Return the starts that the snapshot shows and the one before did not, the first first."""
        jobs: tuple[FinishedJob | RunningJob, ...] = (*snapshot.finished, *snapshot.running)
        shown = {(job.spec.id, at): job for job in jobs if (at := job.started_at) is not None}
        new = sorted(shown.keys() - self._known, key=lambda key: (key[1], key[0]))
        self._known = frozenset(shown)
        return tuple(_start(shown[key], key[1], snapshot) for key in new)


def _start(job: RunningJob | FinishedJob, at: int, snapshot: Snapshot) -> Start:
    wait_s = max(0, at - job.spec.waits_since)
    return Start(kind=kind_of(job.spec, snapshot), wait_s=wait_s)


def kind_of(spec: JobSpec, snapshot: Snapshot) -> Kind:
    """Return what a job is like. Of several partitions the first counts."""
    name = spec.first_partition
    partition = next((one for one in snapshot.partitions if one.name == name), None)
    limit_s = planned_s(spec.request, partition)
    return name, size_class(spec.request.nodes), duration_class(limit_s)


def broader(kind: Kind) -> Iterator[Kind]:
    """Yield the kind, and ever less of it, down to all jobs."""
    return (kind[:length] for length in range(len(kind), -1, -1))


def answers(snapshot: Snapshot, say: Callable[[Kind, int], Said]) -> Answers:
    """Return what `say` says of each waiting record's kind and of since when it waits.

    The tasks of an array are all answered alike.
    """
    told: dict[str, Said] = {}
    for job in snapshot.pending:
        said = say(kind_of(job.spec, snapshot), job.spec.waits_since)
        told[job.spec.id] = said
        told.update(dict.fromkeys(single_ids(job.spec), said))
    return told
