"""Which of the nodes that would do a job gets."""

from predictor.domain import NodeShare
from predictor.scheduling.machine import Machine, numbers
from predictor.scheduling.policy import Allocation
from predictor.scheduling.timeline import Need, Opening, Timeline


def choose(timeline: Timeline, need: Need, opening: Opening, allocation: Allocation) -> int:
    """Return the bitmap of the `need.nodes` nodes taken out of the opening.

    Required nodes are always among them; ties go to the lower node number, which is the lower
    weight first.
    """
    chosen = need.required
    for place, (of_group, least) in enumerate(need.groups):
        later = 0
        for nodes, _ in need.groups[place + 1 :]:
            later |= nodes
        pool = opening.nodes & of_group & ~chosen
        # Who is of a later group too comes last: then enough are left for that one.
        alone = min(least, (pool & ~later).bit_count())
        chosen |= _best(timeline, need, opening, allocation, pool & ~later, alone)
        chosen |= _best(timeline, need, opening, allocation, pool & later, least - alone)
    rest = need.nodes - chosen.bit_count()
    return chosen | _best(timeline, need, opening, allocation, opening.nodes & ~chosen, rest)


def _best(
    timeline: Timeline,
    need: Need,
    opening: Opening,
    allocation: Allocation,
    free: int,
    count: int,
) -> int:
    """Return `count` of the nodes of `free`."""
    if timeline.machine.shape(need.shape).whole or allocation is Allocation.FIRST_FIT:
        return _first(free, count)
    sign = 1 if allocation is Allocation.BEST_FIT else -1
    nodes = timeline.machine.nodes
    order = sorted(
        numbers(free),
        key=lambda i: (nodes[i].rank, sign * timeline.free_cpus(opening.start_at, i), i),
    )
    return sum(1 << i for i in order[:count])


def shares(machine: Machine, shape: int, nodes: int) -> tuple[NodeShare, ...]:
    """Return what a job of this shape holds of each of these nodes: of a whole one, all."""
    form, amounts = machine.shape(shape), machine.amounts(shape)
    return tuple(
        NodeShare(
            node=machine.nodes[i].name,
            cpus=machine.capacity[i][0] if form.whole else amounts[i][0],
            memory_mb=amounts[i][1],
            gres=machine.nodes[i].gres if form.whole else form.gres,
        )
        for i in numbers(nodes)
    )


def _first(free: int, count: int) -> int:
    """Return the set of the first `count` nodes of `free`."""
    if free.bit_count() == count:
        return free
    chosen = 0
    for _ in range(count):
        lowest = free & -free
        chosen |= lowest
        free ^= lowest
    return chosen
