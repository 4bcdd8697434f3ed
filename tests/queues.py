"""Clusters with a queue that can start: what forecasts of arbitrary snapshots hardly ever have."""

from dataclasses import replace

from clusters import MINUTE, cluster, nodes, partition, running, waiting
from hypothesis import strategies as st

from predictor.domain import (
    Limits,
    NodeSharing,
    PassSettings,
    Qos,
    Request,
    SchedulerSettings,
    Snapshot,
)

NODES = 6
MEMBERS = nodes(NODES)


@st.composite
def busy_clusters(draw, sharing: NodeSharing) -> Snapshot:
    """Six nodes in two partitions that overlap, some held, and a queue before them."""
    parts = (
        partition("all", MEMBERS, sharing=sharing),
        partition("few", MEMBERS[: NODES // 2], sharing=sharing),
    )
    jobs = [
        running(f"r{i}", f"n{i + 1}", draw(st.integers(1, 60)), qos="q")
        for i in draw(st.sets(st.integers(0, NODES - 1)))
    ]
    if sharing is not NodeSharing.EXCLUSIVE:
        jobs = [_partly(job, draw(st.integers(1, 4))) for job in jobs]
    for i in range(draw(st.integers(1, 8))):
        name = draw(st.sampled_from(("all", "few")))
        request = Request(
            nodes=draw(st.integers(1, NODES // 2)),
            cpus=1,
            cpus_per_node=draw(st.integers(1, 4)),
            memory_per_node_mb=100,
            limit_s=draw(st.integers(1, 60)) * MINUTE,
        )
        more = {"request": request, "partitions": (name,), "priority": 100 - i, "qos": "q"}
        jobs.append(waiting(str(i), of_job=more))
    limits = Limits(max_jobs=draw(st.none() | st.integers(1, 4)))
    passes = PassSettings(interval_s=30, step_s=1)
    return cluster(
        NODES,
        *jobs,
        partitions=parts,
        qos=(Qos(name="q", limits=limits),),
        settings=SchedulerSettings(passes=passes, limits_enforced=True),
    )


def _partly(job, cpus: int):
    return replace(job, allocation=(replace(job.allocation[0], cpus=cpus, memory_mb=100),))
