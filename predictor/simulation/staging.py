"""A scheduler about to decide, laid out once: it can be run for as many courses as wanted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from predictor.engine import store
from predictor.engine.forward import Forward
from predictor.simulation.cast import FAR
from predictor.simulation.courses import Course
from predictor.simulation.future import Future, stuck
from predictor.simulation.play import Play

NEVER = FAR
"""Later than any start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A simulation that has been run."""

    forward: Forward
    left_out: Sequence[int] = ()
    """By job: whether the first pass left it out for the others of its user. Empty: nobody."""


class Stage(Protocol):
    """Decides as one scheduler does."""

    @property
    def play(self) -> Play:
        """Return who plays, and where."""
        ...

    def run(self, course: Course | None = None) -> Run:
        """Return a simulation of the course; None: everybody runs into the limit.

        Safe to be called in several threads at a time, which run side by side where the engine is
        compiled.
        """
        ...


def future(stage: Stage, course: Course | None = None) -> Future:
    """Return what the course comes to, newcomers left out."""
    run, play = stage.run(course), stage.play
    placements = play.started(run.forward)
    begun = {*placements, *play.running_ids}
    entrants = [role.entrant for role in play.roles if not role.asleep]
    return Future(
        from_at=play.begins_at,
        placements=placements,
        stuck=stuck(entrants, begun),
        departures=play.departures(run.forward),
        left_out=frozenset(
            play.roles[job].entrant.id for job, left in enumerate(run.left_out) if left
        ),
    )


def first_starts(run: Run) -> Sequence[int]:
    """Return by number of the role when each starts, for the first time; NEVER if it does not."""
    queue, past = run.forward.queue, run.forward.past
    starts = store.plain(queue.started_at)
    if not len(past.at):
        return [NEVER if at < 0 else at for at in starts]
    again = zip(store.plain(past.at), starts, strict=True)
    firsts = (first if first >= 0 else at for first, at in again)
    return [NEVER if at < 0 else at for at in firsts]
