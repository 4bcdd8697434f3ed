"""What a job costs per second, in billing units."""

from collections.abc import Container, Iterable, Mapping

HIGHEST_WEIGHT = 1e15
"""A weight from here on, or below zero, is taken for a mistake, and for none."""


def tariff(
    weights: Iterable[tuple[str, float]], flags: Container[str]
) -> tuple[tuple[str, float, bool], ...]:
    """Return what counts: TRES name, weight, and whether it is added; of the rest only the dearest.

    `weights` are a partition's, `flags` those of priorities. Without weights CPUs count. MAX_TRES:
    of what lies on nodes only the dearest counts; MAX_TRES_GRES: the same, but generic resources
    are added. Source: slurm.conf(5), `TRESBillingWeights` and `PriorityFlags`.
    """
    valid = {name: weight for name, weight in weights if 0 <= weight < HIGHEST_WEIGHT}
    if not valid:
        return (("cpu", 1.0, True),)
    added: tuple[str, ...] = ("",)
    if "MAX_TRES_GRES" in flags:
        added = ("license/", "gres/")
    elif "MAX_TRES" in flags:
        added = ("license/",)
    return tuple((name, weight, name.startswith(added)) for name, weight in valid.items())


def billing(
    amounts: Mapping[str, int], weights: Iterable[tuple[str, float]], flags: Container[str]
) -> float:
    """Return the billing units of amounts by TRES name; see `tariff`."""
    costs = [(weight * amounts.get(name, 0), add) for name, weight, add in tariff(weights, flags)]
    dearest = max((cost for cost, add in costs if not add), default=0.0)
    return sum(cost for cost, add in costs if add) + dearest
