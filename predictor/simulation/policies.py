"""Everybody starts as a policy decides."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Self

from predictor.domain import PendingJob, Snapshot
from predictor.engine import codes
from predictor.engine.tables import PolicyRules
from predictor.scheduling.closures import Closure
from predictor.scheduling.machine import Machine
from predictor.scheduling.policy import Filling, Policy, Scope
from predictor.simulation.cast import Place, Role
from predictor.simulation.courses import Course
from predictor.simulation.entrants import Entrant
from predictor.simulation.occupied import Running
from predictor.simulation.play import MOST_LOOKS, Play
from predictor.simulation.scene import Known, Scene
from predictor.simulation.staging import Run

FILLINGS = {
    Filling.FIRST: codes.IN_TURN,
    Filling.BEST: codes.LARGEST_FIRST,
    Filling.GREEDY: codes.MOST_TOGETHER,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class UnderPolicy:
    """A policy about to decide: it knows no limits.

    A pass is made whenever something happens, and again at once if jobs started whose users have
    others that were not looked at. A policy's own cadence rounds each of these instants up, and
    starts with them.
    """

    play: Play
    policy: Policy
    until: int
    """Nobody is started then or later."""

    @classmethod
    def of(
        cls,
        snapshot: Snapshot,
        machine: Machine,
        entrants: Sequence[Entrant],
        running: Sequence[Running],
        closed: Sequence[Closure],
        policy: Policy,
        until: int,
        arrivals: Sequence[PendingJob] = (),
    ) -> Self:
        """Lay it out. `entrants`, in queue order, are those of the snapshot and of `arrivals`."""
        now, plain = snapshot.taken_at, simplified(snapshot)
        calendar = [Known(known_at=now, closures=tuple(closed))] if closed else []
        scene = Scene(plain, machine, calendar, policy.allocation, policy.seed)
        jobs = {job.spec.id: job for job in (*snapshot.pending, *arrivals)}
        roles = list(_roles(entrants, jobs, {job.spec.id for job in arrivals}))
        play = Play(plain, machine, scene, roles, running, None, jobs)
        return cls(play=play, policy=policy, until=until)

    def run(self, course: Course | None = None) -> Run:
        """Start everybody as the policy does, up to `MOST_LOOKS`."""
        cpus = cpus_of((role.entrant for role in self.play.roles), self.play.machine)
        forgets = course is not None
        rules = policy_rules(self.policy, cpus, self.play.user(""), forgets=forgets)
        policies = self.play.follow(rules, self.until, course, MOST_LOOKS)
        if policies.policy.looks > MOST_LOOKS:
            self.play.plan_rest(policies.forward, self.until)
        return Run(forward=policies.forward, left_out=policies.policy.first_left_out)


def _roles(
    entrants: Sequence[Entrant], jobs: Mapping[str, PendingJob], coming: Set[str]
) -> Iterator[Role]:
    """Yield the entrants, each with its partitions one behind the other in the queue."""
    order = 0
    for entrant in entrants:
        places: dict[str, Place] = {}
        for need in (need for part in entrant.ask.parts for need in part.ways):
            if need.partition not in places:
                places[need.partition] = Place(order=order, band=0, slot=-1)
                order += 1
        spec = jobs[entrant.job_ids[0]].spec
        enters_at = spec.submitted_at if spec.id in coming else 0
        yield Role(
            entrant=entrant,
            spec=spec,
            places=places,
            enters_at=enters_at,
            awaited=spec.id not in coming,
        )


def simplified(snapshot: Snapshot) -> Snapshot:
    """Return the snapshot as policies see it: without limits, preemption and nodes that boot."""
    settings = replace(snapshot.settings, limits_enforced=False, preemption=None, boot_s=0)
    return replace(snapshot, settings=settings)


def cpus_of(entrants: Iterable[Entrant], machine: Machine) -> Sequence[int]:
    """Return how many CPUs each asks for, in the first of its ways."""
    wanted = ([part.ways[0] for part in entrant.ask.parts] for entrant in entrants)
    return [sum(need.nodes * machine.shape(need.shape).cpus for need in needs) for needs in wanted]


def policy_rules(
    policy: Policy, cpus: Sequence[int] = (), nameless: int = -1, *, forgets: bool = False
) -> PolicyRules:
    """Return how the engine is to decide.

    `cpus`: what each job asks for; `nameless`: the number of the user who has no name; `forgets`:
    whether jobs may end sooner or later than planned.
    """
    return PolicyRules(
        reservations=-1 if policy.reservations is None else policy.reservations,
        skips=policy.skip_blocked,
        by_partition=policy.scope is Scope.PARTITION,
        filling=FILLINGS[policy.filling],
        cpus=cpus,
        eligible_per_user=policy.eligible_per_user or 0,
        queued_per_user=policy.queued_per_user or 0,
        nameless=nameless,
        every_s=policy.pass_every_s or 0,
        forgets=forgets,
    )
