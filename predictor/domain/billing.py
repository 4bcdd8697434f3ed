"""What a job costs per second, in billing units."""

from collections.abc import Iterable, Mapping
from enum import Enum

HIGHEST_WEIGHT = 1e15
"""A weight from here on, or below zero, is taken for a mistake, and for none."""


class BillingRule(Enum):
    """How the costs of a job's resources make up what it costs."""

    SUM = "sum"
    DEAREST = "dearest"
    """Of what lies on nodes only the dearest counts; licenses are added."""
    DEAREST_AND_GRES = "dearest_and_gres"
    """The same, but generic resources are added, too."""


_ADDED: Mapping[BillingRule, tuple[str, ...]] = {
    BillingRule.SUM: ("",),
    BillingRule.DEAREST: ("license/",),
    BillingRule.DEAREST_AND_GRES: ("license/", "gres/"),
}
"""How the names of resources begin that are added."""


def tariff(
    weights: Iterable[tuple[str, float]], rule: BillingRule
) -> tuple[tuple[str, float, bool], ...]:
    """Return what counts: TRES name, weight, and whether it is added; of the rest only the dearest.

    `weights` are a partition's. Without weights CPUs count. Source: slurm.conf(5),
    `TRESBillingWeights` and `PriorityFlags`.
    """
    valid = {name: weight for name, weight in weights if 0 <= weight < HIGHEST_WEIGHT}
    if not valid:
        return (("cpu", 1.0, True),)
    return tuple((name, weight, name.startswith(_ADDED[rule])) for name, weight in valid.items())


def billing(
    amounts: Mapping[str, int], weights: Iterable[tuple[str, float]], rule: BillingRule
) -> float:
    """Return the billing units of amounts by TRES name; see `tariff`."""
    costs = [(weight * amounts.get(name, 0), add) for name, weight, add in tariff(weights, rule)]
    dearest = max((cost for cost, add in costs if not add), default=0.0)
    return sum(cost for cost, add in costs if add) + dearest
