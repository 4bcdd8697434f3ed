"""Everybody starts as a policy decides."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Self

from predictor.domain import Snapshot
from predictor.engine import codes
from predictor.engine.rule_tables import PolicyRules
from predictor.scheduling.machine import Machine
from predictor.scheduling.policy import Filling, Policy, Scope
from predictor.simulation.cast import Place
from predictor.simulation.courses import Course
from predictor.simulation.entrants import Entrant
from predictor.simulation.play import MOST_LOOKS, Play
from predictor.simulation.scene import Scene
from predictor.simulation.staging import Run, Setting

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
    def of(cls, setting: Setting, policy: Policy) -> Self:
        """Lay it out."""
        plain, machine = simplified(setting.snapshot), setting.machine
        scene = Scene(plain, machine, setting.calendar, policy.allocation, policy.seed)
        roles, running = setting.roles(_Turns().of), setting.running
        play = Play(plain, machine, scene, roles, running, None, setting.jobs)
        return cls(play=play, policy=policy, until=setting.until)

    def rehearsed(self) -> Self:
        """Return the same: no size counts."""
        return self

    def run(self, course: Course | None = None) -> Run:
        """Start everybody as the policy does, up to `MOST_LOOKS`."""
        roles = self.play.roles
        cpus = cpus_of((role.entrant for role in roles), self.play.machine)
        forgets = course is not None or any(role.leaves_at >= 0 for role in roles)
        rules = policy_rules(self.policy, cpus, self.play.user(""), forgets=forgets)
        policies = self.play.follow(rules, self.until, course, MOST_LOOKS)
        if policies.policy.looks > MOST_LOOKS:
            self.play.plan_rest(policies.forward, self.until)
        return Run(forward=policies.forward, left_out=policies.policy.first_left_out)


class _Turns:
    """Gives the partitions of those who are asked about their places, one behind the other."""

    def __init__(self) -> None:
        self._order = count()

    def of(self, entrant: Entrant) -> Mapping[str, Place]:
        """Return the next places."""
        names = (need.partition for part in entrant.ask.parts for need in part.ways)
        return {
            name: Place(order=next(self._order), band=0, slot=-1) for name in dict.fromkeys(names)
        }


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
    whether jobs may end sooner or later than planned, or leave.
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
