"""What part each job has in a window: the marks of JuFo's procedure, completed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from predictor.domain import JobSpec
from verification.fidelity.history import History, record_of


class Mark(Enum):
    """What a job is in a window, in order of precedence: the first that fits holds."""

    GONE = "gone"
    """Over by the begin: left out."""
    LATE = "late"
    """Submitted after the end: left out."""
    RUNNING = "running"
    """Started by the begin and ended after it: holds its nodes until then."""
    REMOVED = "removed"
    """Left the queue by the end without a start: competes until then, and is not to start."""
    FUTURE = "future"
    """Submitted after the begin: enters when it becomes eligible."""
    WAITING = "waiting"
    """In the queue at the begin."""
    UNRESOLVED = "unresolved"
    """Waiting or to come, but not started by the end: competes until then; a lower bound."""


SCORED = frozenset({Mark.FUTURE, Mark.WAITING})
"""Those whose error is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """A job's instants, as far as marks depend on them. None: never, as far as is known."""

    submitted_at: int
    runs: tuple[tuple[int, int | None], ...] = ()
    """Start and end of each time it ran, ascending; no end: it ran on."""
    left_at: int | None = None
    """When it left the queue without a start."""
    last_waiting_at: int | None = None
    """When it was last seen waiting."""


def mark(life: Life, begin_at: int, end_at: int) -> Mark:
    """Return a job's mark in the window from `begin_at` to `end_at`, both part of it.

    A job that was put back into the queue by the begin is judged by what follows.
    """
    if _over(life, begin_at):
        return Mark.GONE
    if life.submitted_at > end_at:
        return Mark.LATE
    if any(start <= begin_at and (end is None or end > begin_at) for start, end in life.runs):
        return Mark.RUNNING
    started_at = next((start for start, _ in life.runs if start > begin_at), None)
    if started_at is None and life.left_at is not None and life.left_at <= end_at:
        return Mark.REMOVED
    if started_at is None or started_at > end_at:
        return Mark.UNRESOLVED
    return Mark.FUTURE if life.submitted_at > begin_at else Mark.WAITING


def _over(life: Life, begin_at: int) -> bool:
    """Return whether nothing follows the begin of the window."""
    if life.left_at is not None:
        return life.left_at <= begin_at
    waits = life.last_waiting_at is not None and life.last_waiting_at >= begin_at
    ended = all(end is not None and end <= begin_at for _, end in life.runs)
    return bool(life.runs) and ended and not waits


def marks_of(history: History, begin_at: int, end_at: int) -> Mapping[str, Mark]:
    """Return the mark of everybody whom the recording knows, by single id."""
    return {id_: mark(life, begin_at, end_at) for id_, life in lives_of(history)}


def lives_of(history: History) -> Iterator[tuple[str, Life]]:
    """Yield everybody's life, by single id in order: who ran, who waited, who only left.

    Who was too short for any snapshot is known from accounting.
    """
    for id_ in sorted(history.runs.keys() | history.seen.keys() | history.left.keys()):
        seen = history.seen.get(id_)
        yield (
            id_,
            Life(
                submitted_at=_spec(history, id_).submitted_at,
                runs=tuple((run.started_at, run.ended_at) for run in history.runs.get(id_, ())),
                left_at=history.gone_at(id_),
                last_waiting_at=history.snapshots[seen[-1]].taken_at if seen else None,
            ),
        )


def _spec(history: History, id_: str) -> JobSpec:
    if id_ in history.seen:
        return record_of(history.snapshots[history.seen[id_][0]], id_).spec
    if id_ in history.runs:
        return history.runs[id_][0].spec
    return history.left[id_].spec
