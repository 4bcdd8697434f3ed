"""What a job costs per second, in billing units."""

from collections.abc import Container, Iterable, Mapping

HIGHEST_WEIGHT = 1e15
"""A weight from here on, or below zero, is taken for a mistake, and for none."""


def billing(
    amounts: Mapping[str, int], weights: Iterable[tuple[str, float]], flags: Container[str]
) -> float:
    """Return the billing units of amounts by TRES name; without weights, the CPUs.

    `weights` are a partition's, `flags` those of priorities. MAX_TRES: of what lies on nodes only
    the dearest counts; MAX_TRES_GRES: the same, but generic resources are added.
    Source: slurm.conf(5), `TRESBillingWeights` and `PriorityFlags`.
    """
    costs = {
        name: weight * amounts.get(name, 0)
        for name, weight in weights
        if 0 <= weight < HIGHEST_WEIGHT
    }
    if not costs:
        return float(amounts.get("cpu", 0))
    if "MAX_TRES_GRES" in flags:
        return _dearest_of_nodes(costs, added=("license/", "gres/"))
    if "MAX_TRES" in flags:
        return _dearest_of_nodes(costs, added=("license/",))
    return sum(costs.values())


def _dearest_of_nodes(costs: Mapping[str, float], added: tuple[str, ...]) -> float:
    """Return the highest cost, plus all of those whose names begin with one in `added`."""
    extra = sum(cost for name, cost in costs.items() if name.startswith(added))
    return extra + max((c for name, c in costs.items() if not name.startswith(added)), default=0.0)
