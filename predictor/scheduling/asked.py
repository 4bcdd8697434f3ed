"""What of a request is looked at, and on how many nodes."""

from bisect import bisect_left
from dataclasses import replace
from itertools import accumulate

from predictor.domain import Partition, Request
from predictor.scheduling.machine import Machine, numbers


def sought(request: Request, partition: Partition) -> Request:
    """Return the request without what nobody looks at.

    Neither where the least loaded nodes are taken nor for who lies scattered it counts which are
    neighbours, or under one switch; who wants neighbours is not asked about switches.
    Source: Slurm 22.05, select/cons_tres, _eval_nodes.
    """
    if not (request.contiguous or request.switches):
        return request
    if partition.spread or request.scattered:
        return replace(request, contiguous=False, switches=None)
    return replace(request, switches=None) if request.contiguous else request


def on_enough_nodes(request: Request, members: int, machine: Machine) -> Request:
    """Return the request on no fewer nodes than have what it wants in all, a task on each.

    Source: Slurm 22.05, as measured: `--gpus=4` alone runs on two nodes with two each.
    """
    least = request.nodes
    for name, amount in request.gres_total:
        had = sorted((machine.most_of(name, node) for node in numbers(members)), reverse=True)
        together = list(accumulate(had))
        if not together or together[-1] < amount:
            return request
        least = max(least, bisect_left(together, amount) + 1)
    if least > (request.nodes_max or least):
        return request
    return replace(request, nodes=least, cpus=max(request.cpus, least))
