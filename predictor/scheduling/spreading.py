"""Which jobs take different numbers of CPUs of their nodes, and how many there could ever be.

Also by which of their CPUs nodes are compared for a job.
"""

import math
from dataclasses import replace

from predictor.domain import (
    CpuGranularity,
    Partition,
    Request,
    SchedulerSettings,
    Tres,
)
from predictor.scheduling.demand import cpus_and_memory, shape_of, takes_whole
from predictor.scheduling.machine import ALL_MEMORY, Machine, Shape
from predictor.scheduling.placing import Spread, Trimming
from predictor.scheduling.sharing import crowd_of, yields

MOST_CPUS = 1 << 16
"""With nodes of more CPUs than that nobody's are counted up node by node."""


def spread_of(
    request: Request,
    partition: Partition,
    settings: SchedulerSettings,
    machine: Machine,
    row: int = -1,
) -> Spread | None:
    """Return how the job may lie on its nodes, its CPUs all in one row; None: each gives the same.

    Without a number of nodes a job takes CPUs wherever some are free, on a node for each of its
    tasks at most; with a range of numbers it is spread as far as possible, but for generic
    resources wanted in all.
    Source: Slurm 22.05 and 24.11, select/cons_tres.
    """
    if takes_whole(request, partition, settings):
        return _of_whole(request, partition, settings, machine)
    if request.cpus_per_core:
        whole = _in_whole_cores(request, partition, settings, machine)
        return None if whole is None else spread_of(whole, partition, settings, machine, row)
    if not _may_differ(request, partition, settings, machine.widest) or _is_apart(request):
        return None
    least = request.cpus_per_node or 1
    task = 1 if request.cpus % least else least
    pieces = _pieces(request, request.cpus // task)
    if request.gres_total and pieces == 1:
        return None
    cpus, per_node, per_cpu = cpus_and_memory(request, partition, settings)
    if cpus > max(least, -(-request.cpus // request.nodes)):
        return None
    if not settings.memory_is_consumable:
        per_node, per_cpu = 0, 0
    elif not per_node + per_cpu:
        per_node = ALL_MEMORY
    # Who wants to be scattered takes what it may of a range, even if it only names its tasks.
    bounded = _most_named(request, partition) * least < request.cpus or request.scattered
    most = _most_nodes(request, partition) if bounded else _bound(partition)
    asked = request.nodes if bounded or request.nodes > -(-request.cpus // machine.widest) else 1
    piece_gres = tuple((name, amount // pieces) for name, amount in request.gres_total)
    by_task = bool(piece_gres) and pieces * task == request.cpus
    whole_tasks = by_task or _in_whole_tasks(per_cpu, settings)
    return Spread(
        cpus=request.cpus,
        share=machine.intern(
            Shape(
                whole=False,
                cpus=least,
                memory_mb=per_node,
                memory_per_cpu_mb=per_cpu,
                gres=_sum(request.gres_per_node, piece_gres),
                granularity=settings.granularity,
                quota=partition.name,
                row=row,
                crowd=crowd_of(partition),
                yields=yields(partition),
            )
        ),
        besides=machine.intern(
            Shape(whole=False, cpus=0, memory_mb=per_node, gres=request.gres_per_node)
        ),
        task=task,
        pieces=pieces,
        piece_gres=piece_gres,
        whole_tasks=whole_tasks,
        memory_per_cpu_mb=per_cpu,
        nodes_least=asked,
        nodes_wanted=most if bounded and not request.gres_total else asked,
        nodes_most=most,
        scattered=request.scattered,
        weakest_singly=settings.weakest_singly,
    )


def _may_differ(
    request: Request, partition: Partition, settings: SchedulerSettings, widest: int
) -> bool:
    """Return whether nodes, the widest of so many CPUs, may give the job different numbers."""
    least, most = request.cpus_per_node or 1, _most_named(request, partition)
    dealt = settings.granularity is CpuGranularity.SOCKET and most == 1 < request.cpus
    even = not dealt and (most == 1 or request.nodes * least >= request.cpus)
    # Neighbours are joined by nodes that can give less, even if none of these is of any use.
    even = even or (most * widest <= request.cpus and not request.contiguous)
    return request.uneven and not even and 0 < widest <= MOST_CPUS


def _most_named(request: Request, partition: Partition) -> int:
    """Return on how many nodes the job may be as it says; who is scattered, where it can be."""
    if request.scattered:
        return _most_nodes(request, partition)
    return request.nodes_max or request.nodes


def _pieces(request: Request, tasks: int) -> int:
    """Return in how many pieces it gets the generic resources that it wants in all.

    Slurm asks only for enough of both: who has as many as tasks, or so often, has them by task.
    """
    amounts = [amount for _, amount in request.gres_total]
    if all(amount % tasks == 0 for amount in amounts):
        return tasks
    return math.gcd(*amounts)


def _in_whole_cores(
    request: Request, partition: Partition, settings: SchedulerSettings, machine: Machine
) -> Request | None:
    """Return the same of who leaves some CPUs of each of its cores to nobody, counting these, too.

    Its memory goes with those that it uses. None: nodes have cores of several kinds.
    """
    cores = {node.cpus_per_core for node in machine.nodes}
    if len(cores) != 1:
        return None
    (has,) = cores
    used = min(has, request.cpus_per_core or has)
    cpus, per_node, per_cpu = cpus_and_memory(request, partition, settings)
    least = request.cpus_per_node or 1
    if cpus > max(least, -(-request.cpus // request.nodes)):
        return None
    return replace(
        request,
        cpus=-(-request.cpus // used) * has,
        cpus_per_node=-(-least // used) * has,
        cpus_per_core=None,
        memory_per_node_mb=None if per_cpu else per_node,
        memory_per_cpu_mb=-(-per_cpu * used // has) or None,
    )


def unit_of(request: Request, partition: Partition, settings: SchedulerSettings) -> int:
    """Return of how many CPUs a node's count in multiples where nodes are compared: a task's.

    Who asks for several on one node may mean tasks of one CPU, too; that is not told apart. On
    several nodes, each of which has as many, it does.
    """
    one_task = request.uneven or request.nodes == 1
    task = request.cpus_per_node if one_task and request.cpus_per_node else 1
    _, _, per_cpu = cpus_and_memory(request, partition, settings)
    counts = _in_whole_tasks(per_cpu if settings.memory_is_consumable else 0, settings)
    return task if counts and request.cpus % task == 0 else 1


def trimming_of(
    request: Request, partition: Partition, settings: SchedulerSettings, spread: Spread | None
) -> Trimming:
    """Return when nodes are compared by no more CPUs than the job takes of each.

    Of who asks for generic resources cores are left out that it would not use. Who says how many
    of its tasks are on a node is tried first as if it shared nodes with nobody, and then all
    count; that try decides where it needs nobody's end. Source: Slurm 22.05 to 26.05,
    gres_select_filter_sock_core, and from 23.02.5 on _allocate_sc and _try_sched.
    """
    if spread is not None or takes_whole(request, partition, settings):
        return Trimming.NEVER
    if request.gres_per_node or request.gres_total:
        return Trimming.ALWAYS
    trims = settings.passes is not None and settings.passes.tasks_trim
    return Trimming.SHARED if trims and request.tasks_per_node else Trimming.NEVER


def _in_whole_tasks(memory_per_cpu_mb: int, settings: SchedulerSettings) -> bool:
    """Return whether a node's CPUs are rounded down to tasks as they are counted.

    They are where memory goes with them. Source: Slurm 22.05, can_job_run_on_node.
    """
    always = settings.passes is not None and settings.passes.whole_tasks
    return always or memory_per_cpu_mb > 0


def _sum(one: Tres, other: Tres) -> Tres:
    found = dict(one)
    for name, amount in other:
        found[name] = found.get(name, 0) + amount
    return tuple(sorted(found.items()))


def _of_whole(
    request: Request, partition: Partition, settings: SchedulerSettings, machine: Machine
) -> Spread | None:
    """Return how a job may lie on whole nodes whose number or CPUs are open.

    That is who names a range: it takes the most it can get where it could start, as Slurm's
    `get_node_cnts` has it. Whoever may have nodes that are not all as wide: these are compared by
    their CPUs, and who names tasks alone takes nodes until there are enough; under a tree of
    switches it takes leaves as if it wanted one node. And who requires some of its nodes, for those
    beside these come first. None: on just so many, wherever.
    """
    if request.gres_total or request.contiguous or _is_apart(request):
        return None
    widest = 0 if machine.is_even else machine.widest_of_mixed(partition.node_names)
    tasks_alone = _names_tasks_alone(request, machine)
    wanted = request.nodes if tasks_alone else _most_nodes(request, partition)
    some_required = 0 < len(set(request.required_nodes)) < request.nodes
    by_leaves = tasks_alone and machine.has_tree
    if request.nodes == wanted and not widest and not some_required and not by_leaves:
        return None
    most = _bound(partition) if tasks_alone and (widest or by_leaves) else wanted
    whole = shape_of(request, partition, settings)
    least = request.cpus_per_node or 1
    if widest and most:
        # With any that is narrower the widest others would be too few.
        least = max(least, min(widest, request.cpus - (most - 1) * widest))
    _, per_node, per_cpu = cpus_and_memory(request, partition, settings)
    if settings.memory_is_consumable and per_cpu > 0:
        whole = replace(whole, memory_mb=per_node, memory_per_cpu_mb=per_cpu)
    share = machine.intern(replace(whole, cpus=least))
    return Spread(
        cpus=request.cpus,
        share=share,
        besides=share,
        task=1,
        pieces=1,
        piece_gres=(),
        whole_tasks=False,
        memory_per_cpu_mb=0,
        nodes_least=1 if by_leaves else request.nodes,
        nodes_wanted=1 if by_leaves else wanted,
        nodes_most=most,
        whole=True,
        widest_first=settings.granularity is CpuGranularity.NODE,
        weakest_singly=settings.weakest_singly,
    )


def _names_tasks_alone(request: Request, machine: Machine) -> bool:
    """Return whether it asks for as many nodes as it has tasks: it named no range of nodes."""
    if request.nodes_max is None or request.scattered:
        return False
    for_cpus = -(-request.cpus // machine.widest) if machine.widest else 1
    tasks = request.cpus, request.cpus // (request.cpus_per_node or 1)
    return request.nodes_max in tasks and request.nodes <= for_cpus


def _most_nodes(request: Request, partition: Partition) -> int:
    """Return how many whole nodes a job wants at most."""
    if request.nodes_max is None:
        return request.nodes
    bound = _bound(partition)
    most = min(request.nodes_max, bound) if bound else request.nodes_max
    return max(request.nodes, most)


def _bound(partition: Partition) -> int:
    """Return on how many of its nodes a job may be; 0: on all."""
    bound = partition.max_nodes
    return bound if isinstance(bound, int) and bound > 0 else 0


def _is_apart(request: Request) -> bool:
    """Return whether it asks for what is not counted up beside CPUs."""
    return bool(request.cpus_per_core) or "*" in request.features


def portion(machine: Machine, spread: Spread, cpus: int) -> int:
    """Return the number of the shape that a node gives which gives so many of the CPUs."""
    pieces = max(1, cpus * spread.pieces // spread.cpus)
    gres = tuple((name, amount * pieces) for name, amount in spread.piece_gres)
    gres = _sum(machine.shape(spread.besides).gres, gres)
    return machine.intern(replace(machine.shape(spread.share), cpus=cpus, gres=gres))
