"""Each kind of limit as a rule of the engine, and the engine's answers in the limits' own words."""

from collections.abc import Mapping

from predictor.engine import bound
from predictor.engine.limit_tables import Rule
from predictor.limits import Blocked, Bound, Whose, rules
from predictor.limits.groups import NODE, Group

KINDS = {
    Bound.JOBS: bound.HELD,
    Bound.TRES: bound.HELD,
    Bound.RUN_MINUTES: bound.AHEAD,
    Bound.USED_MINUTES: bound.SPENT,
    Bound.USED_WALL: bound.SPENT,
    Bound.JOB_TRES: bound.MOST,
    Bound.JOB_LEAST: bound.LEAST,
    Bound.NODE_TRES: bound.MEAN,
    Bound.JOB_MINUTES: bound.LONG,
    Bound.JOB_WALL: bound.LONG,
}
IN_MINUTES = {Bound.RUN_MINUTES, Bound.USED_MINUTES, Bound.JOB_MINUTES}
"""These caps are told in minutes, and counted in seconds."""


def translated(
    rule: rules.Rule, resources: Mapping[str, int], groups: Mapping[Group, int], *, early: bool
) -> Rule:
    """Return the engine's rule. `resources` are numbered by name.

    `early`: it is asked before nodes are looked for.
    Source: Slurm 22.05, acct_policy_job_runnable_state: among the reasons that it knows again are
    none of accounts within a QOS.
    """
    shared = rule.bound is Bound.TRES and rule.resource == NODE
    return Rule(
        kind=bound.SPREAD if shared else KINDS[rule.bound],
        resource=resources[rule.resource],
        cap=rule.cap * _unit(rule.bound),
        group=-1 if rule.group is None else groups[rule.group],
        delays=_delays(rule) and not early,
        forgotten=rule.bound is Bound.JOBS and rule.scope.whose is Whose.ACCOUNT_OF_QOS,
    )


def _delays(rule: rules.Rule) -> bool:
    """Return whether others of the QOS are planned later behind somebody whom it blocks.

    That is so if it is asked for the nodes found. Source: Slurm 22.05, qos_blocking_ptr, which
    _qos_job_runnable_post_select alone sets.
    """
    return rule.group is not None and rule.scope.whose is Whose.QOS


def told_as(rule: rules.Rule, used: float, asked: float) -> Blocked:
    """Return the rule as the limit that blocks somebody, by the engine's amounts."""
    unit = _unit(rule.bound)
    return Blocked(
        bound=rule.bound,
        scope=rule.scope,
        resource=rule.resource,
        cap=rule.cap,
        used=int(used // unit),
        asked=int(asked // unit),
    )


def _unit(of: Bound) -> int:
    """Return how much the engine counts for one unit in which the cap is told."""
    return 60 if of in IN_MINUTES else 1
