"""From a waiting job to the ways to place it, or the reason why it never can be placed."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from predictor.domain import PendingJob, Request, Unpredictable, choices
from predictor.scheduling.placing import Need
from predictor.scheduling.rules import Refusal, Rules
from predictor.scheduling.within import ways_in


def ways(job: PendingJob, partitions: Sequence[str], rules: Rules) -> tuple[Need, ...] | Refusal:
    """Return the ways to place the job, partition by partition in the given order.

    A Refusal if no partition could start it; it names the first partition's obstacle.
    """
    found = all_ways(job, partitions, rules)
    return found if isinstance(found, Refusal) else in_order(found)


def all_ways(
    job: PendingJob, partitions: Sequence[str], rules: Rules
) -> tuple[Need, ...] | Refusal:
    """Return what `ways` does, and behind that the ways that are out of order."""
    asked = choices(job.spec.reservation)
    there = [name for name in asked if name in rules.reservations]
    if asked and not there:
        return Refusal(
            cause=Unpredictable.RESERVATION_GONE, detail="the reservation it asked for is gone"
        )
    needs: list[Need] = []
    refusals: list[Refusal] = []
    drawn_by = rules.drawn_by(job.spec)
    for name, by_one in product(partitions, rules.each_qos(job)):
        found = ways_in(by_one, name, rules)
        if isinstance(found, Refusal):
            refusals.append(found)
        else:
            found = _licensed(found, job.spec.request)
            needs.extend(
                replace(need, reservation=one, drawn_by=one) for one in drawn_by for need in found
            )
            needs.extend(replace(need, reservation=one) for one in there or ("",) for need in found)
    if needs:
        return tuple(sorted(needs, key=lambda need: need.out_of_order))
    if refusals:
        return refusals[0]
    return Refusal(cause=Unpredictable.UNSUPPORTED, detail="it names no partition")


def _licensed(needs: tuple[Need, ...], request: Request) -> tuple[Need, ...]:
    """Return the ways, and behind them the same with each of the other licenses that would do."""
    others = (replace(need, licenses=(one,)) for one in request.other_licenses for need in needs)
    return *needs, *others


def in_order(found: tuple[Need, ...]) -> tuple[Need, ...] | Refusal:
    """Return those of all ways that are not out of order; if there is none, why."""
    usable = tuple(need for need in found if not need.out_of_order)
    if usable:
        return usable
    partition = found[0].partition
    return Refusal(
        cause=Unpredictable.NODES_UNAVAILABLE,
        detail=f"too many of the nodes of partition {partition} that it needs are down or drained",
    )
