"""Small clusters for scenes: everything that a scene does not care about has a plain value."""

from collections.abc import Iterator
from dataclasses import replace

from predictor.domain import (
    ArrayTasks,
    JobSpec,
    Node,
    NodeShare,
    NodeSharing,
    NodeState,
    Partition,
    PendingJob,
    Provenance,
    Request,
    RunningJob,
    Snapshot,
)
from predictor.domain.durations import HOUR_S as HOUR
from predictor.domain.durations import MINUTE_S as MINUTE

NOW = 1_700_000_000


def nodes(count: int, cpus: int = 4, memory_mb: int = 8000) -> tuple[Node, ...]:
    return tuple(
        Node(name=f"n{i}", cpus=cpus, memory_mb=memory_mb, state=NodeState.IDLE)
        for i in range(1, count + 1)
    )


def partition(name: str, members: tuple[Node, ...], **more: object) -> Partition:
    rules: dict[str, object] = {"sharing": NodeSharing.EXCLUSIVE, "max_time_s": 24 * HOUR}
    return Partition(name=name, node_names=tuple(n.name for n in members), **(rules | more))  # type: ignore[arg-type]


def cluster(count: int = 4, *jobs: PendingJob | RunningJob, **more: object) -> Snapshot:
    """A cluster of `count` nodes with one partition, `batch`, that hands out whole nodes."""
    members = nodes(count)
    content: dict[str, object] = {
        "cluster": "scene",
        "taken_at": NOW,
        "provenance": Provenance(source="scene"),
        "nodes": members,
        "partitions": (partition("batch", members),),
        "pending": tuple(j for j in jobs if isinstance(j, PendingJob)),
        "running": tuple(j for j in jobs if isinstance(j, RunningJob)),
    }
    return Snapshot(**(content | more))  # type: ignore[arg-type]


def spec(id_: str, count: int = 1, minutes: int = 10, **more: object) -> JobSpec:
    request = Request(nodes=count, cpus=count, limit_s=minutes * MINUTE)
    content: dict[str, object] = {
        "id": id_,
        "user": "ada",
        "request": request,
        "partitions": ("batch",),
        "submitted_at": NOW - HOUR,
    }
    return JobSpec(**(content | more))  # type: ignore[arg-type]


def waiting(
    id_: str,
    count: int = 1,
    minutes: int = 10,
    *,
    of_job: dict[str, object] | None = None,
    **more: object,
) -> PendingJob:
    return PendingJob(spec=spec(id_, count, minutes, **(of_job or {})), **more)  # type: ignore[arg-type]


def array(base: str, tasks: int, minutes: int = 10, at_once: int | None = None) -> PendingJob:
    limit = f"%{at_once}" if at_once else ""
    members = ArrayTasks(job_id=base, tasks=tuple(range(tasks)), max_running=at_once)
    job = waiting(f"{base}_[0-{tasks - 1}{limit}]", 1, minutes)
    return replace(job, spec=replace(job.spec, array=members))


class Unread(tuple[int, ...]):
    """Tasks at which nobody may look one by one."""

    def __iter__(self) -> Iterator[int]:
        raise AssertionError("all tasks were looked at")

    def __hash__(self) -> int:
        raise AssertionError("all tasks were looked at")


def unread(job: PendingJob) -> PendingJob:
    """The array, at whose tasks nobody may look one by one."""
    assert job.spec.array is not None
    array = replace(job.spec.array, tasks=Unread(job.spec.array.tasks))
    return replace(job, spec=replace(job.spec, array=array))


def running(id_: str, names: str, minutes_left: int, **more: object) -> RunningJob:
    """A job on the nodes named in `names` (blank-separated) that ends in so many minutes."""
    held = tuple(NodeShare(node=name, cpus=4, memory_mb=8000) for name in names.split())
    return RunningJob(
        spec=spec(id_, len(held), minutes_left + 10, **more),
        started_at=NOW - 10 * MINUTE,
        allocation=held,
    )
