"""Everybody who holds something in the simulated future: running jobs, and those that start."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from predictor.domain import Awaited, JobSpec, Snapshot
from predictor.scheduling.machine import Machine
from predictor.scheduling.placing import Holding, Placed
from predictor.scheduling.spreading import portion
from predictor.simulation.dependencies import single_ids
from predictor.simulation.entrants import Entrant
from predictor.simulation.future import Future
from predictor.simulation.occupied import Running


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Occupant:
    """A job and what it holds. Names ending in `_at` are UTC epoch seconds."""

    id: str
    """A single id, as the simulation has it."""
    spec: JobSpec | None
    """None: running, but in no record."""
    partition: str
    qos: str
    """Empty: none, or unknown."""
    start_at: int
    end_at: int
    held: tuple[Holding, ...]
    lane: str
    """The array whose number of running tasks is limited; empty: none."""
    waits: bool

    @property
    def user(self) -> str:
        """Its owner; empty: unknown."""
        return self.spec.user if self.spec else ""


def occupants(
    snapshot: Snapshot,
    machine: Machine,
    running: Iterable[Running],
    entrants: Iterable[Entrant],
    future: Future,
) -> tuple[Occupant, ...]:
    """Return them in the order in which they end."""
    found = [*_running(snapshot, running), *_starting(snapshot, machine, entrants, future)]
    ended = (_as_ended(one, future) for one in found)
    return tuple(sorted(ended, key=lambda one: (one.end_at, one.id)))


def _as_ended(one: Occupant, future: Future) -> Occupant:
    """Return the occupant with the end that it has if it must make room for another."""
    departure = future.departures.get(one.id)
    if departure is None or not one.start_at <= departure.at < one.end_at:
        return one
    held = tuple(replace(holding, end_at=departure.at) for holding in one.held)
    return replace(one, end_at=departure.at, held=held)


def _running(snapshot: Snapshot, running: Iterable[Running]) -> Iterator[Occupant]:
    specs = {id_: job.spec for job in snapshot.running for id_ in single_ids(job.spec)}
    for job in running:
        spec = specs.get(job.id)
        yield Occupant(
            id=job.id,
            spec=spec,
            partition=spec.first_partition if spec else "",
            qos=spec.qos if spec else "",
            start_at=min((holding.start_at for holding in job.held), default=snapshot.taken_at),
            end_at=job.end_at,
            held=job.held,
            lane=job.lane,
            waits=False,
        )


def held(placed: Placed, machine: Machine) -> tuple[Holding, ...]:
    """Return what is really taken of the nodes, which may give different numbers of CPUs."""
    spread = placed.need.spread
    if spread is None or not placed.given:
        return (placed.holding,)
    return tuple(
        replace(placed.holding, nodes=nodes, shape=portion(machine, spread, cpus))
        for cpus, nodes in placed.given
    )


def _starting(
    snapshot: Snapshot, machine: Machine, entrants: Iterable[Entrant], future: Future
) -> Iterator[Occupant]:
    specs = {job.spec.id: job.spec for job in snapshot.pending}
    for entrant in entrants:
        placement = future.placements.get(entrant.id)
        if placement is not None:
            yield Occupant(
                id=entrant.id,
                spec=specs.get(entrant.job_ids[0]),
                partition=placement.placed[0].need.partition,
                qos=placement.placed[0].need.qos,
                start_at=placement.start_at,
                end_at=placement.end_at,
                held=tuple(one for placed in placement.placed for one in held(placed, machine)),
                lane=entrant.lane,
                waits=True,
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """Which jobs may be named to the owner of a job."""

    jobs_private: bool
    """Whether the site hides jobs of others."""
    reservations_private: bool
    """Whether it hides reservations."""

    @classmethod
    def of(cls, snapshot: Snapshot) -> "Naming":
        """Return what the snapshot's site lets be named."""
        private = snapshot.provenance.private
        return cls(jobs_private="jobs" in private, reservations_private="reservations" in private)

    def allows(self, occupant: Occupant, reader: str) -> bool:
        """Whether `reader` may learn of the occupant."""
        return not self.jobs_private or (bool(reader) and occupant.user == reader)

    def awaited(
        self, occupant: Occupant, reader: str, *, at: int | None = None, nodes: int = 0
    ) -> Awaited:
        """Return the occupant as one whose end is awaited, nameless if it may not be named."""
        named = self.allows(occupant, reader)
        return Awaited(
            job_id=occupant.id if named else "",
            user=occupant.user if named else "",
            at=occupant.end_at if at is None else at,
            nodes=nodes,
            waits=occupant.waits,
        )
