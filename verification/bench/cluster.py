"""A generated cluster as a snapshot: the way in that every real one takes."""

from predictor.domain import (
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
from verification.bench.generated import PARTITIONS, Generated

TAKEN_AT = 1_700_000_000
"""Second 0 of a generated cluster, on the calendar."""
CPUS = 16
MEMORY_MB = 64_000


def snapshot_of(generated: Generated) -> Snapshot:
    """Return the cluster with its running and waiting jobs; ids are places in the queue."""
    names = tuple(f"n{number}" for number in range(generated.nodes))
    return Snapshot(
        cluster="generated",
        taken_at=TAKEN_AT,
        provenance=Provenance(source="generated"),
        nodes=tuple(
            Node(name=name, cpus=CPUS, memory_mb=MEMORY_MB, state=NodeState.IDLE) for name in names
        ),
        partitions=tuple(
            Partition(
                name=name,
                node_names=names[members.start : members.stop],
                sharing=NodeSharing.EXCLUSIVE,
            )
            for name, members in zip(PARTITIONS, generated.partitions, strict=True)
        ),
        pending=tuple(_waiting(generated, place) for place in range(len(generated.queue))),
        running=tuple(
            _running(name, end_s)
            for name, end_s in zip(names, generated.free_at, strict=True)
            if end_s
        ),
    )


def _waiting(generated: Generated, place: int) -> PendingJob:
    wish = generated.queue[place]
    request = Request(nodes=wish.nodes, cpus=wish.nodes, limit_s=wish.limit_s)
    return PendingJob(spec=_spec(str(place), request, PARTITIONS[wish.partition], -place))


def _running(node: str, end_s: int) -> RunningJob:
    request = Request(nodes=1, cpus=CPUS, limit_s=end_s)
    return RunningJob(
        spec=_spec(f"on-{node}", request, PARTITIONS[-1], 0),
        started_at=TAKEN_AT,
        allocation=(NodeShare(node=node, cpus=CPUS),),
    )


def _spec(job_id: str, request: Request, partition: str, rank: int) -> JobSpec:
    return JobSpec(
        id=job_id,
        user="someone",
        request=request,
        partitions=(partition,),
        submitted_at=TAKEN_AT,
        priority=1_000_000 + rank,
    )
