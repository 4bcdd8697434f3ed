"""A scheduler about to decide, laid out once: it can be run for as many courses as wanted."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

from predictor.domain import PendingJob, Snapshot
from predictor.engine import store
from predictor.engine.forward import Forward
from predictor.scheduling.closures import Closure
from predictor.scheduling.machine import Machine
from predictor.simulation.calendars import Known
from predictor.simulation.cast import FAR, Place, Role, removal
from predictor.simulation.courses import Course
from predictor.simulation.entrants import Entrant
from predictor.simulation.future import Future, stuck
from predictor.simulation.occupied import Running
from predictor.simulation.play import Play

NEVER = FAR
"""Later than any start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What a simulation begins with."""

    snapshot: Snapshot
    machine: Machine
    entrants: Sequence[Entrant]
    """In queue order: those of the snapshot and of the arrivals."""
    barred: Collection[str] = ()
    """The ids of those of them who are in the queue, but can never start."""
    running: Sequence[Running]
    closed: Sequence[Closure]
    """When which nodes are set apart."""
    until: int
    """Nobody is started then or later."""
    scenarios: Sequence[Sequence[PendingJob]] = ()
    """Who comes later in each of them, when it is submitted.

    An id is that of the same job in all of them, and of nobody in the snapshot.
    """
    awaited: Collection[str] | None = None
    """The ids of those of whom somebody asks when they start; None: all of the snapshot."""

    @property
    def arrivals(self) -> Sequence[PendingJob]:
        """Return all who come in any scenario."""
        return tuple({job.spec.id: job for come in self.scenarios for job in come}.values())

    @property
    def jobs(self) -> Mapping[str, PendingJob]:
        """Return all waiting records, by id, also those that come later."""
        return {job.spec.id: job for job in (*self.snapshot.pending, *self.arrivals)}

    @property
    def calendar(self) -> Sequence[Known]:
        """Return what is set apart, as it is known from the snapshot on."""
        now = self.snapshot.taken_at
        return [Known(known_at=now, closures=tuple(self.closed))] if self.closed else []

    def roles(self, standing: Callable[[Entrant], Mapping[str, Place]]) -> list[Role]:
        """Return the entrants in their roles; `standing` tells the places of each."""
        jobs, coming = self.jobs, defaultdict[str, set[int]](set)
        for number, come in enumerate(self.scenarios):
            for job in come:
                coming[job.spec.id].add(number)
        found = []
        for entrant in self.entrants:
            spec = jobs[entrant.job_ids[0]].spec
            comes = spec.id in coming
            barred = entrant.id in self.barred
            asked = not comes if self.awaited is None else spec.id in self.awaited
            role = Role(
                entrant=entrant,
                spec=spec,
                places=standing(entrant),
                enters_at=spec.submitted_at if comes else 0,
                leaves_at=removal(entrant, self.snapshot.taken_at),
                awaited=asked and not barred,
                barred=barred,
                comes_in=frozenset(coming[spec.id]) if comes else None,
            )
            found.append(role)
        return found


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

    def rehearsed(self) -> Self:
        """Return the same, with what the last pass decided, as far as that counts for the next."""
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
    entrants = [role.entrant for role in play.roles if not role.asleep and not role.barred]
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
