"""Each kind of limit as a rule of the engine, and the engine's answers in the limits' own words."""

from collections.abc import Mapping
from dataclasses import dataclass

from predictor.engine import bound
from predictor.engine.limit_tables import Rule
from predictor.limits import Blocked, Bound, Scope
from predictor.limits import rules as limits
from predictor.limits.tally import WALL
from predictor.simulation.limit_resources import NODE

OF_EACH_JOB = {
    Bound.JOB_TRES: bound.MOST,
    Bound.JOB_LEAST: bound.LEAST,
    Bound.NODE_TRES: bound.MEAN,
    Bound.JOB_MINUTES: bound.LONG,
    Bound.JOB_WALL: bound.LONG,
}
IN_MINUTES = {Bound.RUN_MINUTES, Bound.USED_MINUTES, Bound.JOB_MINUTES}
"""These caps are told in minutes, and counted in seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a rule is about."""

    bound: Bound
    scope: Scope
    resource: str = ""
    cap: int
    """In the unit in which it is told."""

    @property
    def unit(self) -> int:
        """How much the engine counts for one unit."""
        return 60 if self.bound in IN_MINUTES else 1

    def blocked(self, used: float, asked: float) -> Blocked:
        """Return the rule as the limit that blocks somebody, by the engine's amounts."""
        return Blocked(
            bound=self.bound,
            scope=self.scope,
            resource=self.resource,
            cap=self.cap,
            used=int(used // self.unit),
            asked=int(asked // self.unit),
        )


def translated(
    rule: limits.Rule, resources: Mapping[str, int], groups: Mapping[int, int]
) -> tuple[Rule, Told]:
    """Return the engine's rule and what it is about.

    `resources` are numbered by name, groups by the `id` of their counters.
    """
    told = _told(rule)
    tally = getattr(rule, "tally", None)
    return Rule(
        kind=_kind(told),
        resource=resources[told.resource],
        cap=told.cap * told.unit,
        group=-1 if tally is None else groups[id(tally)],
    ), told


def _told(rule: limits.Rule) -> Told:
    match rule:
        case limits.JobsRule():
            return Told(bound=Bound.JOBS, scope=rule.scope, cap=rule.cap)
        case limits.TresRule():
            return Told(bound=Bound.TRES, scope=rule.scope, resource=rule.resource, cap=rule.cap)
        case limits.RunMinutesRule():
            return Told(
                bound=Bound.RUN_MINUTES, scope=rule.scope, resource=rule.resource, cap=rule.cap
            )
        case limits.UsedRule(resource=resource) if resource == WALL:
            return Told(bound=Bound.USED_WALL, scope=rule.scope, cap=rule.cap_s)
        case limits.UsedRule():
            return Told(
                bound=Bound.USED_MINUTES,
                scope=rule.scope,
                resource=rule.resource,
                cap=rule.cap_s // 60,
            )
        case limits.JobRule():
            return Told(bound=rule.bound, scope=rule.scope, resource=rule.resource, cap=rule.cap)
    raise TypeError(f"not a kind of limit: {rule!r}")


def _kind(told: Told) -> int:
    match told.bound:
        case Bound.JOBS:
            return bound.HELD
        case Bound.TRES:
            return bound.SPREAD if told.resource == NODE else bound.HELD
        case Bound.RUN_MINUTES:
            return bound.AHEAD
        case Bound.USED_MINUTES | Bound.USED_WALL:
            return bound.SPENT
    return OF_EACH_JOB[told.bound]
