"""A real workload beside a generated one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from verification.workloads.distance import ks_of_parts, ks_of_values
from verification.workloads.panels import ASPECTS, Parts, Values, as_shares
from verification.workloads.seen import Workload

DATED: Final = ("weekdays", "months")
"""Units that mean something only on a calendar."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One look at both, and how far they lie apart."""

    real: Parts | Values
    generated: Parts | Values
    distance: float
    """By Kolmogorov and Smirnov, in [0, 1]."""


def compare(real: Workload, generated: Workload) -> Mapping[str, Compared]:
    """Return all looks, by name, for which both traces know enough.

    Where one of them does not say when it began, second 0 is taken for a midnight, and nothing is
    told of weekdays and months.
    """
    found = {}
    dated = real.begins_at and generated.begins_at
    for name, aspect in ASPECTS.items():
        if aspect.unit in DATED and not dated:
            continue
        ours, theirs = (aspect.of(one.jobs, one.local_at) for one in (real, generated))
        if isinstance(ours, Values) and isinstance(theirs, Values):
            apart = ks_of_values(ours.values, theirs.values)
            found[name] = Compared(real=ours, generated=theirs, distance=apart)
        elif isinstance(ours, Parts) and isinstance(theirs, Parts):
            found[name] = _compared(ours, theirs)
    return found


def _compared(real: Parts, generated: Parts) -> Compared:
    """Return shares of those parts that both could see: half a year says nothing of the other."""
    both = [
        a is not None and b is not None for a, b in zip(real.shares, generated.shares, strict=True)
    ]
    ours, theirs = (
        as_shares([share if seen else None for share, seen in zip(one.shares, both, strict=True)])
        for one in (real, generated)
    )
    apart = ks_of_parts([one or 0.0 for one in ours], [one or 0.0 for one in theirs])
    return Compared(real=Parts(shares=ours), generated=Parts(shares=theirs), distance=apart)
