"""Nodes with GPUs, some in use, and jobs that ask for GPUs by task, in total or per node."""

from dataclasses import replace

from clusters import NOW, cluster, nodes, partition, spec

from predictor.domain import (
    NodeShare,
    NodeSharing,
    PassSettings,
    PendingJob,
    RunningJob,
    SchedulerSettings,
)
from predictor.plan import plan
from predictor.site import default

SETTINGS = SchedulerSettings(
    multifactor=False, passes=PassSettings(interval_s=30, step_s=60), drawn_by="gpu"
)
CPUS, GPUS = 32, 4
BY_TASK = {"cpus": 32, "cpus_per_node": 4, "nodes_max": 8, "uneven": True}
"""-n 8 -c 4 --gpus-per-task=1"""
TASKS = {"cpus": 8, "nodes_max": 8, "uneven": True}
"""-n 8"""


def asks(id_, gpus=0, per_node=0, **request):
    """A waiting job of one node at least, which asks for so many GPUs in total, or on each."""
    told = spec(id_)
    gres = {"gres_total": (("gpu", gpus),) if gpus else ()}
    gres["memory_per_cpu_mb"] = 1
    gres["gres_per_node"] = (("gpu", per_node),) if per_node else ()
    return PendingJob(spec=replace(told, request=replace(told.request, **gres, **request)))


def on(node, cpus, gpus):
    """A long job on one node."""
    told = spec(f"r{node}", minutes=600)
    share = NodeShare(node=f"n{node}", cpus=cpus, memory_mb=0, gres=(("gpu", gpus),))
    return RunningJob(
        spec=replace(told, request=replace(told.request, cpus=max(1, cpus))),
        started_at=NOW,
        allocation=(share,),
    )


def snapshot_of(used, *jobs):
    """Return a snapshot of nodes of which so many CPUs and GPUs are in use."""
    members = tuple(replace(node, gres=(("gpu", GPUS),)) for node in nodes(len(used), CPUS))
    return cluster(
        len(used),
        *(on(node, *amounts) for node, amounts in enumerate(used, 1) if any(amounts)),
        *jobs,
        nodes=members,
        partitions=(partition("batch", members, sharing=NodeSharing.NO),),
        settings=SETTINGS,
    )


def planned(used, *jobs):
    """Return when and where everybody is planned."""
    found = plan(snapshot_of(used, *jobs), default())
    return {id_: (one.start_at - NOW, one.node_names) for id_, one in found.items()}


def placed(used, *jobs):
    """Return who starts at once, and where."""
    return {id_: where for id_, (at, where) in planned(used, *jobs).items() if at == 0}
