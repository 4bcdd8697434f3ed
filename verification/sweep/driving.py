"""Make runs until all have ended: keep each result at once, try again once what was lost."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from predictor.clock import Clock
from predictor.errors import QueuecastError
from verification.sweep.crews import Crew, Lost
from verification.sweep.results import Result, result_of
from verification.sweep.runs import Run

BEAT_S = 0.5
"""How often we look up from waiting."""
MOST_ATTEMPTS = 2

UnderWay = Sequence[tuple[Run, float]]
"""Runs, and since when they have been under way (UTC epoch seconds)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seam:
    """What the world is asked and told."""

    crew: Crew
    clock: Clock
    ahead: Callable[[Run], None]
    """Is told of each run before it is begun."""
    keep: Callable[[Result], None]
    """Is given each result once; returns when that is safe."""
    beat: Callable[[UnderWay], None]
    """Is told what is under way, every BEAT_S or oftener."""
    stop: Callable[[], str]
    """Returns why to stop now; empty: go on. Is asked as often."""
    warn: Callable[[str], None]
    """Is told a sentence about what is odd."""


@dataclass(slots=True)
class _Under:
    """What is waiting and what is under way."""

    waiting: deque[Run]
    since: dict[int, tuple[Run, float]] = field(default_factory=dict)
    attempts: dict[int, int] = field(default_factory=dict)


def drive(runs: Sequence[Run], seam: Seam) -> list[Result]:
    """Make all of `runs` and return their results, in the order in which they ended.

    Raises QueuecastError if nobody is left to make them, if results cannot be kept, or to stop.
    """
    results: list[Result] = []
    state = _Under(waiting=deque(runs))
    while state.waiting or state.since:
        if cause := seam.stop():
            raise QueuecastError(cause)
        _begin(state, seam)
        seam.beat(list(state.since.values()))
        for run, outcome in seam.crew.ended(BEAT_S):
            del state.since[run.number]
            result = _result(run, outcome, state, seam)
            if result is not None:
                seam.keep(result)
                results.append(result)
    return results


def _begin(state: _Under, seam: Seam) -> None:
    while state.waiting and len(state.since) < seam.crew.width:
        run = state.waiting.popleft()
        seam.ahead(run)
        state.attempts[run.number] = state.attempts.get(run.number, 0) + 1
        state.since[run.number] = (run, seam.clock.now())
        seam.crew.begin(run)


def _result(run: Run, outcome: object, state: _Under, seam: Seam) -> Result | None:
    """Return what became of the run; None: it is tried again."""
    attempt = state.attempts[run.number]
    if isinstance(outcome, Result):
        if not outcome.fine:
            seam.warn(f"{run} failed: {outcome.failed}")
        return replace(outcome, attempt=attempt)
    assert isinstance(outcome, Lost)  # noqa: S101 - the work returns nothing else
    if attempt < MOST_ATTEMPTS:
        seam.warn(f"{run}: {outcome.cause}; it is tried once more")
        state.waiting.append(run)
        return None
    seam.warn(f"{run} failed: {outcome.cause}, for the second time")
    return result_of(
        run,
        figures={},
        sha256="",
        failed=f"{outcome.cause}, twice",
        took_s=0.0,
        ended_at=int(seam.clock.now()),
        attempt=attempt,
    )
